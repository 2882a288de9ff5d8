"""Which ledger a campaign has: what its plan says, or SQLite in its folder.

A folder may come from a stranger, and name a server of theirs. So only servers are spoken to that the user has named:
with ``--ledger`` when the campaign was begun by this process, or in the environment, in ``STRESSFIELD_LEDGERS``.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

from stressfield.campaign.ledger import LEDGER, Ledger
from stressfield.campaign.ledgers.rows import RowCounts, Rows, count_rows, read_ledger
from stressfield.errors import InputError

SCHEMES = ("postgresql", "postgres")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
NAMED = "STRESSFIELD_LEDGERS"
"""Servers that campaigns may have their ledger on: URLs as for ``--ledger``, with spaces between."""
_named_here: set[tuple[str, str, str]] = set()


def begin_ledger(url: str, folder: Path) -> str:
    """The URL of a new campaign's ledger, with a name for it: what stands behind ``#``, or else that of its folder.

    Empty for SQLite. InputError for what cannot be one.
    """
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.path.strip("/"):
        raise InputError(f"Cannot keep a ledger at {url!r}. Wanted postgresql://USER@HOST:PORT/DATABASE#NAME.")
    if parts.password:
        raise InputError(
            "The URL of a ledger must not hold a password: it stands in the campaign's folder. Put it into PGPASSWORD, "
            "or into ~/.pgpass."
        )
    name = parts.fragment or re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_")
    if _NAME.fullmatch(name) is None:
        raise InputError(
            f"A ledger cannot be called {name!r}. Wanted small letters, digits and _: postgresql://.../DATABASE#NAME."
        )
    _named_here.add(_server(url))
    return parts._replace(fragment=name).geturl()


def _server(url: str) -> tuple[str, str, str]:
    """Where a URL leads, whoever asks: host and port, database, and options, which may say otherwise."""
    parts = urlsplit(url)
    return parts.netloc.rpartition("@")[2].lower(), parts.path.strip("/"), parts.query


def check_named(url: str) -> None:
    """InputError unless the user has named the server."""
    if _server(url) in _named_here | {_server(named) for named in os.environ.get(NAMED, "").split()}:
        return
    plain = urlsplit(url)._replace(fragment="").geturl()
    raise InputError(
        f"The campaign keeps its ledger on the server {plain!r}, and nobody here has named that server. A folder "
        f"of somebody else may name any. If you know it:  export {NAMED}={shlex.quote(plain)}"
    )


def open_ledger(folder: Path, url: str) -> Ledger:
    """The ledger of a campaign, to write to; made if it is not there."""
    if not url:
        return Ledger(folder)
    check_named(url)
    from stressfield.campaign.ledgers.postgres import PostgresLedger  # noqa: PLC0415 (an extra)

    return PostgresLedger(url)


def read_rows(folder: Path, url: str, *, whole: bool = False) -> Rows | None:
    """Everything that is committed so far; None if there is no ledger yet.

    Very many runs stay in the ledger until they are asked for, unless the ``whole`` is wanted.
    """
    if not url:
        return read_ledger(folder / LEDGER, whole=whole) if (folder / LEDGER).exists() else None
    check_named(url)
    from stressfield.campaign.ledgers.postgres import read_postgres  # noqa: PLC0415 (an extra)

    return read_postgres(url, whole=whole)


def count_runs(folder: Path, url: str) -> RowCounts | None:
    """How much there is by now, counted in place; None if there is no ledger yet."""
    if not url:
        return count_rows(folder / LEDGER) if (folder / LEDGER).exists() else None
    check_named(url)
    from stressfield.campaign.ledgers.postgres import count_postgres  # noqa: PLC0415 (an extra)

    return count_postgres(url)


def has_ledger(folder: Path, url: str) -> bool:
    """Whether it was begun."""
    if not url:
        return (folder / LEDGER).exists()
    check_named(url)
    from stressfield.campaign.ledgers.postgres import postgres_there  # noqa: PLC0415 (an extra)

    return postgres_there(url)


def drop_ledger(url: str) -> None:
    """Delete a ledger on a server, and nothing else there. That of a folder goes with its files."""
    if url:
        check_named(url)
        from stressfield.campaign.ledgers.postgres import drop_postgres  # noqa: PLC0415 (an extra)

        drop_postgres(url)
