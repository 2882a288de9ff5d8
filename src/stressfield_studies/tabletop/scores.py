"""How well actions, scenarios and a whole suite did, as published: A, S and T.

A is the share of satisfied properties of one action, S the mean of A over the actions of a scenario, T the mean of S
over all scenarios. An action that was not executed, because a message was lost or the task had stopped before,
satisfies none of its properties: a run in which the first goal is lost has S = 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from stressfield.errors import InputError
from stressfield.run import JudgedRun, Status

SCENARIO = "S"
LOST = "lost"
"""Name of the metric that counts the actions of a run lost to communication."""


@dataclass(frozen=True, slots=True)
class ActionScore:
    """One action of a run: ``satisfied`` of ``properties`` hold. ``lost`` if communication failed."""

    action: str
    satisfied: int
    properties: int
    lost: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.satisfied <= self.properties or self.properties < 1:
            raise InputError(
                f"The action {self.action!r} satisfies {self.satisfied} of {self.properties} properties. "
                "Wanted at least one property, and no more satisfied than there are."
            )

    @property
    def share(self) -> float:
        """A."""
        return self.satisfied / self.properties


@dataclass(frozen=True, slots=True)
class ScenarioScore:
    """One run: the shares A of its actions in order, by name."""

    run: str
    shares: tuple[tuple[str, float], ...]
    lost: bool = False

    @property
    def score(self) -> float:
        """S."""
        return fmean(share for _, share in self.shares) if self.shares else 0.0


def scenario_score(run: str, actions: Sequence[ActionScore]) -> ScenarioScore:
    """S of a run from its actions."""
    if not actions:
        raise InputError(f"The run {run!r} has no actions. Wanted at least one.")
    shares = tuple((action.action, action.share) for action in actions)
    return ScenarioScore(run, shares, lost=any(action.lost for action in actions))


def suite_score(scenarios: Sequence[ScenarioScore]) -> float | None:
    """T; None without a scenario."""
    return fmean(scenario.score for scenario in scenarios) if scenarios else None


def metrics_of(actions: Sequence[ActionScore]) -> dict[str, float]:
    """What a campaign keeps of every run: ``A1.MoveTo``, ``A2.PerceivePlane``, ..., ``S`` and ``lost``."""
    score = scenario_score("", actions)
    shares = {f"A{place}.{name}": share for place, (name, share) in enumerate(score.shares, start=1)}
    return {**shares, SCENARIO: score.score, LOST: float(sum(action.lost for action in actions))}


def scores_of(runs: Sequence[JudgedRun]) -> tuple[ScenarioScore, ...]:
    """The scores of a campaign's runs, from their metrics. Trouble of the rig is left out; a crash scores nothing."""
    found = []
    for judged in runs:
        if judged.run.status is Status.SUBJECT_CRASH:
            found.append(ScenarioScore(judged.run.id, ()))
        elif judged.run.status is not Status.INVALID and SCENARIO in judged.metrics:
            lost = judged.metrics.get(LOST, 0.0) > 0.0
            found.append(ScenarioScore(judged.run.id, _shares(judged.metrics), lost))
    return tuple(found)


def _shares(metrics: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    places = []
    for name, value in metrics.items():
        head, dot, action = name.partition(".")
        if dot and head[:1] == "A" and head[1:].isdecimal():
            places.append((int(head[1:]), action, value))
    return tuple((action, value) for _, action, value in sorted(places))
