"""``verify`` finds whatever was changed behind the ledger's back."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from stressfield.campaign import Plan, run_campaign
from stressfield.campaign.folder import read_plan, write_plan
from stressfield.campaign.study_record import read_study
from stressfield.campaign.verify import verify
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.provenance import SOURCE

TOY = str(Path(__file__).parent / "toy.py")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "c"
    run_campaign(Plan(study=TOY, build="late", seed=7, worlds=4, repeats=3, keep="all"), folder, in_process=True)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "c"))


def traces(folder: Path) -> list[Path]:
    return sorted((folder / "traces").iterdir())


def change(folder: Path, sql: str) -> None:
    db = sqlite3.connect(folder / "results.sqlite")
    db.execute(sql)
    db.commit()
    db.close()


def problems(folder: Path, *, judge: bool = False) -> list[str]:
    return [str(problem) for problem in verify(folder, judge=judge).problems]


def test_a_sound_campaign(sound: Path) -> None:
    found = verify(sound, judge=True)
    assert (found.runs, found.traces, found.judged_again) == (12, 12, 12)
    assert found.problems == ()
    assert found.leftovers == ()


def test_a_missing_trace(folder: Path) -> None:
    gone = traces(folder)[0]
    gone.unlink()
    assert problems(folder) == [f"run {gone.stem}: its trace 'traces/{gone.name}' is missing"]


def test_a_damaged_trace(folder: Path) -> None:
    path = traces(folder)[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    (found,) = problems(folder)
    assert found.startswith(f"run {path.stem}: ")
    assert "is damaged" in found


def test_the_trace_of_another_run(folder: Path) -> None:
    one, other = traces(folder)[:2]
    shutil.copy(other, one)
    assert problems(folder) == [
        f"run {one.stem}: its trace 'traces/{one.name}' is of run {other.stem}",
        f"run {one.stem}: its trace 'traces/{one.name}' has another digest than its row",
    ]


def test_a_trace_outside_the_folder(folder: Path, tmp_path: Path) -> None:
    path = traces(folder)[0]
    path.rename(tmp_path / "elsewhere.mcap")
    change(folder, f"UPDATE runs SET trace_file = '../elsewhere.mcap' WHERE id = '{path.stem}'")
    assert problems(folder) == [f"run {path.stem}: its trace '../elsewhere.mcap' is outside the campaign's folder"]


def test_a_flattering_outcome(folder: Path) -> None:
    one = "(SELECT min(id) FROM runs)"
    change(folder, f"UPDATE verdicts SET outcome = 'fail' WHERE property = 'gap' AND run_id = {one}")
    (found,) = problems(folder)
    assert found.endswith("its outcome is pass, but its verdicts make it fail")


def test_a_flattering_verdict_is_found_by_judging_again(folder: Path) -> None:
    change(
        folder,
        "UPDATE verdicts SET margin = margin + 1 WHERE property = 'strict' "
        "AND run_id = (SELECT run_id FROM verdicts WHERE property = 'strict' ORDER BY run_id LIMIT 1)",
    )
    assert problems(folder) == []
    (found,) = problems(folder, judge=True)
    assert "property strict: its row says" in found


def test_a_row_of_another_seed(folder: Path) -> None:
    change(folder, "UPDATE runs SET seed = seed + 1 WHERE rowid = 1")
    (found,) = problems(folder)
    assert "its id does not fit its scenario, build, seed and version" in found


def test_a_verdict_on_a_crash(folder: Path) -> None:
    change(folder, "UPDATE runs SET status = 'subject_crash' WHERE rowid = 1")
    assert any("it is subject_crash and yet has an outcome or verdicts" in text for text in problems(folder))


def test_a_lost_trace_name(folder: Path) -> None:
    change(folder, "UPDATE runs SET trace_file = NULL WHERE rowid = 1")
    (found,) = problems(folder)
    assert found.endswith("it should have a trace (keep=all), but its row names none")
    assert len(verify(folder).leftovers) == 1


def test_files_of_no_run_are_harmless(folder: Path) -> None:
    (folder / "traces" / "0123456789ab.mcap").write_bytes(b"")
    found = verify(folder)
    assert (found.problems, found.leftovers) == ((), ("traces/0123456789ab.mcap",))


def test_what_is_no_campaign(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match="is not a campaign"):
        verify(tmp_path / "nothing")
    (folder / "results.sqlite").write_bytes(b"not a database" * 400)
    with pytest.raises(StoreError, match="it is damaged"):
        verify(folder)


def test_exit_codes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(folder), "--judge"])
    assert ended.value.code == 0
    assert "12 runs and 12 traces checked, 12 judged again.\n All is sound." in capsys.readouterr().out
    traces(folder)[0].unlink()
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(folder), "--json"])
    assert ended.value.code == 3
    assert "is missing" in capsys.readouterr().out


def test_what_could_not_be_judged_again_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "c"
    plan = Plan(study=TOY, build="late", seed=7, worlds=12, repeats=1, keep="failing")
    failing = sum(
        judged.run.trace_file is not None for judged in run_campaign(plan, folder, in_process=True).results.runs
    )
    assert 0 < failing < 12
    found = verify(folder, judge=True)
    assert found.judged_again == failing
    assert found.unchecked == {"no recording was kept (keep=failing)": 12 - failing}
    assert found.notes == ()
    assert verify(folder).unchecked == {}
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(folder), "--judge"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert f" {12 - failing} not judged again: no recording was kept (keep=failing).\n" in shown
    assert f" All that could be checked is sound; {12 - failing} of 12 verdicts could not.\n" in shown


def test_judging_again_with_something_else_is_said(folder: Path) -> None:
    plan, versions = read_plan(folder)
    write_plan(folder, plan, {**versions, "stressfield": "0.0.1", SOURCE: "another"}, read_study(folder))
    notes = verify(folder, judge=True).notes
    assert notes[0] == f"Judged again with stressfield {versions['stressfield']}; the campaign was made with 0.0.1."
    assert notes[1].startswith("The source of the study has changed since")


def test_runs_without_verdicts_are_counted_too(folder: Path) -> None:
    change(folder, "UPDATE runs SET status = 'invalid', outcome = NULL, trace_file = NULL WHERE repeat = 0")
    change(folder, "UPDATE runs SET status = 'timeout', digest = '', trace_file = NULL WHERE repeat = 1")
    traces(folder)[0].write_bytes(b"no recording")
    found = verify(folder, judge=True)
    told = dict(found.unchecked)
    unreadable = told.pop("its recording cannot be read", 0)
    assert told == {"invalid: it has no verdicts": 4, "timeout: it was killed, and has no recording": 4}
    assert found.judged_again + unreadable == 4
