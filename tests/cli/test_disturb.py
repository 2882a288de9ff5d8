"""One disturbance in many worlds: ``stressfield run --disturb``."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield.campaign import load
from stressfield.cli import main
from stressfield.oracle import Outcome
from stressfield.trace import read_trace

YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")
FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")

BLIND = """
name: blind
topics: {/scan: sensor_msgs/LaserScan, /pose: geometry_msgs/PoseStamped}
operations:
  - {do: blackhole, name: blind, topics: [/scan], when: {kind: window, start_s: 4, end_s: 200}}
  - {do: delay, name: late, topics: [/pose], delay_s: 0.2}
"""
RANGES = BLIND.replace("delay_s: 0.2", "delay_s: [0.1, 0.5]")
LISTED = (
    RANGES
    + """
searches:
  - name: some
    tests:
      - name: blinded
        operations: [{do: blackhole, name: blind, topics: [/scan], when: {kind: window, start_s: 4, end_s: 200}}]
"""
)
CONDITION = """
name: near
topics: {/scan: sensor_msgs/LaserScan, /pose: geometry_msgs/PoseStamped}
variables:
  - {name: east, topics: [/pose], path: pose.position.x}
operations:
  - {do: blackhole, name: blind, topics: [/scan], when: {kind: condition, start: east > 5}}
"""


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out + captured.err

    return call


def write(folder: Path, text: str) -> Path:
    path = folder / "space.yaml"
    path.write_text(text)
    return path


def run(stressfield, space: object, out: Path, *more: object) -> tuple[int, str]:
    return stressfield(
        "run", YARD, "--worlds", 3, "--seed", 4, "--disturb", space, "--out", out, "--jobs", 1, "--no-report", *more
    )


def test_every_world_gets_the_same_operations_and_everybody_knows(stressfield, tmp_path: Path) -> None:
    out, plain = tmp_path / "blind", tmp_path / "plain"
    space = write(tmp_path, BLIND)
    code, said = run(stressfield, space, out, "--keep", "all")
    assert code == 1, said
    assert "yard, disturbed: 3 worlds" in said
    assert stressfield("run", YARD, "--worlds", 3, "--seed", 4, "--out", plain, "--jobs", 1, "--no-report")[0] in (0, 1)
    results, others = load(out), load(plain)
    assert [[op.name for op in world.disturbances] for world in results.scenarios] == [["blind", "late"]] * 3
    assert len({world.descriptor for world in results.scenarios}) == 3
    # the worlds of a campaign without it, under ids of their own
    assert [(w.descriptor, w.seed) for w in results.scenarios] == [(w.descriptor, w.seed) for w in others.scenarios]
    assert not {w.id for w in results.scenarios} & {w.id for w in others.scenarios}
    assert results.plan.disturbances == results.scenarios[0].disturbances
    # it did act
    trace = read_trace(out / str(results.runs[0].run.trace_file))
    assert trace.topic("/fuzz/active").messages[-1].name == "blind"
    # compared world by world with what it is without
    code, said = stressfield("compare", plain, out)
    assert "3 worlds" in said
    assert "were run by both" not in said  # all of them were
    # replayed, resumed, and told how to begin again without the file
    space.unlink()
    failing = next(judged.run.id for judged in results.runs if judged.run.outcome is Outcome.FAIL)
    code, said = stressfield("replay", out, failing)
    assert (code, "identical, bit for bit" in said, "disturbed: blind on /scan" in said) == (0, True, True)
    assert stressfield("resume", out, "--no-report")[0] == 1
    assert len(load(out).runs) == 3
    again = run(stressfield, out / "space.yaml", tmp_path / "again")
    assert [judged.run.id for judged in load(tmp_path / "again").runs] == [judged.run.id for judged in results.runs]
    assert again[0] == 1
    assert stressfield("report", out)[0] in (0, 1)
    page = (out / "report.html").read_text()
    assert "Disturbed in every world" in page
    assert f"--disturb {out}/space.yaml" in page


def test_shrink_keeps_what_matters_of_it(stressfield, tmp_path: Path) -> None:
    out, small = tmp_path / "blind", tmp_path / "small"
    run(stressfield, write(tmp_path, BLIND), out)
    code, said = stressfield("shrink", out, "F1", "--out", small, "--jobs", 1)
    assert code in (0, 1), said
    shrunk = load(small)
    assert shrunk.plan.disturbances == shrunk.scenarios[0].disturbances
    assert [operation.name for operation in shrunk.plan.disturbances] == ["blind"]


def test_a_test_that_a_file_lists_and_one_that_the_study_does(stressfield, tmp_path: Path) -> None:
    space = write(tmp_path, LISTED)
    assert run(stressfield, f"{space}:blinded", tmp_path / "a")[0] == 1
    assert [op.name for op in load(tmp_path / "a").scenarios[0].disturbances] == ["blind"]
    code, said = run(stressfield, f"{space}:blinde", tmp_path / "b")
    assert (code, "Did you mean 'blinded'?" in said) == (2, True)
    code, said = run(stressfield, "blinded", tmp_path / "b")
    assert (code, "the study 'yard' lists no tests of its own" in said) == (2, True)


def test_conditions_bring_their_variables(stressfield, tmp_path: Path) -> None:
    out = tmp_path / "near"
    assert run(stressfield, write(tmp_path, CONDITION), out)[0] in (0, 1)
    assert [variable.key for variable in load(out).scenarios[0].variables] == ["east"]
    assert stressfield("replay", out, "all")[0] in (0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RANGES, "The operation 'late' of '{0}' has ranges (delay_s 0.1 to 0.5). Wanted fixed values"),
        (BLIND.replace("/scan]", "/scam]"), "Did you mean '/scan'?"),
        ("name: none\noperations: []\n", "there is no operation in '{0}'. Wanted at least one."),
        ("name: x\noperations: [{do: los, name: a, topics: [/scan]}]\n", "does not fit"),
        (
            "name: x\noperations: [{do: blackhole, name: a, topics: [/scn]}]\n",
            "does not fit: Operation 'a' disturbs nothing: no one subscribes to '/scn'",
        ),
    ],
)
def test_what_cannot_be_is_said_before_anything_runs(stressfield, tmp_path: Path, text: str, said: str) -> None:
    space, out = write(tmp_path, text), tmp_path / "out"
    code, told = run(stressfield, space, out)
    assert code == 2, told
    assert " ".join(said.format(space).split()) in " ".join(told.split())
    assert not (out / "campaign.toml").exists()


def test_a_file_that_is_not_there(stressfield, tmp_path: Path) -> None:
    code, said = run(stressfield, tmp_path / "nowhere.yaml", tmp_path / "out")
    assert (code, "nowhere.yaml" in said) == (2, True)
