"""The experiments of the study on another model: all series, resumable, with levels, trends and a report."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.studies.mana.plain import PROGRAMMES

from stressfield.campaign import ExperimentContext, Progress, Silence, load
from stressfield.cli import main
from stressfield_studies.mana.series import ProgrammeResults, run_series

BOTH = PROGRAMMES[0]

PLAIN = str(Path(__file__).parent / "plain.py")


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("experiments") / "plain"
    with pytest.raises(SystemExit) as caught:
        main(["experiment", PLAIN, "both", "--quick", "--out", str(place), "--jobs", "2"])
    assert not caught.value.code
    return place


def test_every_series_is_a_campaign_of_its_own(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "bogs", "bogs-careless", "levels.csv", "posts", "report.html", "report.md",
    ]  # fmt: skip
    right, careless = load(folder / "bogs"), load(folder / "bogs-careless")
    assert len(right.runs) == 5 * 2 * 2
    assert right.scenarios == careless.scenarios, "both builds are tried on the same maps"
    assert [one.descriptor for one in right.scenarios[:3]] == ["0.0-0.0", "2.0-0.0", "4.0-0.0"]


def test_metrics_and_tracks_are_kept_without_recordings(folder: Path) -> None:
    judged = load(folder / "bogs").runs[0]
    assert judged.run.trace_file is None
    assert judged.metrics["collided"] == 0.0
    assert judged.track is not None
    assert judged.track.points.shape == (int(judged.run.simulated_s) + 1, 2)
    assert judged.track.points[-1, 0] > 11.0


def test_called_again_it_runs_nothing_and_says_the_same(stressfield, folder: Path) -> None:
    before = (folder / "report.html").read_bytes()
    code, out, _ = stressfield("experiment", PLAIN, "both", "--quick", "--out", folder)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == [
        "series",
        "levels",
        "easy",
        "until",
        "very",
        "difficult",
        "from",
        "runs",
        "success",
        "collisions",
    ]
    assert lines[1].split()[:2] == ["bogs", lines[1].split()[1]]
    assert len(lines[1].split()[1]) == 5
    assert "Bogs make it difficult." in out
    assert "not tested: Something else. Not looked for: unknown is not part of this experiment." in out
    assert "part first in the place at" in out
    assert "runs in" not in out, "nothing was run"
    assert str(folder / "report.html") in out
    assert (folder / "report.html").read_bytes() == before


def test_json(stressfield, folder: Path) -> None:
    code, out, _ = stressfield("experiment", PLAIN, "both", "--quick", "--out", folder, "--json", "--no-report")
    found = json.loads(out)
    assert code == 0
    assert [one["name"] for one in found["series"]] == ["bogs", "posts", "bogs-careless"]
    assert found["series"][0]["configurations"][0]["level"] == "easy"
    assert len(found["trends"]) == 5


def test_levels_csv(folder: Path) -> None:
    lines = (folder / "levels.csv").read_text().splitlines()
    assert lines[0].startswith("series,build,control,level,sure,runs,success")
    assert len(lines) == 1 + 3 * 5
    assert lines[1].startswith("bogs,careful,0,easy,100 %,4,100 %")


class Watched(Silence):
    """Shows the progress to a function."""

    def __init__(self, watch: Callable[[Progress], None]) -> None:
        self._watch = watch

    @contextmanager
    def campaigns(self, title: str) -> Iterator[Callable[[Progress], None]]:
        yield self._watch


def experimented(folder: Path, watch: Callable[[Progress], None]) -> tuple[ExperimentContext, ProgrammeResults]:
    display = Watched(watch)
    with ExperimentContext(PLAIN, folder, quick=True, in_process=True, display=display) as context:
        return context, run_series(BOTH, context)


def test_stopped_and_called_again_it_goes_on(tmp_path: Path) -> None:
    """What a stop after the first series and a half leaves is completed; nothing is done twice."""

    class StoppedError(Exception):
        pass

    def stop(progress: Progress) -> None:
        assert progress.total == 60
        if progress.done >= 26:
            raise StoppedError

    with pytest.raises(StoppedError):
        experimented(tmp_path, stop)
    seen = []
    context, done = experimented(tmp_path, lambda p: seen.append((p.done, p.before)))
    assert context.executed == 60 - 26
    total_s = sum(judged.run.simulated_s for one in done.series for judged in one.results.runs)
    assert 0.0 < context.simulated_s < total_s, "runs that were there before do not count"
    assert [len(one.results.runs) for one in done.series] == [20, 20, 20]
    assert seen[-1] == (60, 26)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    def watch(progress: Progress) -> None:
        if progress.done == 30:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        experimented(tmp_path, watch)
    assert len(load(tmp_path / "bogs").runs) == 20
    assert len(load(tmp_path / "posts").runs) == 10


def test_worlds_that_cannot_be_built_are_left_out_and_said(stressfield, tmp_path: Path) -> None:
    code, out, _ = stressfield("experiment", PLAIN, "deep", "--quick", "--out", tmp_path / "d", "--jobs", "1")
    assert code == 0
    assert "Deep: 4 runs have no result and are left out, 4 of them invalid." in out
    page = (tmp_path / "d" / "report.html").read_text()
    assert "Deep: no run at 9.5  has a result." in page.replace("9.5 has", "9.5  has")
    assert "9.5 bogs do not fit. Wanted at most 9." in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((PLAIN, "bot"), "Unknown experiment 'bot' of study 'plain'. It has: both, deep, orphan. Did you mean 'both'?"),
        ((PLAIN, "orphan"), "The series 'posts' takes its levels from 'nothing', which is not in the experiment"),
        ((PLAIN, "both", "--jobs", "0"), "A campaign needs at least one worker process, got jobs=0."),
        ((PLAIN, "both", "--keep", "some"), "Unknown policy keep='some'."),
    ],
)
def test_bad_input(stressfield, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = stressfield("experiment", *arguments, "--out", tmp_path / "x")
    assert code == 2
    assert message in err
    assert not (tmp_path / "x").exists()


def test_another_seed_in_the_same_folder_is_refused(stressfield, folder: Path) -> None:
    code, _, err = stressfield("experiment", PLAIN, "both", "--quick", "--seed", 1, "--out", folder)
    assert code == 2
    assert "holds the campaign 'bogs' of another experiment (other seed, size, configurations, profile or space)" in err


def test_a_campaign_is_no_experiment(stressfield, folder: Path) -> None:
    code, _, err = stressfield("experiment", PLAIN, "both", "--quick", "--out", folder / "bogs")
    assert code == 2
    assert "holds a campaign, not an experiment" in err
