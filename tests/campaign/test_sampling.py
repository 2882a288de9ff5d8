"""``--keep failing:N``: recordings of the first runs of each finding, whoever does the runs and in which order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from stressfield._files import store
from stressfield.campaign import (
    Plan,
    Results,
    digest,
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
from stressfield.cli import main
from stressfield.errors import InputError
from stressfield.run import Finished, Task, perform
from stressfield.trace.keep import Keep, KeepPolicy
from stressfield.workers.sampling import findings_of

TOY = str(Path(__file__).parent / "toy.py")
KEPT = 2


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=40, repeats=2, keep=f"failing:{KEPT}"), **changes)


def wanted(results: Results) -> set[str]:
    """By the definition, from all results."""
    seen: dict[object, int] = {}
    found = set()
    for judged in results.runs:
        for finding in findings_of(judged):
            seen[finding] = seen.get(finding, 0) + 1
            if seen[finding] <= KEPT:
                found.add(judged.run.id)
    return found


def kept(results: Results) -> set[str]:
    files = {path.stem for path in (Path(results.folder) / "traces").iterdir()}
    rows = {judged.run.id for judged in results.runs if judged.run.trace_file is not None}
    assert files == rows
    return rows


class Shuffled:
    """Finishes runs in an order of its own, some at a time; stops after so many."""

    def __init__(self, seed: int, *, most: int = 10**6) -> None:
        self._rng, self._most = random.Random(seed), most

    def run(self, tasks: Iterable[Task], stop: object = None) -> Iterator[list[Finished]]:
        del stop
        waiting, done = iter(tasks), 0
        under_way: list[Task] = []
        while True:
            under_way += list(islice(waiting, 7 - len(under_way)))
            if not under_way or done >= self._most:
                return
            task = under_way.pop(self._rng.randrange(len(under_way)))
            done += 1
            yield [perform(task)]

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_campaign(plan(), tmp_path_factory.mktemp("whole") / "toy", in_process=True).results


def test_of_each_finding_the_first_runs_of_the_plan(whole: Results, tmp_path: Path) -> None:
    failing = {judged.run.id for judged in whole.runs if judged.failures}
    assert kept(whole) == wanted(whole)
    assert 0 < len(kept(whole)) < len(failing)
    assert verify(whole.folder).problems == ()
    every = run_campaign(plan(keep="failing"), tmp_path / "all", in_process=True).results
    assert digest(every) == digest(whole)
    assert kept(every) == failing


@pytest.mark.parametrize("seed", range(4))
def test_the_order_in_which_runs_end_does_not_matter(whole: Results, tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "toy"
    run_campaign(plan(), folder, executor=Shuffled(seed, most=33))
    done = resume(folder, executor=Shuffled(seed + 100)).results
    assert kept(done) == kept(whole)
    assert digest(done) == digest(whole)


def test_workers_and_shards_keep_the_same(whole: Results, tmp_path: Path) -> None:
    assert kept(run_campaign(plan(), tmp_path / "two", jobs=2).results) == kept(whole)
    plan_campaign(prepare(plan()), tmp_path / "pieces")
    pieces = write_shards(tmp_path / "pieces", into=3)
    for piece in pieces:
        run_shard(piece, in_process=True)
        assert len(kept(load(piece))) > 0
    merged = merge_shards(tmp_path / "pieces", [pieces[number] for number in (2, 0, 1)]).results
    assert kept(merged) == kept(whole)
    assert digest(merged) == digest(whole)
    assert verify(tmp_path / "pieces").problems == ()


def test_in_a_store_as_well(whole: Results, tmp_path: Path) -> None:
    place = (tmp_path / "bucket").as_uri()
    done = run_campaign(plan(storage=place), tmp_path / "toy", executor=Shuffled(3)).results
    names = {name.removesuffix(".mcap") for name in store.names(f"{place}/traces")}
    assert names == kept(whole)
    assert {judged.run.id for judged in done.runs if judged.run.trace_file is not None} == names


def test_a_recording_that_should_be_there_is_missed(tmp_path: Path) -> None:
    results = run_campaign(plan(), tmp_path / "toy", in_process=True).results
    victim = sorted(kept(results))[0]
    (tmp_path / "toy" / "traces" / f"{victim}.mcap").unlink()
    assert [problem.run_id for problem in verify(tmp_path / "toy").problems] == [victim]


def test_policies_are_read() -> None:
    assert KeepPolicy.of("failing:10") == KeepPolicy(Keep.FAILING, 10)
    assert KeepPolicy.of("all") == KeepPolicy(Keep.ALL)
    for wrong in ("failing:", "failing:0", "failing:-1", "failing:ten", "all:3", "some", "failing:10 per finding"):
        with pytest.raises(ValueError, match=r"wanted a number of runs a finding|is not a valid Keep"):
            KeepPolicy.of(wrong)


def test_a_policy_that_does_not_exist_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"Unknown policy keep='failing:0'\. There are: all, failing, failing:N, none"):
        run_campaign(plan(keep="failing:0"), tmp_path / "toy", in_process=True)
    with pytest.raises(SystemExit) as caught:
        main(["run", TOY, "--keep", "failng:3", "--out", str(tmp_path / "toy")])
    assert caught.value.code == 2
    assert "Unknown policy keep='failng:3'" in capsys.readouterr().err
