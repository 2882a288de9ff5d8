"""A strategy of the user's own: run, killed, resumed, edited, and all the ways in which it can be wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.campaign import Plan, digest, load, resume, run_campaign, verify
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.search import Candidate, Evaluated, OwnStrategy, SpaceSearch, own

HERE = Path(__file__).parent
TOY, FUZZED = str(HERE / "toy.py"), str(HERE / "fuzzed.py")
CORNERS = '''
class Corners:
    """All parameters at their minimum, then all at their maximum, in turn."""

    def __init__(self, size):
        self.left = ["mM"[place % 2] for place in range(size)]

    def ask(self, n):
        asked, self.left = self.left[:n], self.left[n:]
        return asked


class Climber:
    """Ten pushes or fewer: as many as the last generation failed with, and one more. It learns."""

    def __init__(self, study, seed):
        self.told, self.asked = [], 0

    def ask(self, n):
        self.asked += 1
        pushes = min(5, sum(len(one.outcomes) for one in self.told) % 6)
        return [f"r-{pushes}-r"] * min(n, 3) if self.asked < 9 else []

    def tell(self, results):
        self.told += [one for one in results if "fail" in one.outcomes]


def yielded(seed, size, floor="wet"):
    for place in range(size):
        yield f"r-{(seed + place) % 6}-{floor}"
'''


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=6, repeats=1, keep="none"), **changes)


@pytest.fixture
def corners(tmp_path: Path) -> Path:
    path = tmp_path / "corners.py"
    path.write_text(CORNERS)
    return path


class Ends:
    """Given as a class, in Python; two worlds at a time."""

    def __init__(self, seed: int) -> None:
        self.seed, self.told, self.next = seed, 0, 0

    def ask(self, n: int) -> list[Candidate]:
        places = range(self.next, self.next + min(n, 2))
        self.next += len(places)
        return [Candidate(place, "mM"[(self.seed + place) % 2]) for place in places]

    def tell(self, results: Sequence[Evaluated]) -> None:
        self.told += len(results)


def test_a_class_is_one_argument(tmp_path: Path) -> None:
    done = run_campaign(plan(), tmp_path / "c", strategy=Ends, in_process=True)
    assert [scenario.index for scenario in done.results.scenarios] == list(range(6))
    assert {scenario.descriptor[:5] for scenario in done.results.scenarios} == {"2.0-0", "4.0-5"}
    assert done.results.plan.strategy_name == "Ends"
    assert verify(tmp_path / "c").problems == ()
    assert resume(tmp_path / "c", in_process=True).executed == 0


def test_a_function_that_yields_with_an_option(corners: Path, tmp_path: Path) -> None:
    given = OwnStrategy.of(f"{corners}:yielded", floor="dry")
    done = run_campaign(plan(worlds=4), tmp_path / "c", strategy=given, in_process=True)
    assert [one.descriptor.split("-", 1)[1] for one in done.results.scenarios] == ["1-dry", "2-dry", "3-dry", "4-dry"]


def test_one_that_ends_early_is_complete(corners: Path, tmp_path: Path) -> None:
    done = run_campaign(plan(worlds=100), tmp_path / "c", strategy=f"{corners}:Climber", in_process=True)
    assert len(done.results.scenarios) == 24
    assert done.results.wanted_runs == len(done.results.runs) == 24
    assert (done.ended, done.interrupted) == ("nothing left to propose", False)
    assert resume(tmp_path / "c", in_process=True).executed == 0


def test_killed_and_resumed_from_another_folder_it_is_the_same(corners: Path, tmp_path: Path) -> None:
    whole = run_campaign(
        plan(build="slow", worlds=30), tmp_path / "whole", strategy=f"{corners}:Climber", in_process=True
    )
    folder = tmp_path / "killed"
    words = ["run", TOY, "--build", "slow", "--worlds", "30", "--seed", "7", "--keep", "none", "--jobs", "2",
             "--no-report", "--strategy", "corners.py:Climber", "--out", str(folder)]  # fmt: skip
    script = (
        "from stressfield.campaign.loop import session; session.COMMIT_S = 0; from stressfield.cli import main; main()"
    )
    runner = subprocess.Popen([sys.executable, "-c", script, *words], cwd=tmp_path, start_new_session=True)
    for _ in range(1500):
        time.sleep(0.02)
        try:
            if len(load(folder).runs) >= 4:
                break
        except (InputError, StoreError):
            continue
    os.killpg(runner.pid, signal.SIGKILL)
    runner.wait()
    assert 0 < len(load(folder).runs) < len(whole.results.runs)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    words = ["resume", str(folder), "--no-report", "--jobs", "2"]
    again = [sys.executable, "-c", "from stressfield.cli import main; main()", *words]
    assert subprocess.run(again, cwd=elsewhere, capture_output=True, check=False).returncode in {0, 1}
    assert digest(load(folder)) == digest(whole.results)


def test_edited_it_is_not_resumed(corners: Path, tmp_path: Path) -> None:
    run_campaign(plan(), tmp_path / "c", strategy=f"{corners}:Corners", in_process=True)
    corners.write_text(CORNERS + "# edited\n")
    with pytest.raises(InputError, match=r"this has changed: the strategy's source\. Old and new results must not be"):
        resume(tmp_path / "c", in_process=True)


def test_code_is_not_taken_from_the_campaign_itself(corners: Path, tmp_path: Path) -> None:
    run_campaign(plan(), tmp_path / "c", strategy=f"{corners}:Corners", in_process=True)
    text = (tmp_path / "c" / "campaign.toml").read_text()
    (tmp_path / "c" / "campaign.toml").write_text(text.replace(str(corners), str(tmp_path / "c" / "corners.py")))
    with pytest.raises(InputError, match=r"strategy is .*, wanted a name or an absolute path outside of the campaign"):
        load(tmp_path / "c")


def test_tests_of_a_space(tmp_path: Path) -> None:
    path = tmp_path / "twice.py"
    path.write_text(
        "from stressfield.fuzz import Sampler\nfrom stressfield.search import Candidate\n"
        "from stressfield.seeds import generator\n\n\n"
        "def drawn(space, seed, template, size):\n"
        "    made, rng = Sampler(space, space.search('search')), generator(seed, 'drawn')\n"
        "    for place in range(size):\n"
        "        yield Candidate(place, template, made.sample(rng).operations)\n"
    )
    wanted = replace(plan(study=FUZZED, build="good", worlds=5), strategy=SpaceSearch(search="search"))
    done = run_campaign(wanted, tmp_path / "c", strategy=f"{path}:drawn", in_process=True)
    assert len(done.results.tests) == 5
    assert done.results.plan.strategy_name == "drawn"
    path.write_text(path.read_text().replace(".operations)", ".operations * 2)"))
    with pytest.raises(InputError, match=r"operation"):
        run_campaign(wanted, tmp_path / "d", strategy=OwnStrategy.of(_copied(path)), in_process=True)


def _copied(path: Path) -> str:
    """Under another name: a module is imported once."""
    other = path.with_name("other.py")
    other.write_text(path.read_text())
    return f"{other}:drawn"


BAD = {
    "class S:\n    def __init__(self): raise ValueError('no')": "could not be made: ValueError: no",
    "class S:\n    def ask(self, n): raise KeyError('x')": "failed in ask: KeyError: 'x'",
    "class S:\n    def ask(self, n): return 7": "did not give a list. Wanted candidates.",
    "class S:\n    def ask(self, n): return None": "did not give a list. Wanted candidates.",
    "class S:\n    def ask(self, n): return 'r-r-r'": "did not give a list. Wanted candidates.",
    "class S:\n    def ask(self, n): return ['r'] * (n + 1)": "gave more than 3 candidates. Wanted at most 3.",
    "import itertools\nclass S:\n    def ask(self, n): return itertools.repeat('r')": "gave more than 3 candidates.",
    "class S:\n    def ask(self, n): return [3.5]": "proposed 3.5, a float. Wanted a descriptor or a Candidate.",
    "class S:\n    def ask(self, n): return ['9-9-9']": "proposed '9-9-9' as candidate 0: ",
    "class S:\n    def __init__(self, wheels): pass": "wants an argument 'wheels'. There are: study, model, seed,",
    "class S: pass": "made a S, which has no ask(n).",
    "S = 3": "is a int. Wanted a class or a function.",
    "class S:\n    def ask(self, n): return ['r']\n    def tell(self, results): 1 / 0": "failed in tell: ZeroDiv",
    "class S:\n    def ask(self, n):\n        while True: pass": "gave no answer within 0.5 s. Does it end?",
    "class S:\n    def ask(self, n): return []": "The strategy S proposed nothing: its first ask(3) gave no candidate.",
    "class T: pass": "has no strategy 'S'.",
    "import nothing_of_that_name": "cannot be loaded (line 1): ModuleNotFoundError",
}


@pytest.mark.parametrize("number", range(len(BAD)), ids=list(BAD.values()))
def test_bad_strategies_get_one_clear_error(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message = list(BAD.items())[number]
    monkeypatch.setattr(own, "ANSWER_S", 0.5 if "while True" in text else 30.0)
    path = tmp_path / "bad.py"
    path.write_text(text + "\n")
    words = ["run", TOY, "--worlds", "3", "--jobs", "1", "--no-report", "--strategy", f"{path}:S"]
    with pytest.raises(SystemExit) as caught:
        main([*words, "--out", str(tmp_path / "out")])
    told = capsys.readouterr().err
    assert caught.value.code == 2
    assert message in told
    assert "Traceback" not in told


def test_a_strategy_that_hangs_is_ended_and_takes_no_processor_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(n: int) -> list[str]:
        while True:
            pass

    monkeypatch.setattr(own, "ANSWER_S", 0.2)
    before = set(threading.enumerate())
    with pytest.raises(InputError, match="gave no answer"):
        OwnStrategy(source="S")._guarded("failed", lambda: hangs(1))
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive()


def test_an_instance_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"given as a Ends\. Wanted its class, or a function"):
        run_campaign(plan(), tmp_path / "c", strategy=Ends(1), in_process=True)  # type: ignore[arg-type]
