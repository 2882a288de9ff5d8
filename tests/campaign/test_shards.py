"""A campaign in pieces: run anywhere, merged in any order, the same as one run."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.campaign import (
    Plan,
    Share,
    digest,
    find_study,
    load,
    merge_shards,
    plan_campaign,
    prepare,
    resume,
    run_campaign,
    run_shard,
    verify,
    write_shards,
)
from stressfield.campaign.ledger import LEDGER
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.machine import read_machines
from stressfield.search import OwnStrategy, SpaceSearch
from stressfield.study_code import StudyCode

HERE = Path(__file__).parent
TOY, FUZZED = str(HERE / "toy.py"), str(HERE / "fuzzed.py")


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=11, repeats=2), **changes)


def planned(folder: Path, asked: Plan, *, into: int) -> tuple[Path, ...]:
    plan_campaign(prepare(asked), folder)
    return write_shards(folder, into=into)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(run_campaign(plan(), tmp_path_factory.mktemp("whole") / "toy", in_process=True).results)


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose five shards are done."""
    folder = tmp_path_factory.mktemp("divided") / "toy"
    for piece in planned(folder, plan(), into=5):
        run_shard(piece, in_process=True)
    return folder


@pytest.fixture
def copied(divided: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(divided, tmp_path / "toy"))


@pytest.mark.parametrize(("worlds", "repeats", "into"), [(11, 2, 5), (3, 7, 5), (1, 100, 7), (20, 1, 20)])
def test_shares_are_equal_parts_of_all_runs(worlds: int, repeats: int, into: int) -> None:
    done: Counter[tuple[int, int]] = Counter()
    for number in range(into):
        share = Share(number=number, of=into, whole_worlds=worlds >= into)
        own = [(index, repeat) for index in range(worlds) for repeat in share.repeats(index, repeats)]
        assert len(own) == share.runs(worlds, repeats)
        assert len({index for index, _ in own}) == share.worlds(worlds, repeats)
        done.update(own)
    assert done == {(index, repeat): 1 for index in range(worlds) for repeat in range(repeats)}


def test_shards_merged_in_any_order_are_the_same_as_one_run(copied: Path, whole: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.move(copied / "shards", elsewhere)
    merged = merge_shards(copied, [elsewhere / name for name in "31402"])
    assert digest(merged.results) == digest(load(copied)) == whole
    assert verify(copied).problems == ()
    assert verify(copied).traces > 0
    assert sum(machine.runs for machine in read_machines(copied)) == 22
    assert merge_shards(copied, elsewhere.iterdir()).executed == 0  # again: nothing to do
    assert resume(copied, in_process=True).executed == 0


def test_few_worlds_with_many_repeats_are_divided_by_runs(tmp_path: Path) -> None:
    asked = plan(worlds=2, repeats=7)
    pieces = planned(tmp_path / "toy", asked, into=5)
    assert [run_shard(piece, in_process=True).executed for piece in pieces] == [3, 3, 3, 3, 2]
    assert all(run_shard(piece, in_process=True).executed == 0 for piece in pieces)
    merged = merge_shards(tmp_path / "toy").results
    assert digest(merged) == digest(run_campaign(asked, tmp_path / "one", in_process=True).results)


def test_a_shard_takes_the_code_of_its_study_along(tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(HERE, home, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    pieces = planned(tmp_path / "toy", plan(study=str(home / "toy.py"), worlds=2), into=2)
    shutil.rmtree(home)
    assert run_shard(pieces[0], in_process=True).executed == 2
    code = next((pieces[1] / "code").rglob("toy.py"))
    code.write_text(code.read_text() + "\n")
    with pytest.raises(InputError, match=r"This machine does not fit the shard .*: the study's source"):
        run_shard(pieces[1], in_process=True)


def test_a_strategy_of_the_users_travels_too(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "walls.py").write_text("def walls():\n    return [f'{2 + step / 4}-r-r' for step in range(5)]\n")
    asked = plan(worlds=5, strategy=OwnStrategy.of(f"{home}/walls.py:walls"))
    one = run_campaign(asked, tmp_path / "one", in_process=True).results
    pieces = planned(tmp_path / "many", asked, into=2)
    shutil.rmtree(home)
    for piece in pieces:
        run_shard(piece, in_process=True)
    many = merge_shards(tmp_path / "many").results
    assert digest(many) == digest(one)
    assert len(many.runs) == 10


def test_tests_of_a_space_are_divided_too(tmp_path: Path) -> None:
    search = SpaceSearch.of(find_study(FUZZED).testing_space(), "search", strategy="random", evaluations=12)
    asked = Plan(study=FUZZED, build="good", seed=3, worlds=0, repeats=1, strategy=search, keep="front")
    one = run_campaign(asked, tmp_path / "one", in_process=True).results
    for piece in planned(tmp_path / "many", asked, into=3):
        run_shard(piece, in_process=True)
    many = merge_shards(tmp_path / "many").results
    assert digest(many) == digest(one)
    assert many.tests == one.tests
    assert resume(tmp_path / "many", in_process=True).executed == 0  # the recordings of the front are there


def test_a_study_of_a_package_travels_with_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, info = tmp_path / "home", tmp_path / "home" / "carts-1.0.dist-info"
    info.mkdir(parents=True)
    (home / "carts").mkdir()
    (home / "carts" / "__init__.py").write_text(Path(TOY).read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: carts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[stressfield.studies]\ncarts = carts:study\n")
    monkeypatch.syspath_prepend(home)
    sent = StudyCode.of_study("carts")
    monkeypatch.setattr(sys, "path", [part for part in sys.path if part != str(home)])
    sent.write(tmp_path / "there")
    with pytest.raises(InputError, match="Unknown study 'carts'"):
        find_study("carts")
    assert sent.found_in(tmp_path / "there") == "carts"
    sent.check("carts", where="here")
    assert find_study("carts").name == find_study(TOY).name
    (tmp_path / "there" / "carts" / "__init__.py").write_text("study = 1")
    with pytest.raises(InputError, match=r"'carts' is another one on node n: .* wanted [0-9a-f]{12}\. Install"):
        sent.check("carts", where="on node n")
    assert StudyCode.of_study("oz").files == {}  # it came with stressfield


def test_another_version_is_refused(copied: Path) -> None:
    path = copied / "shards" / "2" / "campaign.toml"
    path.write_text(path.read_text().replace("numpy = ", 'numpy = "1.0"\nwas = '))
    with pytest.raises(InputError, match=r"does not fit the shard .*numpy \(1.0 before"):
        run_shard(path.parent, in_process=True)
    with pytest.raises(InputError, match=r"is a shard of another campaign .*numpy"):
        merge_shards(copied)


def test_a_shard_of_another_campaign_is_refused(copied: Path, tmp_path: Path) -> None:
    other = planned(tmp_path / "other", plan(seed=8), into=5)[0]
    with pytest.raises(InputError, match=r"'.*other/shards/0' is a shard of another campaign .*\(different: seed\)"):
        merge_shards(copied, [other])
    assert not (copied / LEDGER).exists()
    with pytest.raises(InputError, match="is a whole campaign, no shard"):
        merge_shards(copied, [copied])


def test_missing_and_unfinished_shards_are_told(copied: Path, whole: str) -> None:
    shards = copied / "shards"
    with pytest.raises(InputError, match=r"Missing: shards 1, 4\."):
        merge_shards(copied, [shards / name for name in "023"])
    (shards / "4" / LEDGER).unlink()
    with pytest.raises(
        InputError, match=r"The shard '.*/4' has not been run\. Run it with: stressfield run-shard .*/4"
    ):
        merge_shards(copied)
    part = merge_shards(copied, [shards / name for name in "0123"], partial=True).results
    assert 0 < len(part.runs) < part.wanted_runs == 22
    run_shard(shards / "4", in_process=True)
    assert digest(merge_shards(copied).results) == whole


def test_a_shard_that_was_run_twice_must_have_come_out_the_same(copied: Path, whole: str, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    shutil.copytree(copied / "shards" / "0", twin)
    pieces = [*(copied / "shards").iterdir(), twin]
    shutil.copytree(copied, tmp_path / "again")
    assert digest(merge_shards(tmp_path / "again", pieces).results) == whole
    other = load(twin).runs[0]

    with sqlite3.connect(twin / LEDGER) as db:
        db.execute("UPDATE runs SET digest = 'other' WHERE id = ?", (other.run.id,))
    with pytest.raises(StoreError, match=f"Run {other.run.id} of '.*twin' was done twice, with different results"):
        merge_shards(copied, pieces)


def test_a_damaged_trace_is_not_taken(copied: Path) -> None:
    trace = next((copied / "shards").rglob("*.mcap"))
    trace.write_bytes(trace.read_bytes()[:-40])
    with pytest.raises(StoreError, match=rf"The shard .* is damaged: run {trace.stem}: .*Copy or run it again"):
        merge_shards(copied)


def test_what_cannot_be_divided_is_told(divided: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not empty\. Delete it"):
        write_shards(divided, into=2)
    with pytest.raises(InputError, match=r"The campaign has 22 runs, got --into 23\. Wanted 1 to 22"):
        write_shards(divided, into=23, out=tmp_path / "x")
    with pytest.raises(InputError, match="is itself shard 3"):
        write_shards(divided / "shards" / "3", into=2)
    run_campaign(plan(worlds=2), tmp_path / "begun", in_process=True)
    with pytest.raises(InputError, match="has 4 runs already"):
        write_shards(tmp_path / "begun", into=2)
    with pytest.raises(InputError, match="is a whole campaign, no shard"):
        run_shard(tmp_path / "begun")


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], whole: str) -> None:
    def call(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        both = capsys.readouterr()
        return int(caught.value.code or 0), both.out + both.err

    folder = tmp_path / "toy"
    asked = ("run", TOY, "--build", "late", "--seed", "7", "--worlds", "11", "--repeats", "2", "--out", folder)
    code, said = call(*asked, "--plan-only")
    assert (code, "11 worlds x 2" in said) == (0, True)
    assert call("shard", folder, "--into", "2")[0] == 0
    assert call("merge", folder)[0] == 2
    for number in (1, 0):
        code, said = call("run-shard", folder / "shards" / str(number), "--jobs", "1")
        assert (code, f"Shard {number} of 2: {(12, 10)[number]} runs are done." in said) == (0, True)
    code, said = call("merge", folder)
    assert code == 1
    assert (folder / "report.html").exists()
    assert digest(load(folder)) == whole
    code, said = call("search", FUZZED, "search", "--plan-only", "--out", tmp_path / "fuzzed")
    assert code == 0, said
    code, said = call("shard", tmp_path / "fuzzed", "--into", "2")
    assert (code, "learns from all that was found before" in said) == (2, True)
