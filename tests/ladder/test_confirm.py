"""What the ladder says of a study whose two rungs are known to differ, and in what."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from stressfield.campaign import Plan, load, run_campaign, verify
from stressfield.cli.main import app
from stressfield.errors import InputError
from stressfield.ladder import Climb, Confirmation, Ladder, LadderGate, RungCall, draw_worlds
from stressfield.ladder.confirmation import evidence, quality_of
from stressfield.search import ChosenWorlds

LATE_S = 0.2
RUNGS = str(Path(__file__).parent / "rungs.py")


def climb(folder: Path, *, worlds: int = 36, **asked: object) -> Confirmation:
    run_campaign(Plan(study=RUNGS, build="default", seed=3, worlds=worlds, repeats=2), folder, in_process=True)
    return Ladder(folder, Climb(simulator="true", **asked), jobs=1).run()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Confirmation:
    return climb(tmp_path_factory.mktemp("ladder") / "runs", passing=100)


def test_every_finding_gets_the_call_that_the_two_simulators_deserve(found: Confirmation) -> None:
    calls = {finding.subcase: finding.call for finding in found.findings}
    assert calls == {
        "real": RungCall.CONFIRMED,
        "artefact": RungCall.ONLY_BELOW,
        "half": RungCall.ONLY_BELOW,  # shows in every other run below, so that no single world is sure
        "missed": RungCall.ONLY_ABOVE,
        "flicker": calls["flicker"],  # the same chance on both rungs: a sure world or none, but never of one rung alone
    }
    assert calls["flicker"] in {RungCall.CONFIRMED, RungCall.UNDECIDED}


def test_the_share_of_worlds_is_that_of_the_campaign(found: Confirmation) -> None:
    kinds = [load_kind(scenario.parameters) for scenario in found.summary.results.scenarios]
    fails_above = [kind in {1, 3} for kind in kinds]
    both = [world for world in found.worlds if world.call is RungCall.CONFIRMED]
    assert found.quality.precision is not None
    assert found.quality.recall is not None
    assert found.quality.recall.low <= sum(kind == 1 for kind in kinds) / max(1, sum(fails_above)) <= 1.0
    assert len(both) >= sum(kind == 1 for kind in kinds)
    missed = found.quality.missed
    assert missed is not None
    assert missed.low <= kinds.count(3) / (kinds.count(0) + kinds.count(3)) <= missed.high


def load_kind(parameters: object) -> int:
    assert isinstance(parameters, dict)
    return int(parameters["kind"])


def test_both_rungs_are_campaigns_of_the_same_worlds_with_run_seeds_of_their_own(found: Confirmation) -> None:
    below, above, first = found.lower, found.upper, found.summary.results
    assert isinstance(above.plan.strategy, ChosenWorlds)
    worlds = {scenario.id: scenario for scenario in first.scenarios}
    for rung in (below, above):
        assert not verify(rung.folder, judge=True).problems
        for scenario in rung.scenarios:
            assert scenario == worlds[scenario.id]
    seeds = {(judged.run.scenario_id, judged.run.repeat): judged.run.seed for judged in below.runs}
    shared = [judged for judged in above.runs if (judged.run.scenario_id, judged.run.repeat) in seeds]
    assert shared
    assert all(judged.run.seed == seeds[judged.run.scenario_id, judged.run.repeat] for judged in shared)
    assert not {judged.run.seed for judged in first.runs} & set(seeds.values())


def test_the_same_call_again_runs_nothing(found: Confirmation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.ladder.programme.resume", None)
    monkeypatch.setattr("stressfield.ladder.programme.run_campaign", None)
    again = Ladder(found.summary.results.folder, Climb(simulator="true", passing=100)).run()
    assert [finding.call for finding in again.findings] == [finding.call for finding in found.findings]


def test_another_question_is_not_mixed_with_the_first(found: Confirmation) -> None:
    with pytest.raises(InputError, match=r"already holds another campaign \(different: .*Replace it with --overwrite"):
        Ladder(found.summary.results.folder, Climb(simulator="true", passing=1))


def test_a_climb_that_was_killed_goes_on_and_comes_to_the_same(tmp_path: Path, found: Confirmation) -> None:
    run_campaign(Plan(study=RUNGS, build="default", seed=3, worlds=36, repeats=2), tmp_path / "runs", in_process=True)

    class StopError(Exception):
        pass

    class Killed:
        def say(self, line: str, *, warning: bool = False) -> None: ...

        def steps(self, title: str) -> object: ...

        def campaigns(self, title: str) -> object:
            from contextlib import contextmanager

            @contextmanager
            def bar() -> object:  # type: ignore[misc]
                def watch(now: object) -> None:
                    if "above" in title and now.done > 20:  # type: ignore[attr-defined]
                        raise StopError

                yield watch

            return bar()

    asked = Climb(simulator="true", passing=100)
    with pytest.raises(StopError):
        Ladder(tmp_path / "runs", asked, jobs=1, display=Killed()).run()  # type: ignore[arg-type]
    part = len(load(tmp_path / "runs" / "confirm" / "true" / "above").runs)
    assert 0 < part < len(found.upper.runs)
    whole = Ladder(tmp_path / "runs", asked, jobs=1).run()
    assert [world.above for world in whole.worlds] == [world.above for world in found.worlds]


def test_a_sample_is_drawn_by_its_seed(found: Confirmation) -> None:
    results = found.summary.results
    first = draw_worlds(results, failing=3, passing=2, seed=1)
    assert first == draw_worlds(results, failing=3, passing=2, seed=1)
    assert (len(first.failing_up), len(first.passing_up)) == (3, 2)
    names = [[world.id for world in draw_worlds(results, failing=3, passing=2, seed=n).up] for n in range(8)]
    drawn = set(map(tuple, names))
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("gate", "codes"),
    [(LadderGate.ANY, {RungCall.CONFIRMED, RungCall.ONLY_BELOW, RungCall.ONLY_ABOVE, RungCall.UNDECIDED}),
     (LadderGate.ABOVE, {RungCall.CONFIRMED, RungCall.ONLY_ABOVE}), (LadderGate.CONFIRMED, {RungCall.CONFIRMED})],
)  # fmt: skip
def test_what_each_gate_counts(gate: LadderGate, codes: set[RungCall]) -> None:
    assert {call for call in RungCall if gate.counts(call)} == codes


def test_screen_page_junit_and_json_tell_the_same(found: Confirmation, tmp_path: Path) -> None:
    words = ["confirm", found.summary.results.folder, "--sim", "true", "--passing", "100"]
    files = ["--junit", str(tmp_path / "j.xml"), "--markdown", str(tmp_path / "m.md")]
    done = CliRunner().invoke(app, [*words, *files, "--gate", "confirmed"])
    assert done.exit_code == 1
    assert "only below" in done.stdout
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    calls = {each["subcase"]: each["call"] for each in data["findings"]}
    assert calls == {finding.subcase: finding.call.value for finding in found.findings}
    suite = ET.parse(tmp_path / "j.xml").getroot()[0]
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == [f"{f.name} {f.title()}" for f in found.findings if f.call is RungCall.CONFIRMED]
    assert len(suite) == len(found.findings)
    assert "artefact" in (tmp_path / "m.md").read_text()
    place = Path(found.summary.results.folder) / "confirm" / "true"
    assert "only below" in (place / "report.html").read_text()
    assert json.loads((place / "confirmation.json").read_text())["counts"] == data["counts"]


def calibration(path: Path, *, study: str = "rungs", robot: str = "cart", dead_time_s: float = LATE_S) -> Path:
    """As 'stressfield calibrate' writes it."""
    path.write_text(
        f'format = 1\nstudy = "{study}"\nrobot = "{robot}"\nstressfield = "0.1.0"\nwindows = 20\nwindow_s = 5.0\n'
        "held_out_error_before_m = 0.2\nheld_out_error_after_m = 0.1\nrecordings = []\n\n[[constants]]\n"
        f'name = "{robot}.drive.dead_time_s"\nvalue = {dead_time_s}\nlow = 0.1\nhigh = 0.3\nbefore = 0.0\n'
    )
    return path


def test_a_calibration_is_of_the_upper_rung_and_a_part_of_its_identity(tmp_path: Path) -> None:
    run_campaign(Plan(study=RUNGS, build="default", seed=3, worlds=12, repeats=2), tmp_path / "a", in_process=True)
    file = calibration(tmp_path / "calibration.toml")
    words = ["confirm", str(tmp_path / "a"), "--sim", "true", "--jobs", "1", "--json", "--no-report"]
    plain = json.loads(CliRunner().invoke(app, words).stdout)
    done = json.loads(CliRunner().invoke(app, [*words, "--calibration", str(file)]).stdout)
    below, above = (load(done[rung]["folder"]) for rung in ("below", "above"))
    assert below.plan.options == {}
    assert above.plan.options == {"cart.drive.dead_time_s": LATE_S}
    # The same worlds under other names: runs with and without a calibration never mix.
    assert {(each.index, each.descriptor, each.seed) for each in below.scenarios} == {
        (each.index, each.descriptor, each.seed) for each in above.scenarios
    }
    assert not {each.id for each in below.scenarios} & {each.id for each in above.scenarios}
    assert Path(plain["above"]["folder"]).parts[-2:] == ("true", "above")
    assert Path(done["above"]["folder"]).parts[-2:] == ("true-calibrated", "above")
    # The robot is late in every world above; a world of kind 1 has another failure, which is told first.
    missed = {name: next(each for each in of["findings"] if each["subcase"] == "missed")
              for name, of in (("plain", plain), ("calibrated", done))}  # fmt: skip
    late = [each for each in above.scenarios if not each.descriptor.startswith("1-")]
    assert missed["calibrated"]["worlds_above"] == len(late) > missed["plain"]["worlds_above"]
    assert all(each["call"] == "only above" for each in missed.values())
    assert (plain["calibration"], done["calibration"]) == (None, str(file))
    screen = CliRunner().invoke(app, [*words[:-2], "--calibration", str(file)]).stdout
    assert "Above with the constants of" in screen
    assert "cart.drive.dead_time_s 0.2." in screen
    assert not verify(done["above"]["folder"], judge=True).problems


def test_a_calibration_that_does_not_belong_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    run_campaign(Plan(study=RUNGS, build="default", seed=3, worlds=6, repeats=2), tmp_path / "a", in_process=True)
    for file, said in (
        (calibration(tmp_path / "other.toml", study="oz"), "is of study 'oz', not of 'rungs'. Calibrate this one."),
        (calibration(tmp_path / "robot.toml", robot="tractor"), "There is no constant 'tractor.drive.dead_time_s'"),
        (calibration(tmp_path / "negative.toml", dead_time_s=-1.0), "dead_time_s -1.0; wanted 0 to"),
        (tmp_path / "absent.toml", "absent.toml"),
        (Path(RUNGS), "Wanted a file that 'stressfield calibrate' wrote."),
    ):
        words = ["confirm", str(tmp_path / "a"), "--sim", "true", "--calibration", str(file), "--jobs", "1"]
        assert said in refusal(words)
    assert not (tmp_path / "a" / "confirm").exists()


def test_a_gate_for_confirmed_findings_lets_artefacts_pass(tmp_path: Path) -> None:
    template = ["--template", "2-r"]  # every world has the artefact of the lower rung, and nothing else is wrong
    run = CliRunner().invoke(
        app, ["run", RUNGS, "--worlds", "3", *template, "--out", str(tmp_path / "a"), "--jobs", "1"]
    )
    assert run.exit_code == 1
    words = ["confirm", str(tmp_path / "a"), "--sim", "true", "--jobs", "1"]
    assert CliRunner().invoke(app, [*words, "--gate", "confirmed"]).exit_code == 0
    assert CliRunner().invoke(app, words).exit_code == 1


def test_known_issues_do_not_count(tmp_path: Path) -> None:
    CliRunner().invoke(
        app, ["run", RUNGS, "--worlds", "2", "--template", "1-r", "--out", str(tmp_path / "a"), "--jobs", "1"]
    )
    issues = tmp_path / "known.toml"
    issues.write_text(
        '[[issue]]\nstudy="rungs"\nproperty="right"\nsubcase="real"\nreason="ticket 7"\nexpires=2999-01-01\n'
    )
    words = ["confirm", str(tmp_path / "a"), "--sim", "true", "--jobs", "1", "--gate", "confirmed"]
    assert CliRunner().invoke(app, words).exit_code == 1
    assert CliRunner().invoke(app, [*words, "--known-issues", str(issues)]).exit_code == 0


def refusal(words: list[str]) -> str:
    """What the verb says to bad input; ``main`` prints it and exits with 2."""
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, InputError)
    return str(done.exception)


def test_what_is_refused(tmp_path: Path, found: Confirmation) -> None:
    folder = found.summary.results.folder
    for words, said in (
        (["--sim", "fast"], "The campaign was run in 'fast' itself. Wanted another simulator of the study: true."),
        (["--sim", "tru"], "Unknown simulator 'tru' of study 'rungs'. It has: fast, true. Did you mean 'true'?"),
        (["--sim", "true", "--gate", "all"], "Unknown gate 'all'. There are: any, above, confirmed."),
        (["--sim", "true", "--passing", "-1"], "Cannot take -1 passing worlds. Wanted 0 or more."),
        (["--sim", "true", "--failing", "0", "--passing", "0"], "was asked for. It has"),
        (["--sim", "true", "--until-sure", "1.5"], "Cannot repeat until sure with confidence 1.5."),
        (["--sim", "true", "--repeats", "2"], "Wanted at least --repeats 3"),
    ):
        assert said in refusal(["confirm", folder, *words])
    assert "is not a campaign" in refusal(["confirm", str(tmp_path), "--sim", "true"])


def test_no_finding_is_said_and_passing_worlds_are_still_looked_at(tmp_path: Path) -> None:
    clean = ["run", RUNGS, "--worlds", "3", "--template", "0-r", "--out", str(tmp_path / "a"), "--jobs", "1"]
    assert CliRunner().invoke(app, clean).exit_code == 0
    none = refusal(["confirm", str(tmp_path / "a"), "--sim", "true", "--passing", "0"])
    assert "has no finding to confirm, and no passing world was asked for." in none
    some = CliRunner().invoke(app, ["confirm", str(tmp_path / "a"), "--sim", "true", "--jobs", "1"])
    assert some.exit_code == 0
    assert "Nothing to confirm, and nothing that only true shows." in some.stdout


def test_a_study_that_changed_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(Path(RUNGS).read_text())
    CliRunner().invoke(app, ["run", str(mine), "--worlds", "2", "--out", str(tmp_path / "a"), "--jobs", "1"])
    mine.write_text(mine.read_text() + "\n# changed\n")
    assert "this has changed" in refusal(["confirm", str(tmp_path / "a"), "--sim", "true"])


def test_a_study_with_one_simulator_is_refused(tmp_path: Path) -> None:
    toy = str(Path(__file__).parents[1] / "campaign" / "toy.py")
    CliRunner().invoke(app, ["run", toy, "--worlds", "1", "--out", str(tmp_path / "a"), "--jobs", "1"])
    said = refusal(["confirm", str(tmp_path / "a"), "--sim", "mujoco"])
    assert "has one simulator, so there is no rung above it." in said


def test_the_bet_on_pairs_is_seldom_won_by_chance() -> None:
    """Looked at after every pair: of coins that are fair, at most one in twenty ever reaches 20."""
    rng, won = np.random.default_rng(1), 0
    table = {(more, less): evidence(more, less) for more in range(61) for less in range(61)}
    for _ in range(2000):
        heads = np.cumsum(rng.integers(0, 2, 60)).tolist()
        won += any(table[more, place + 1 - more] >= 20.0 for place, more in enumerate(heads))
    assert won / 2000 <= 0.05
    assert evidence(7, 0) > 20.0 > evidence(6, 0)


def test_the_interval_of_recall_holds_the_truth() -> None:
    rng, held = np.random.default_rng(2), 0
    trials, failing_share, hit, missed = 400, 0.3, 0.8, 0.1
    truth = failing_share * hit / (failing_share * hit + (1 - failing_share) * missed)
    for _ in range(trials):
        failing = int(rng.binomial(80, failing_share))
        values = (rng.random(failing) < hit).astype(float).tolist(), (rng.random(15) < missed).astype(float).tolist()
        found = quality_of(*values, failing=failing, passing=80 - failing).recall
        held += found is not None and found.low <= truth <= found.high
    assert held / trials >= 0.93
