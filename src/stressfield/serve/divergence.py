"""Where two recorded runs part: in what the robots did, and in what was said."""

from __future__ import annotations

from stressfield.analysis import ComparedSignal, Divergence, divergence
from stressfield.errors import InputError
from stressfield.serve.answers import DivergenceAnswer, PartingAnswer, finite
from stressfield.serve.snapshot import Snapshot
from stressfield.trace import Trace

MOVED_M = 0.05
"""A robot is elsewhere beyond this: nobody sees less on a screen."""
TOPICS_MAX = 200
_PLACE = ("pose.position.x", "pose.position.y")


def divergence_answer(snapshot: Snapshot, run: str, other: Snapshot, other_run: str) -> DivergenceAnswer:
    """Compare what both recorded; a topic that only one has is no difference of the robot's."""
    first, second = snapshot.trace(snapshot.run(run)), other.trace(other.run(other_run))
    moved = _parted(first, second, _places(first, second))
    said = _parted(first, second, _topics(first, second))
    if moved is None and said is None:
        raise InputError("The two runs have nothing in common: neither a robot nor a topic.")
    worlds = [kept.results.scenario_of(kept.run(name).run) for kept, name in ((snapshot, run), (other, other_run))]
    return DivergenceAnswer(
        same_world=worlds[0].descriptor == worlds[1].descriptor,
        moved_s=_first(moved),
        message_s=_first(said),
        sentence=" ".join(part.sentence() for part in (moved,) if part is not None),
        partings=[
            PartingAnswer(
                name=parting.signal.name, topic=parting.signal.topic, at_s=finite(parting.at_s),
                apart=finite(parting.apart), unit=parting.signal.unit, tolerance=parting.signal.tolerance,
            )
            for part in (moved, said) if part is not None
            for parting in part.partings
        ],
    )  # fmt: skip


def _parted(first: Trace, second: Trace, signals: list[ComparedSignal]) -> Divergence | None:
    return divergence(first, second, signals) if signals else None


def _first(parted: Divergence | None) -> float | None:
    return parted.first.at_s if parted is not None and parted.first is not None else None


def _places(first: Trace, second: Trace) -> list[ComparedSignal]:
    return [
        ComparedSignal(name=f"place of {name}", topic=f"/truth/{name}/pose", paths=_PLACE, tolerance=MOVED_M, unit="m")
        for name in first.robots
        if name in second.robots
    ]


def _topics(first: Trace, second: Trace) -> list[ComparedSignal]:
    both = [name for name in first.topics if name in second.topics]
    return [ComparedSignal(name=f"messages on {name}", topic=name) for name in both[:TOPICS_MAX]]
