"""On the command line: accept, run with it, and get the same runs again; and the noise floor of simulators."""

from __future__ import annotations

import json
import sys
from itertools import combinations
from math import inf
from pathlib import Path

import numpy as np
import pytest
from tests.bridge.stand_in import StandIn

from stressfield.analysis import wilson
from stressfield.calibration import calibrated_options, read_calibration
from stressfield.calibration.noise import _differing, _mean, _Pair
from stressfield.campaign import load
from stressfield.campaign.folder import read_plan
from stressfield.cli.main import main
from stressfield.errors import InputError
from stressfield.plugins import find_study

NOISY = '''
import time
import numpy as np
import stressfield as sf
from stressfield.sim.kinematic import KinematicSimulator
sys_rng = np.random.default_rng()  # on purpose: another one in every process and every run

class Flat(sf.Element):
    """A cart on a floor."""
    size: int = sf.integer(1, 9)

def build(flat, rng):
    world = sf.World.flat(50.0, 50.0).with_robot("cart", sf.robots.diff_drive(), at=(25.0, 25.0))
    return sf.Scenario(world, sf.Mission(limit_s=5.0))

class Ahead(sf.Node):
    name = "ahead"
    def __init__(self, scenario): ...
    def setup(self, link):
        self.link = link
        link.every(0.1, self.command)
    def command(self):
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.5, 0.0))

class Shaky:
    """Opens a session with a seed of its own: the odd simulator that does not do what it is told."""
    def open(self, scenario, *, seed):
        session = KinematicSimulator().open(scenario, seed=seed)
        session.place.state[0, 0] += sys_rng.normal(0.0, 0.05)
        return session

study = sf.Study("shaky", model=Flat, build=build, subject=Ahead, oracle=sf.Oracle(()),
                 simulator={"kinematic": KinematicSimulator, "shaky": Shaky})
'''


def _run(*words: str) -> int:
    try:
        main([str(word) for word in words])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_nothing_is_written_that_nobody_accepted(
    course: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "calibration.toml"
    assert _run("calibrate", course, str(bag), "--out", str(out)) == 0
    assert not out.exists()
    assert "Nothing is accepted." in capsys.readouterr().out
    assert "cart.drive.speed_gain" in out.with_suffix(".html").read_text()


def test_accepted_constants_are_a_part_of_the_name_of_every_run(
    course: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, runs = tmp_path / "calibration.toml", tmp_path / "runs"
    accept = "cart.drive.speed_gain,cart./odom.distance_scale"
    assert _run("calibrate", course, str(bag), "--accept", accept, "--out", str(out), "--json", "--no-report") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["accepted"] == accept.split(",")
    content = read_calibration(out)
    assert [each.name for each in content.constants] == accept.split(",")
    (recording,) = content.recordings
    assert recording.began == "2026-03-01 12:00:00 UTC"
    assert len(recording.sha256) == 64
    words = ("run", course, "--worlds", "1", "--without", "alive", "--with", "finished", "--no-report", "--keep", "all")
    assert _run(*words, "--calibration", str(out), "--out", str(runs)) == 0
    assert _run(*words, "--out", str(tmp_path / "plain")) == 0
    plan, _ = read_plan(runs)
    assert plan.options == {each.name: each.value for each in content.constants}
    ids = [{judged.run.id for judged in load(folder).runs} for folder in (runs, tmp_path / "plain")]
    assert not ids[0] & ids[1]
    assert _run("verify", str(runs)) == 0
    assert _run("replay", str(runs), next(iter(ids[0]))) == 0
    assert _run("resume", str(runs), "--no-report") == 0


def test_a_twin_with_the_calibration_is_nearer_to_the_robot(
    course: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "calibration.toml"
    assert _run("calibrate", course, str(bag), "--accept", "all", "--out", str(file), "--no-report") == 0
    off = []
    for folder, more in (("as-it-is", ()), ("calibrated", ("--calibration", str(file)))):
        words = ("twin", course, "--source", str(bag), "--rate", "0", "--out", str(tmp_path / folder), *more)
        capsys.readouterr()
        _run(*words, "--json", "--no-report")
        windows = json.loads(capsys.readouterr().out)["residuals"]
        off.append(float(np.median([abs(window["pose ahead"]) for window in windows if "pose ahead" in window])))
    # It drives at 93 % of what the study knows, and later.
    assert off[0] > 0.07
    assert off[1] < 0.6 * off[0]
    assert _run("twin", "oz", "--source", str(bag), "--calibration", str(file)) == 2
    assert "is of study 'course', not of 'oz'" in capsys.readouterr().err


def test_a_calibration_of_another_study_is_refused(course: str, bag: Path, tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    assert _run("calibrate", course, str(bag), "--accept", "all", "--out", str(out), "--no-report") == 0
    with pytest.raises(InputError, match="is of study 'course', not of 'oz'"):
        calibrated_options(out, find_study("oz"), {})
    with pytest.raises(InputError, match=r"cart\.drive\.lag_s is in --option and in the calibration"):
        calibrated_options(out, find_study(course), {"cart.drive.lag_s": 0.1})
    assert _run("calibrate", course, str(bag), "--accept", "all", "--out", str(out)) == 2  # it is there already


@pytest.mark.parametrize(
    ("text", "said"),
    [("no toml [", "does not fit"), ("study = 'course'", "does not fit"), ("", "does not fit")],
)
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_calibration(path)


EDITED = {
    # what somebody did to the file by hand: which text becomes which, and what is said
    "unknown constant": ("cart.drive.speed_gain", "cart.drive.speed_gian", "Did you mean 'speed_gain'?"),
    "value nan": ("value = 0.9", "value = nan", "has cart.drive.speed_gain with value = nan. Wanted a finite number"),
    "low inf": ("low = 0.8", "low = -inf", "has cart.drive.speed_gain with low = -inf. Wanted a finite number"),
    "a word": ("value = 0.9", 'value = "fast"', "Expected `float`, got `str`"),
    "refused by the drive": ("value = 0.9", "value = -5.0", "has speed_gain -5.0; wanted 0 or more"),
    "twice": ("[[constants]]", "[[constants]]{same}[[constants]]", "has cart.drive.speed_gain twice"),
    "another format": ("format = 1", "format = 9", "has format 9, wanted 1"),
}


@pytest.mark.parametrize("case", EDITED)
def test_a_calibration_that_was_edited_by_hand_is_looked_at(
    case: str, course: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = '\nname = "cart.drive.speed_gain"\nvalue = 0.9\nlow = 0.8\nhigh = 1.0\nbefore = 1.0\n'
    whole = (
        'format = 1\nstudy = "course"\nrobot = "cart"\nstressfield = "0.1.0"\nwindows = 30\nwindow_s = 5.0\n'
        f"held_out_error_before_m = 0.2\nheld_out_error_after_m = 0.1\n\n[[constants]]{same}"
    )
    old, new, said = EDITED[case]
    assert old in whole
    path, out = tmp_path / "calibration.toml", tmp_path / "runs"
    for words in (("run", course, "--worlds", "1", "--out", str(out)), ("noise", course)):
        path.write_text(whole.replace(old, new.format(same=same)))
        assert _run(*words, "--calibration", str(path)) == 2
        told = capsys.readouterr().err
        assert said in told, told
        assert "Traceback" not in told


def test_bad_words_are_told(course: str, bag: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("calibrate", course, str(bag), "--accept", "cart.drive.speed_gian", "--no-report") == 2
    assert "Did you mean 'cart.drive.speed_gain'" in capsys.readouterr().err
    assert _run("calibrate", course, str(bag), "--know", "slip") == 2
    assert "Wanted NAME=VALUE" in capsys.readouterr().err
    assert _run("calibrate", course, str(bag), "--know", "0.05") == 2
    assert "There is no constant '' in this world. It has those of: " in capsys.readouterr().err
    for value, said in (("0", "Wanted more than zero"), ("nan", "cannot be nan")):
        assert _run("calibrate", course, str(bag), "--know", f"cart./odom.distance_scale={value}") == 2
        assert said in capsys.readouterr().err
    assert _run("calibrate", course, str(bag), "--know", "cart.drive.slip=5") == 2
    assert "has slip 5.0; wanted 0 to 1" in capsys.readouterr().err
    assert _run("calibrate", course, str(bag), "--accept", ", ") == 2
    assert "names nothing" in capsys.readouterr().err
    assert _run("calibrate", course, "nowhere") == 2
    assert _run("calibrate", course, str(bag), "--robot", "other") == 2
    assert "The study has: cart" in capsys.readouterr().err


def test_a_file_that_is_in_the_way_is_told_before_anything_is_asked(
    course: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (out := tmp_path / "calibration.toml").write_text("mine")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert _run("calibrate", course, str(bag), "--out", str(out)) == 2
    told = capsys.readouterr()
    assert "is there already. Give another --out, or --overwrite" in told.err
    assert "Accept" not in told.out
    assert out.read_text() == "mine"


def test_a_constant_that_is_none_leaves_no_campaign_in_the_way(course: str, tmp_path: Path) -> None:
    words = ("run", course, "--worlds", "1", "--template", "60.0", "--no-report", "--out", str(tmp_path / "a"))
    assert _run(*words, "--option", "cart.drive.nonsense=1") == 2
    assert _run(*words, "--option", "cart.drive.lag_s=-1") == 2
    assert _run(*words, "--option", "cart.drive.lag_s=0.2") == 0
    assert len(load(tmp_path / "a").runs) == 1


def test_our_simulators_have_no_noise_and_a_shaky_one_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "shaky.py"
    study.write_text(NOISY)
    words = ("noise", str(study), "--worlds", "2", "--repeats", "4", "--json")
    assert _run(*words) == 0
    ours = json.loads(capsys.readouterr().out)
    assert ours["identical"]
    assert ours["apart_m"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert ours["verdicts"]["differing"] == 0
    assert _run(*words, "--sim", "shaky") == 0
    shaky = json.loads(capsys.readouterr().out)
    assert not shaky["identical"]
    # Two normal numbers of 0.05 m are 0.056 m apart on average; two worlds give no more than a rough figure.
    assert 0.01 < shaky["apart_m"]["value"] < 0.25
    assert shaky["apart_m"]["low"] <= shaky["apart_m"]["value"] <= shaky["apart_m"]["high"]
    assert _run("noise", str(study), "--repeats", "1") == 2
    assert _run("noise", str(study), "--sim", "shakey") == 2
    sys.modules.pop("shaky", None)


GRAPH = """
import stressfield as sf
from stressfield.sim.external import Direction, ExternalSimulator, Interposition

class Trial(sf.Element):
    \'\'\'One drive.\'\'\'
    number: int = sf.integer(1, 9)

def build(trial, rng):
    world = sf.World.flat(20.0, 12.0).with_robot("mower", sf.robots.diff_drive(), at=(1.0, 6.0))
    return sf.Scenario(world, sf.Mission(limit_s=1.0))

def simulator():
    relay = Interposition("/cmd_vel", sf.messages.Twist, Direction.INBOUND)
    return ExternalSimulator(url={url!r}, observed={{"/pose": sf.messages.PoseStamped}}, interposed=(relay,),
                             truth={{"mower": "/pose"}}, max_lag_s=20.0, ready_timeout_s=5.0)

study = sf.Study("attached", model=Trial, build=build, subject=lambda scenario: [], oracle=sf.Oracle(()),
                 simulator=simulator, timing=sf.Timing(topic_default=sf.Latency()))
"""


def test_a_simulator_that_is_attached_has_a_noise_floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The stand-in is not set back between runs: each begins where the one before has ended."""
    study = tmp_path / "attached.py"
    with StandIn() as graph:
        graph.sim()
        study.write_text(GRAPH.format(url=graph.url).replace("\\'", "'"))
        assert _run("noise", str(study), "--worlds", "1", "--repeats", "3", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert not found["identical"]
    assert found["invalid"] == 0
    assert found["apart_m"]["value"] > 0.05
    assert found["apart_m"]["low"] <= found["apart_m"]["value"] < found["apart_m"]["high"]
    assert _run("noise", str(study), "--worlds", "1", "--repeats", "2") == 3  # nobody is there any more
    assert "No rosbridge server answers" in capsys.readouterr().err


@pytest.mark.parametrize(("worlds", "runs"), [(1, 5), (3, 4), (5, 3)])
def test_the_interval_of_a_noise_floor_holds_the_truth(worlds: int, runs: int) -> None:
    """Runs that are normally about one place, by 0.05 m: two of them are 0.0564 m apart on average."""
    rng, held, tried = np.random.default_rng(worlds), 0, 200
    for _ in range(tried):
        places = rng.normal(0.0, 0.05, (worlds, runs))
        pairs = [
            _Pair(world, (a, b), abs(places[world, a] - places[world, b]), 0.0, 0, 1)
            for world in range(worlds) for a, b in combinations(range(runs), 2)
        ]  # fmt: skip
        found = _mean(pairs, "apart_m", rng)
        held += found.low <= 0.1 / np.sqrt(np.pi) <= found.high
    assert held > 0.85 * tried


def test_one_pair_of_runs_does_not_say_how_much_others_would_differ() -> None:
    found = _mean([_Pair(0, (0, 1), 0.2, 0.0, 0, 1)], "apart_m", np.random.default_rng(0))
    assert (found.value, found.low, found.high) == (0.2, 0.0, inf)


def test_the_interval_of_differing_verdicts_is_of_runs_and_not_of_pairs() -> None:
    """Ten runs have 45 pairs, of which no more than nine share no run."""
    found = _differing([_Pair(0, ends, 0.0, 0.0, 0, 2) for ends in combinations(range(10), 2)])
    assert (found.count, found.total) == (0, 90)
    assert found.high == pytest.approx(wilson(0, 18).high)
