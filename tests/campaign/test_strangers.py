"""A campaign's folder that someone else wrote, or wrote to: it is refused in one sentence, and leads nowhere."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import sqlite3
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from stressfield.campaign import Plan, load, rejudge, resume, run_campaign
from stressfield.campaign.folder import read_plan
from stressfield.campaign.ledger import Ledger
from stressfield.campaign.verify import verify
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.oracle import Outcome
from stressfield.run import Status

TOY = str(Path(__file__).parent / "toy.py")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "c"
    run_campaign(Plan(study=TOY, build="late", seed=7, worlds=2, repeats=2, keep="all"), folder, in_process=True)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "deep" / "c"))


def change(folder: Path, sql: str) -> None:
    db = sqlite3.connect(folder / "results.sqlite")
    db.executescript(sql)
    db.close()


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE runs SET status = 'passed'", "'passed' is not a valid Status"),
        ("UPDATE runs SET outcome = 'fine'", "'fine' is not a valid Outcome"),
        ("UPDATE verdicts SET outcome = 'fine'", "'fine' is not a valid Outcome"),
        ("UPDATE runs SET simulated_s = 1e999", "a time is inf, wanted a finite number"),
        ("UPDATE violations SET end_s = -1e999", "a time is -inf, wanted a finite number"),
        ("INSERT INTO tracks SELECT id, 0.1, x'0102' FROM runs", "a track is"),
        ("UPDATE runs SET id = '../' || id", "an id is '../"),
        ("ALTER TABLE runs ADD COLUMN more TEXT", "its table 'runs' is not as stressfield makes it"),
        ("ALTER TABLE runs DROP COLUMN trouble", "its table 'runs' is not as stressfield makes it"),
        (
            (
                "DROP TABLE tracks; CREATE VIEW tracks AS WITH RECURSIVE n(run_id, step_s, points) AS "
                "(SELECT 1, 0.1, x'' UNION ALL SELECT run_id + 1, 0.1, zeroblob(1000000) FROM n) SELECT * FROM n"
            ),
            "its view 'tracks' is not as stressfield makes it",
        ),
        (
            "CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM scenarios; END",
            "its trigger 'more' is not as stressfield makes it",
        ),
    ],
)
def test_a_row_that_cannot_be_ours(folder: Path, sql: str, told: str) -> None:
    change(folder, sql)
    for look in (load, verify, rejudge, resume):
        with pytest.raises(StoreError, match="it has a row that stressfield did not write") as refused:
            look(folder)
        assert told in str(refused.value)


def test_a_scenario_cannot_be_written_elsewhere(folder: Path) -> None:
    change(
        folder,
        "PRAGMA foreign_keys = OFF; UPDATE scenarios SET id = '../../out' || place;"
        "UPDATE runs SET scenario_id = (SELECT '../../out' || place FROM scenarios LIMIT 1), repeat = rowid",
    )
    with pytest.raises(StoreError, match=r"an id is '\.\./\.\./out"):
        resume(folder)
    assert [path.name for path in folder.parent.parent.iterdir()] == ["deep"]


def test_a_recording_of_another_run_is_not_judged(folder: Path) -> None:
    one, other = sorted((folder / "traces").iterdir())[:2]
    shutil.copy(other, one)
    judged = rejudge(folder)
    assert (judged.from_recordings, judged.from_ledger, judged.changed) == (3, 1, 0)
    (told,) = judged.unreadable
    assert told.startswith(f"Run {one.stem}: its trace 'traces/{one.name}' is of run {other.stem}, which ended as ")


@pytest.mark.parametrize("place", ["../../other.mcap", "{parent}/other.mcap"])
def test_a_recording_elsewhere_is_not_read(folder: Path, place: str) -> None:
    other = folder.parent.parent / "other.mcap"
    one = sorted((folder / "traces").iterdir())[0]
    shutil.move(one, other)
    where = place.format(parent=other.parent)
    change(folder, f"UPDATE runs SET trace_file = '{where}' WHERE id = '{one.stem}'")
    assert rejudge(folder).unreadable == (f"Run {one.stem}: its trace {where!r} is outside the campaign's folder",)


def test_a_property_that_was_never_asked_is_no_pass(folder: Path) -> None:
    change(folder, "DELETE FROM verdicts WHERE property = 'strict'; UPDATE runs SET trace_file = NULL")
    judged = rejudge(folder, include=["strict"])
    assert judged.missing == ("strict",)
    assert {one.run.outcome for one in judged.before.runs} == {Outcome.PASS}
    assert {one.run.outcome for one in judged.after.runs} == {Outcome.INCONCLUSIVE}
    rejudge(folder, include=["strict"], save=True)
    assert all("should have a trace" in str(problem) for problem in verify(folder).problems)


GOOD = 'study = "oz"\nbuild = "good"\nseed = 1\nworlds = 1\nrepeats = 1\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("campaign = 5", "campaign is 5, wanted a table"),
        (f"versions = 5\n[campaign]\n{GOOD}", "versions is 5, wanted a table"),
        (f"[campaign]\n{GOOD}limit_s = {'1' * 5000}", "4300 digits"),
        (f"[campaign]\n{GOOD}{'.'.join(['a'] * 2000)} = 1", "nested more than 40 levels deep"),
        (f"[campaign]\n{GOOD}keep = 'some'", "keep is 'some', wanted one of"),
        (f"[campaign]\n{GOOD}".replace("worlds = 1", "worlds = 1000000000"), "wanted 1 to 10000000 runs"),
        (f"[campaign]\n{GOOD}".replace("repeats = 1", "repeats = 0"), "wanted 1 to 10000000 runs"),
        (f"[campaign]\n{GOOD}".replace("oz", "c/evil.py"), "wanted a name or an absolute path"),
        (f"[campaign]\n{GOOD}".replace("oz", "{folder}/evil.py"), "outside of the campaign"),
        (f"[campaign]\n{GOOD}# {'x' * 10_000_000}", "more than 10,000,000 bytes"),
        (f"[campaign]\n{GOOD}".replace("oz", "/proc/self/cwd/evil.py"), "outside of the campaign"),
        (f"[campaign]\n{GOOD}".replace("oz", "//usr/../proc/self/cwd/evil.py"), "outside of the campaign"),
        (f"[campaign]\n{GOOD}".replace("oz", "/dev/fd/3/evil.py"), "outside of the campaign"),
    ],
    ids=range(13),
)
def test_a_plan_that_cannot_be_ours(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('executed')")
    (tmp_path / "campaign.toml").write_text(text.replace("{folder}", str(tmp_path)))
    with pytest.raises(InputError, match="is damaged: ") as refused:
        read_plan(tmp_path)
    assert told in str(refused.value)


def test_what_is_committed_is_read_from_a_folder_that_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last rows may still be in SQLite's journal."""
    runs = load(folder).runs
    change(folder, "PRAGMA foreign_keys = ON; DELETE FROM runs")
    with Ledger(folder) as ledger:
        ledger.add(runs=runs)
        copy = Path(shutil.copytree(folder, folder.parent / "copy"))
    assert (copy / "results.sqlite-wal").stat().st_size
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert len(load(copy).runs) == 4
    assert verify(copy).problems == ()
    assert {judged.run.status for judged in load(copy).runs} == {Status.COMPLETED}


def typed(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it said of trouble."""
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()), pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0), said.getvalue()


@pytest.mark.parametrize("name", ["replay", "scenarios", "traces"])
def test_a_link_in_the_folder_leads_nowhere(folder: Path, name: str) -> None:
    """It may be the folder of one run too: a link at any depth is refused."""
    outside = folder.parent / "outside"
    outside.mkdir()
    shutil.rmtree(folder / name, ignore_errors=True)
    (folder / name).symlink_to(outside)
    change(folder, "DELETE FROM runs WHERE repeat = 1")
    run = load(folder).runs[0].run.id
    commands = {"replay": ["replay", str(folder), run], "scenarios": ["replay", str(folder), run, "--export", "sdf"]}
    code, told = typed(*commands.get(name, ["resume", str(folder)]))
    assert code == 3, told
    assert f"'{name}' is a symbolic link, which may lead anywhere. Put a file or folder of its own" in told
    assert list(outside.iterdir()) == []


def test_writing_does_not_follow_a_link_that_waits_for_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page, a plan or a trace is written beside its place first, under a name that nobody can know."""
    precious = folder.parent / "precious"
    precious.write_text("old")
    monkeypatch.setattr(secrets, "token_hex", lambda _: "guessed")
    for name in ("report.html", "report.html.part", f".report.html.{os.getpid()}.guessed.tmp"):
        (folder / name).symlink_to(precious)
    code, told = typed("report", str(folder))
    assert code == 3
    assert "File exists" in told
    monkeypatch.undo()
    assert typed("report", str(folder))[0] == 0
    assert precious.read_text() == "old"
    assert not (folder / "report.html").is_symlink()


@pytest.mark.parametrize(
    "name", ["results.sqlite", "results.sqlite-wal", "results.sqlite-shm", "results.sqlite-journal"]
)
def test_a_ledger_is_not_made_elsewhere(folder: Path, name: str) -> None:
    outside = folder.parent / "elsewhere"
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    for look in (load, resume) if name != "results.sqlite" else (resume,):
        with pytest.raises(StoreError, match=f"'{name}' is a symbolic link"):
            look(folder)
    assert not outside.exists()


def test_the_plan_is_a_file_and_nothing_else(folder: Path) -> None:
    plan = folder / "campaign.toml"
    shutil.move(plan, folder.parent / "plan")
    plan.symlink_to(folder.parent / "plan")
    with pytest.raises(StoreError, match=r"'campaign\.toml' is a symbolic link"):
        load(folder)
    plan.unlink()
    os.mkfifo(plan)  # opening it would wait for ever
    with pytest.raises(StoreError, match="not a regular file"):
        load(folder)
