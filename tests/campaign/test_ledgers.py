"""Ledgers: SQLite in the folder, and a real PostgreSQL server, held to the same suite."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Timer

import psycopg
import pytest

from stressfield.campaign import (
    Plan,
    digest,
    load,
    merge_shards,
    plan_campaign,
    prepare,
    rejudge,
    resume,
    run_campaign,
    run_shard,
    verify,
    write_shards,
)
from stressfield.campaign.ledger import LEDGER, Ledger
from stressfield.campaign.ledgers import PostgresLedger, begin_ledger, read_rows, rows
from stressfield.campaign.ledgers.place import NAMED
from stressfield.campaign.ledgers.rows import read_ledger
from stressfield.campaign.results import glance
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.testing import LedgerSuite
from stressfield.testing.ledger import LedgerPlace

TOY = str(Path(__file__).parent / "toy.py")
TORTURE = Path(__file__).parents[2] / "benchmarks" / "torture"
spec = importlib.util.spec_from_file_location("postgres_server", TORTURE / "postgres_server.py")
assert spec is not None
assert spec.loader is not None
postgres = importlib.util.module_from_spec(spec)
spec.loader.exec_module(postgres)
needs_server = pytest.mark.skipif(
    postgres.binaries() is None and os.environ.get("CI") != "true", reason="Debian's postgresql is not installed"
)
numbers = count()


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=6, repeats=2), **changes)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.postgres_server() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAMED, f"postgresql://elsewhere.example.com/campaigns {url}")
        yield url


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(run_campaign(plan(), tmp_path_factory.mktemp("here") / "toy", in_process=True).results)


class TestSqlite(LedgerSuite):
    @pytest.fixture
    def place(self, tmp_path: Path) -> LedgerPlace:
        path = tmp_path / LEDGER
        return LedgerPlace(lambda: Ledger(tmp_path), lambda: read_ledger(path) if path.exists() else None)


@needs_server
class TestPostgres(LedgerSuite):
    @pytest.fixture
    def place(self, server: str) -> LedgerPlace:
        url = f"{server}#suite_{next(numbers)}"
        return LedgerPlace(lambda: PostgresLedger(url), lambda: read_rows(Path(), url))


@needs_server
def test_a_campaign_with_its_ledger_on_a_server(server: str, tmp_path: Path, wanted: str) -> None:
    folder = tmp_path / "Yard 7"
    done = run_campaign(plan(ledger=server), folder, jobs=1)
    assert digest(done.results) == wanted
    assert done.results.plan.ledger == f"{server}#yard_7"
    assert not (folder / LEDGER).exists()
    assert verify(folder).problems == ()
    assert resume(folder, in_process=True).executed == 0
    rejudge(folder, exclude=(done.results.runs[0].verdicts[0].property,), save=True)
    with pytest.raises(InputError, match=r"#yard_7' already holds a campaign\. Go on with that one in its folder"):
        run_campaign(plan(ledger=server), tmp_path / "yard-7", in_process=True)
    again = run_campaign(plan(ledger=server), folder, in_process=True, overwrite=True)
    assert digest(again.results) == wanted


@needs_server
def test_a_large_one_is_read_as_it_is_asked_for(
    server: str, tmp_path: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "large"
    run_campaign(plan(ledger=server), folder, in_process=True)
    monkeypatch.setattr(rows, "AT_ONCE", 0)
    monkeypatch.setattr(rows, "CHUNK", 5)
    stored, whole = load(folder), load(folder, whole=True)
    assert isinstance(stored.runs, rows.StoredRuns)
    assert list(stored.runs) == list(whole.runs)
    assert list(stored.scenarios) == list(whole.scenarios)
    assert digest(stored) == wanted
    assert stored.runs.find(whole.runs[3].run.id) == whole.runs[3]
    assert glance(folder).done == 12


STRANGE = (
    "postgresql://tester@strange.example.com/campaigns#oz",
    "postgresql://tester@db.example.com:5433/campaigns#oz",
    "postgresql://tester@db.example.com/others#oz",
    "postgresql://tester@db.example.com/campaigns?host=strange.example.com#oz",
)


@pytest.mark.parametrize("url", STRANGE)
def test_a_folder_of_a_stranger_connects_us_to_nobody(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def connected(*_: object, **__: object) -> None:
        raise AssertionError("connected")

    folder = tmp_path / "toy"
    run_campaign(plan(), folder, in_process=True)
    text = (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(text.replace('ledger = ""', f'ledger = "{url}"'))
    monkeypatch.setattr(psycopg, "connect", connected)
    monkeypatch.setenv(NAMED, "postgresql://me@db.example.com/campaigns")
    for words in (["results"], ["report"], ["resume"], ["verify"], ["check"], ["export", "--csv"], ["replay", "F1"]):
        with pytest.raises(SystemExit) as caught:
            main([words[0], str(folder), *words[1:]])
        said = capsys.readouterr().err
        assert (caught.value.code, "nobody here has named that server" in said) == (2, True), words
        assert f"export {NAMED}=" in said
    monkeypatch.setenv(NAMED, f"postgresql://somebody@{url.partition('@')[2].partition('#')[0]}")
    with pytest.raises(AssertionError, match="connected"):
        load(folder)


@needs_server
def test_shards_are_merged_into_it(server: str, tmp_path: Path, wanted: str) -> None:
    plan_campaign(prepare(plan(ledger=server)), tmp_path / "pieces")
    for piece in write_shards(tmp_path / "pieces", into=2):
        run_shard(piece, in_process=True)
    assert digest(merge_shards(tmp_path / "pieces").results) == wanted


@needs_server
def test_a_writer_that_was_killed_is_waited_for(server: str) -> None:
    """Its connection is closed, but the server, which stands still, does not know it yet."""
    url = f"{server}#waits"
    killed = PostgresLedger(url)
    backend = killed._db.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    going_on = Timer(0.5, os.kill, (backend, signal.SIGCONT))
    try:
        killed._db.close()
        going_on.start()
        with PostgresLedger(url) as ledger:
            assert ledger.tests() == set()
    finally:
        going_on.join()


@needs_server
def test_one_process_writes(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.campaign.ledgers.postgres.LOCK_S", 0.2)
    url = f"{server}#one"
    second = pytest.raises(StoreError, match=r"Another stressfield process is writing to the ledger '.*#one'")
    with PostgresLedger(url), second:
        PostgresLedger(url)
    with PostgresLedger(url):
        pass


@needs_server
def test_a_connection_that_breaks_loses_nothing(server: str, tmp_path: Path, wanted: str) -> None:
    cut = []

    def cut_off(progress: object) -> None:
        done = getattr(progress, "done", 0)
        if done >= 4 and not cut:
            with psycopg.connect(server, autocommit=True) as other:
                query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stressfield'"
                cut.extend(other.execute(query).fetchall())

    with pytest.raises(StoreError, match=r"Cannot use the ledger .*Nothing that was committed is lost\."):
        run_campaign(plan(ledger=server), tmp_path / "broken", in_process=True, progress=cut_off)
    assert cut
    assert digest(resume(tmp_path / "broken", in_process=True).results) == wanted


@needs_server
def test_a_server_that_cannot_be_used_is_told(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(url: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main(["run", TOY, "--build", "late", "--worlds", "1", "--ledger", url, "--out", str(tmp_path / "toy")])
        return int(caught.value.code or 0), capsys.readouterr().err

    code, said = call("postgresql://tester@127.0.0.1:1/campaigns")
    assert (code, "Check that the server can be reached, then resume" in said) == (3, True)
    code, said = call(server.replace("/campaigns", "/nothing"))
    assert (code, "Create the database" in said) == (3, True)
    with psycopg.connect(server, autocommit=True) as other:
        other.execute("CREATE SCHEMA stressfield_theirs")
    code, said = call(f"{server}#theirs")
    assert (code, "'stressfield_theirs' of the server is not a ledger of stressfield's" in said) == (2, True)
    monkeypatch.setenv("PGPASSWORD", "wrong")
    code, said = call(server)
    assert (code, "Check the user, and the password in PGPASSWORD" in said) == (3, True)
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://host/db", "Wanted postgresql://USER@HOST:PORT/DATABASE#NAME"),
        ("postgresql://host", "Wanted postgresql://USER@HOST:PORT/DATABASE#NAME"),
        ("postgresql://me:secret@host/db", "must not hold a password"),
        ("postgresql://host/db#a; DROP", "Wanted small letters, digits and _"),
    ],
)
def test_a_url_that_cannot_be_used_is_told(url: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        begin_ledger(url, tmp_path)
