"""How commands end when a robot, a property or a study breaks, or nothing was judged: words and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stressfield.cli import main

STUDY = '''
import stressfield as sf
from stressfield.seeds import generator


class Toy(sf.Element):
    """A robot on an empty plane."""

    speed_mps: float = sf.real(0.1, 0.5, unit="m/s")
    load: int = sf.integer(0, 9)


def build(toy, rng):
    BUILD
    world = sf.World.flat(10.0, 4.0).with_robot("toy", sf.robots.diff_drive(), at=(1.0, 2.0))
    return sf.Scenario(world, sf.Mission.reach((9.0, 2.0), within_s=0.5))


class Driver(sf.Node):
    name = "driver"

    def __init__(self, scenario):
        self.toy = Toy.create_from_descriptor(scenario.descriptor, generator(0))

    def setup(self, link):
        self.link = link
        link.every(0.1, self.drive)

    def drive(self):
        ROBOT
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(self.toy.speed_mps, 0.0))


oracle = sf.Oracle("toy")


@oracle.property("slow", sf.MOVEMENT_THRESHOLD, "Drives at 1 m/s at most")
def slow(run):
    PROPERTY
    return sf.always(run.speed("toy") <= 1.0)


def metric(run):
    METRIC
    return 1.0


study = sf.Study("toy", model=Toy, build=build, subject=Driver, oracle=oracle, metrics={"m": metric})
'''

Call = Callable[..., tuple[int, str, str]]


def study(folder: Path, name: str = "toy.py", **parts: str) -> Path:
    text = STUDY
    for part in ("BUILD", "ROBOT", "PROPERTY", "METRIC"):
        text = text.replace(part, parts.get(part.lower(), "pass"))
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def ran(stressfield: Call, tmp_path: Path) -> Call:
    """Runs four worlds of a study with these parts, into a folder of that name."""

    def run(name: str, *more: object, **parts: str) -> tuple[int, str, str]:
        path = study(tmp_path, f"{name}.py", **parts)
        return stressfield(
            "run",
            path,
            "--worlds",
            4,
            "--out",
            tmp_path / name,
            "--jobs",
            1,
            "--no-report",
            "--run-timeout-s",
            5,
            "--profile",
            "published",  # the toy never reports: what every study is asked for is switched off
            *more,
        )

    return run


# a crash is a finding -------------------------------------------------------------------------------------------


def test_two_crashes_are_two_findings_with_their_lines_and_can_be_replayed_and_shrunk(
    ran: Call, stressfield: Call, tmp_path: Path
) -> None:
    code, out, _ = ran(
        "two",
        robot="1 / (self.toy.load > 4)\n        [].pop()",
    )
    folder = tmp_path / "two"
    assert code == 1
    lines = (tmp_path / "two.py").read_text().splitlines()
    first, second = (number for number, line in enumerate(lines, 1) if "1 / (" in line or "[].pop()" in line)
    assert f"crash   ZeroDivisionError at two.py:{first}" in out
    assert f"crash   IndexError at two.py:{second}" in out
    assert "off" not in out
    code, out, _ = stressfield("results", folder, "--json")
    results = json.loads(out)
    assert code == 3, "nothing was judged"
    assert [finding["id"] for finding in results["findings"]] == ["F1", "F2"]
    assert {finding["property"] for finding in results["findings"]} == {"crash"}
    assert results["properties"][0]["active"], "a property is not off because runs crashed"
    crashes = [run["crash"] for run in results["runs"]]
    assert {crash["kind"] for crash in crashes} == {"ZeroDivisionError", "IndexError"}
    assert all("two.py" in crash["traceback"] and "bus.py" not in crash["traceback"] for crash in crashes)
    zero = next(f["id"] for f in results["findings"] if f["subcase"].startswith("Zero"))
    code, out, _ = stressfield("replay", folder, zero)
    assert code == 0
    assert "1 / (self.toy.load > 4)" in out
    assert "identical, bit for bit" in out
    code, out, _ = stressfield("shrink", folder, zero, "--tests", 20, "--confirm", 2, "--jobs", 1, "--no-report")
    assert code == 0
    assert "confirmed: fails in the same way in 2 of 2 runs" in out
    assert "after:   0 values off the simplest" in out


def test_a_crash_in_some_worlds_says_when_and_the_page_shows_it(ran: Call, stressfield: Call, tmp_path: Path) -> None:
    code, out, _ = ran("some", "--worlds", 30, robot="1 / (self.toy.load > 4)")
    assert code == 1
    assert "F1   crash   ZeroDivisionError at some.py:" in out
    assert "mostly when load" in out
    assert "Nothing was judged" not in out
    code, _, _ = stressfield(
        "report", tmp_path / "some", "--junit", tmp_path / "junit.xml", "--summary", tmp_path / "summary.md"
    )
    assert code == 0
    page = (tmp_path / "some" / "report.html").read_text()
    assert "The robot software crashed or hung in " in page
    assert "stressfield replay" in page
    assert "not judged in this campaign" not in page
    assert '<failure type="crash" message="crash: Node' in (tmp_path / "junit.xml").read_text()
    assert "**crash: ZeroDivisionError at some.py:" in (tmp_path / "summary.md").read_text()


def test_a_hang_is_a_finding_and_a_failure_of_the_build(ran: Call, stressfield: Call, tmp_path: Path) -> None:
    code, out, _ = ran("hung", "--worlds", 2, "--run-timeout-s", 1, robot="while self.toy.load >= 0:\n            pass")
    assert code == 1
    assert "2 hung" in out
    assert "F1   hang" in out
    stressfield("report", tmp_path / "hung", "--junit", tmp_path / "junit.xml")
    assert '<failure type="hang" message="hang: Still running' in (tmp_path / "junit.xml").read_text()


def test_a_known_crash_is_known_by_its_line_or_by_its_name(ran: Call, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    issue = '[[issue]]\nstudy = "toy"\nproperty = "crash"\n{}reason = "ticket 7"\nexpires = 2099-01-01\n'
    known.write_text(issue.format('subcase = "KeyError at elsewhere.py:3"\n'))
    robot = "1 / (self.toy.load > 4)"
    code, out, _ = ran("a", "--known-issues", known, robot=robot)
    assert code == 1
    assert "unseen:   crash: KeyError at elsewhere.py:3" in out
    known.write_text(issue.format(""))
    code, out, _ = ran("b", "--known-issues", known, robot=robot)
    assert code == 0
    assert "known:    F1 crash, until 2099-01-01: ticket 7" in out


# nothing judged is not clean ------------------------------------------------------------------------------------


def test_where_all_is_inconclusive_nothing_ends_with_zero(ran: Call, stressfield: Call, tmp_path: Path) -> None:
    code, out, _ = ran("silent", property="return None")
    folder = tmp_path / "silent"
    told = "Nothing was judged: 4 runs, all inconclusive (slow in 4 of them). Next: stressfield results"
    assert (code, told in out) == (3, True)
    for command in (("results", folder), ("report", folder), ("check", folder), ("resume", folder)):
        code, out, _ = stressfield(*command)
        assert (command[0], code, told in out) == (command[0], 3, True)
    code, out, _ = stressfield("results", folder, "--json")
    assert (code, json.loads(out)["judged_runs"]) == (3, 0)
    assert "passed 0 of 4" not in (folder / "report.html").read_text()


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_campaign_without_an_active_property_is_refused(
    command: str, ran: Call, stressfield: Call, tmp_path: Path
) -> None:
    if command == "run":
        code, _, err = ran("none", "--without", "slow")
        assert not (tmp_path / "none").exists()
    else:
        ran("some")
        code, _, err = stressfield("check", tmp_path / "some", "--without", "slow")
    assert code == 2
    assert (
        "No property of study 'toy' is on, so nothing would be judged. It has: slow, finished, alive. Switch one on"
        in err
    )


# errors of the study name it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"property": "{}['x']"}, "Property 'slow' crashed: KeyError: 'x' (broken.py:"),
        ({"property": "raise SystemExit(4)"}, "Property 'slow' crashed: SystemExit: 4 (broken.py:"),
        ({"build": "toy.sped"}, "The build function of study 'toy' crashed: AttributeError: "),
        ({"build": "sf.robots.dif_drive()"}, "The build function of study 'toy' crashed: AttributeError: "),
    ],
)
def test_what_the_study_breaks_is_named_with_its_line(ran: Call, part: dict[str, str], told: str) -> None:
    code, out, _ = ran("broken", **part)
    assert code == (2 if "build" in part else 3)  # no world can be built from that: it is what was given
    assert f"Nothing was judged: 4 runs, all invalid. {told}" in out
    assert "(broken.py:" in out
    assert "Next: mend it, then the same command with --overwrite" in out
    assert "Traceback" not in out


def test_a_study_of_which_no_world_can_be_is_bad_input(ran: Call) -> None:
    code, out, _ = ran("broken", build="sf.World.from_map('nowhere.yaml')")
    assert code == 2
    assert "Nothing was judged: 4 runs, all invalid. " in out
    assert "Next: mend it, then the same command with --overwrite" in out


def test_debug_prints_the_traceback_of_runs(ran: Call, stressfield: Call, tmp_path: Path, monkeypatch) -> None:
    ran("broken", property="{}['x']")
    assert "{}['x']" not in stressfield("results", tmp_path / "broken")[1]
    monkeypatch.setenv("STRESSFIELD_DEBUG", "")  # restored afterwards
    out = stressfield("--debug", "results", tmp_path / "broken")[1]
    assert 'broken.py", line ' in out
    assert "    {}['x']" in out


def test_a_metric_that_raises_names_its_line(ran: Call) -> None:
    code, out, _ = ran("metric", metric="1 / 0")
    assert code == 0
    assert "4 x  ZeroDivisionError: division by zero (metric.py:" in out


def test_a_property_that_gives_something_else_stops_the_campaign(ran: Call) -> None:
    code, _, err = ran("wrong", property='return run.speed("toy")')
    assert code == 2
    assert "Property 'slow' cannot be judged: it gave Signal" in err
    assert "(wrong.py:" in err


def test_an_error_of_the_users_code_in_another_command_is_not_called_internal(
    stressfield: Call, tmp_path: Path
) -> None:
    path = study(tmp_path, "broken.py", build="toy.sped")
    code, _, err = stressfield("generate", path, "--out", tmp_path / "worlds")
    assert code == 2
    assert "Your own code raised AttributeError at broken.py:" in err
    assert "Internal error" not in err


# compare --------------------------------------------------------------------------------------------------------


def test_compare_refuses_what_says_nothing(ran: Call, stressfield: Call, tmp_path: Path) -> None:
    ran("good")
    ran("crashes", robot="1 / 0")
    ran("silent", property="return None")
    other = (tmp_path / "good.py").read_text().replace('sf.Study("toy"', 'sf.Study("other"')
    (tmp_path / "other.py").write_text(other)
    stressfield("run", tmp_path / "other.py", "--worlds", 4, "--out", tmp_path / "other", "--jobs", 1, "--no-report")
    code, out, _ = stressfield("compare", tmp_path / "good", tmp_path / "crashes")
    assert code == 1
    assert "Worse: no run of the second campaign was judged, and the robot software crashed or hung in 4 of 4" in out
    for pair in (("good", "silent"), ("silent", "good"), ("silent", "silent")):
        code, out, _ = stressfield("compare", *(tmp_path / name for name in pair))
        assert (pair, code) == (pair, 3)
        assert "says nothing. Nothing was judged: 4 runs, all inconclusive" in out
    code, _, err = stressfield("compare", tmp_path / "good", tmp_path / "other")
    assert code == 2
    assert "Cannot compare two studies: " in err
    assert stressfield("compare", tmp_path / "good", tmp_path / "good")[0] == 0
