"""The twin beside robots of the published studies: what it says at the end is what judging the recording says."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.studies.hospital.runs import SHORT, ran
from tests.studies.hospital.test_monitors import fuzzed

from stressfield.field import judge_recordings
from stressfield.oracle import Outcome
from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.seeds import generator
from stressfield.subject.subject import MONITORS
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.rosbag2 import write_bag
from stressfield.twin import Playback, Twin, TwinResult, TwinWatch, accompany
from stressfield_studies.hospital.monitors import scores

WAREHOUSE = str(Path(__file__).parents[2] / "examples" / "warehouse.py")
WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORLDS = {
    # a template of each study: small worlds, so that the missions are short
    "oz": "r",
    "mana": "r",
    WAREHOUSE: "4-3.044-0.206-[]-[]",  # without people, whom no recording knows
    "hospital": SHORT,
}


def driven(study_name: str, descriptor: str) -> Trace:
    study = find_study(study_name)
    scenario = study.scenario(descriptor, seed=1)
    return execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    ).trace  # fmt: skip


def beside(study_name: str, bag: Path, descriptor: str, watch: TwinWatch | None = None) -> TwinResult:
    twin = Twin(find_study(study_name), source=str(bag), world=descriptor, seed=1, watch=watch)
    accompany(twin, Playback(bag, rate=math.inf))
    return twin.finish()


@pytest.mark.parametrize("name", WORLDS, ids=lambda name: Path(name).stem)
def test_live_verdicts_at_the_end_are_those_of_judging_the_recording(name: str, tmp_path: Path) -> None:
    model = find_study(name).model
    descriptor = model.create_from_descriptor(WORLDS[name], generator(1, "world")).descriptor
    bag = write_bag(driven(name, descriptor), tmp_path / "bag", start=WHEN)
    result = beside(name, bag, descriptor)
    live = {each.verdict.property: each.verdict for each in result.verdicts}
    judged = judge_recordings(name, [bag], tmp_path / "judged", world=descriptor, seed=1).campaign.results.runs[0]
    assert live == {verdict.property: verdict for verdict in judged.verdicts}
    # and not because nothing could be said
    assert sum(verdict.outcome is not Outcome.INCONCLUSIVE for verdict in live.values()) >= 6
    assert sum(bool(residual.values) for residual in result.residuals) >= 10
    assert not result.alarms


def test_detections_of_monitors_are_scored_against_the_oracle(tmp_path: Path) -> None:
    """A guard of the hospital that rings: the twin beside it says how it did, as the run itself does."""
    done, evidence = ran(SHORT, operations=[fuzzed(-1.0, -0.5)], build="monitored")
    guard = next(one for one in scores(evidence) if one.monitor == "tb3_2/guard")
    assert guard.hits == 1
    assert MONITORS + guard.monitor in done.trace.topics
    bag = write_bag(done.trace, tmp_path / "bag", start=WHEN)
    (told,) = beside("hospital", bag, SHORT, TwinWatch(look_s=0.0)).monitors
    assert (told.monitor, told.hits, told.misses, told.false_alarms) == ("tb3_2/guard", 1, 0, 0)
    assert told.mean_delay_s == pytest.approx(guard.mean_delay_s, abs=1e-6)


def test_an_alarm_without_a_cause_is_a_false_one(tmp_path: Path) -> None:
    """The same alarms in a recording in which all commands are as they were sent."""
    done, _ = ran(SHORT, operations=[fuzzed(-1.0, -0.5)], build="monitored")
    calm, _ = ran(SHORT, build="monitored")
    rung = {name: topic for name, topic in done.trace.topics.items() if name.startswith(MONITORS)}
    calm.trace.topics.update(rung)  # type: ignore[attr-defined]
    bag = write_bag(calm.trace, tmp_path / "bag", start=WHEN)
    (told,) = beside("hospital", bag, SHORT, TwinWatch(look_s=0.0)).monitors
    assert told.hits == 0
    assert told.false_alarms >= 1
