"""The ledger on a PostgreSQL server: the same tables in a schema of their own, the same contract.

One process writes, which holds an advisory lock as long as it is connected; any number may read, from anywhere. Every
commit is synced by the server (``synchronous_commit``). All trouble is a StoreError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from time import monotonic, sleep
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from stressfield._files.failpoints import failpoint
from stressfield.campaign.ledger import SCHEMA, SCHEMA_VERSION, Ledger
from stressfield.campaign.ledgers.rows import RowCounts, Rows, counts_of, rows_of
from stressfield.errors import InputError, NotInstalledError, StoreError

PREFIX = "stressfield_"
"""Of the schemas: ours are told from others by their name, and by the table ``about`` in them."""

ROWS_AT_ONCE = 5_000
"""Rows that come from the server together."""

LOCK_S = 5.0
"""How long to wait for a writer to be gone: of one that was killed, the server learns it after a moment."""
LOOK_S = 0.05
_LOCK = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"

_TYPES = {r"\bINTEGER\b": "BIGINT", r"\bREAL\b": "DOUBLE PRECISION", r"\bBLOB\b": "BYTEA"}


def _statements() -> str:
    """The tables of SQLite, in the words of PostgreSQL."""
    text = re.sub(r"\) STRICT(, WITHOUT ROWID)?;", ");", SCHEMA)
    for before, after in _TYPES.items():
        text = re.sub(before, after, text)
    # As SQLite and Python compare texts, whatever the language of the database: tables are read side by side.
    text = re.sub(r"\b((?:run_|scenario_)?id TEXT)", r'\1 COLLATE "C"', text)
    # An index holds values of 2,700 bytes at most, and a descriptor may be longer.
    text = text.replace("descriptor TEXT PRIMARY KEY", "descriptor TEXT NOT NULL")
    return f"{text} CREATE UNIQUE INDEX ON parameters (md5(descriptor));"


class PostgresLedger(Ledger):
    """What a campaign has done so far, on a server. ``url`` names the server, the database and (#) the campaign."""

    _mark = "%s"

    def __init__(self, url: str) -> None:
        self.url = url
        with guarded(url):
            self._db = _connected(url)
            try:
                self._open(_schema(url))
            except BaseException:
                self._db.close()
                raise

    def _open(self, schema: str) -> None:
        until_s = monotonic() + LOCK_S
        while not self._db.execute(_LOCK, (schema,)).fetchone()[0]:
            if monotonic() < until_s:
                sleep(LOOK_S)
                continue
            raise StoreError(
                f"Another stressfield process is writing to the ledger {self.url!r}. Wait until it has ended, or "
                "choose another name."
            )
        if _version(self._db, schema) is None:
            with self._db.transaction():
                self._db.execute(f"CREATE SCHEMA {schema}")
                self._db.execute(f"SET LOCAL search_path TO {schema}")
                self._db.execute(_statements())
                self._db.execute("CREATE TABLE about (version BIGINT NOT NULL)")
                self._db.execute("INSERT INTO about VALUES (%s)", (SCHEMA_VERSION,))
        _check_version(self._db, schema, self.url)
        self._db.execute(f"SET search_path TO {schema}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Not left to the server, which notices later that the connection was closed: whoever is next may be quicker.
        with suppress(self._db.Error):  # a connection that is broken holds no lock
            self._db.execute("SELECT pg_advisory_unlock_all()")
        self._db.close()

    def _enter(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        if not rows:
            return
        ignored = statement.startswith("INSERT OR IGNORE")
        text = statement.replace("INSERT OR IGNORE", "INSERT").replace("?", self._mark)
        with self._db.cursor() as cursor:
            cursor.executemany(text + (" ON CONFLICT DO NOTHING" if ignored else ""), [_storable(row) for row in rows])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._guard():
            failpoint("ledger.begin")
            with self._db.transaction():
                yield
                failpoint("ledger.commit")
            failpoint("ledger.committed")

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with guarded(self.url):
            yield


def read_postgres(url: str, *, whole: bool = False) -> Rows | None:
    """Everything that is committed so far, consistently; None if there is no such ledger."""
    with guarded(url):
        server = _connected(url)
        try:
            if not _begin_to_read(server, url):
                server.close()
                return None
            return rows_of(_Streaming(server), url, close=server.close, guard=partial(guarded, url), whole=whole)
        except BaseException:
            server.close()
            raise


def count_postgres(url: str) -> RowCounts | None:
    """How much there is by now; None if there is no such ledger."""
    with guarded(url), _connected(url) as server:
        return counts_of(server) if _begin_to_read(server, url) else None


def _begin_to_read(server: Any, url: str) -> bool:
    """One snapshot for all tables: a campaign may be writing meanwhile. False if there is no such ledger."""
    schema = _schema(url)
    if _version(server, schema) is None:
        return False
    _check_version(server, schema, url)
    server.execute(f"SET search_path TO {schema}")
    server.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return True


class _Streaming:
    """A connection whose rows stay on the server until they are read: usually all of them would be sent at once."""

    def __init__(self, server: Any) -> None:
        self._server, self._numbers = server, count(1)

    def execute(self, statement: str, /) -> Any:
        cursor = self._server.cursor(name=f"rows{next(self._numbers)}")
        cursor.itersize = ROWS_AT_ONCE
        return _Answer(cursor.execute(statement))


class _Answer:
    """Rows of a statement. The server keeps them until it is told that nobody wants more."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._cursor
        finally:
            self._cursor.close()

    def fetchone(self) -> Any:
        try:
            return self._cursor.fetchone()
        finally:
            self._cursor.close()


def postgres_there(url: str) -> bool:
    """Whether there is such a ledger."""
    with guarded(url), _connected(url) as server:
        return _version(server, _schema(url)) is not None


def drop_postgres(url: str) -> None:
    """Delete the ledger, if it is one."""
    with guarded(url), _connected(url) as server:
        if _version(server, _schema(url)) is not None:
            server.execute(f"DROP SCHEMA {_schema(url)} CASCADE")


def _schema(url: str) -> str:
    """The schema of a URL. Its name stands in statements, so it must be as :func:`begin_ledger` makes it."""
    name = urlsplit(url).fragment
    if re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) is None:
        raise InputError(f"The ledger {url!r} has no name. Wanted postgresql://USER@HOST:PORT/DATABASE#NAME.")
    return f"{PREFIX}{name}"


def _version(server: Any, schema: str) -> int | None:
    """Of the tables in a schema; None if there is no such schema. One that is not ours is an InputError."""
    if server.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is None:
        return None
    if server.execute("SELECT to_regclass(%s)", (f"{schema}.about",)).fetchone()[0] is None:
        raise InputError(f"The schema {schema!r} of the server is not a ledger of stressfield's. Choose another name.")
    return int(server.execute(f"SELECT version FROM {schema}.about").fetchone()[0])  # noqa: S608 (checked above)


def _check_version(server: Any, schema: str, url: str) -> None:
    found = _version(server, schema)
    if found != SCHEMA_VERSION:
        raise StoreError(
            f"The ledger {url!r} has schema {found}, wanted {SCHEMA_VERSION}. Use the stressfield that wrote it."
        )


def _storable(row: Sequence[object]) -> tuple[object, ...]:
    """PostgreSQL has no NUL in texts: a robot may print one."""
    return tuple(value.replace("\0", "\\x00") if isinstance(value, str) else value for value in row)


CONNECT_S = 10


def _connected(url: str) -> Any:
    try:
        import psycopg  # noqa: PLC0415 (an extra)
    except ImportError:
        raise NotInstalledError(
            "A ledger on a PostgreSQL server needs the package psycopg. "
            "Install it with: pip install 'stressfield[postgres]'"
        ) from None
    address = urlsplit(url)._replace(fragment="").geturl()
    return psycopg.connect(
        address,
        autocommit=True,
        connect_timeout=CONNECT_S,
        application_name="stressfield",
        # A stranger's folder may name a server of theirs: no password of ours is told to it in words it could use.
        require_auth="!password,!md5",
    )


@contextmanager
def guarded(url: str) -> Iterator[None]:
    """Turn what the server says into what a person can act on."""
    try:
        import psycopg  # noqa: PLC0415 (an extra)
    except ImportError:
        yield  # whoever connects says so
        return
    try:
        yield
    except psycopg.Error as error:
        text = " ".join(str(error).split()).rstrip(".?")
        if isinstance(error, psycopg.errors.DiskFull):
            what = "the server's disk is full. Free some space, then resume"
        elif "password" in text or "authentication" in text or "role" in text:
            what = f"{text}. Check the user, and the password in PGPASSWORD or ~/.pgpass"
        elif isinstance(error, psycopg.errors.InsufficientPrivilege):
            what = f"{text}. Let the user create schemas in this database"
        elif "does not exist" in text:
            what = f"{text}. Create the database"
        elif isinstance(error, psycopg.OperationalError):
            what = f"{text}. Check that the server can be reached, then resume"
        else:
            what = text
        raise StoreError(f"Cannot use the ledger {url!r}: {what}. Nothing that was committed is lost.") from error
