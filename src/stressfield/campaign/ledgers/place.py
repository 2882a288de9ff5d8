"""Which ledger a campaign has: what its plan says, or SQLite in its folder."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from stressfield.campaign.ledger import LEDGER, Ledger, Rows, read_ledger
from stressfield.errors import InputError

SCHEMES = ("postgresql", "postgres")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")


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
    return parts._replace(fragment=name).geturl()


def open_ledger(folder: Path, url: str) -> Ledger:
    """The ledger of a campaign, to write to; made if it is not there."""
    if not url:
        return Ledger(folder)
    from stressfield.campaign.ledgers.postgres import PostgresLedger  # noqa: PLC0415 (an extra)

    return PostgresLedger(url)


def read_rows(folder: Path, url: str) -> Rows | None:
    """Everything that is committed so far; None if there is no ledger yet."""
    if not url:
        return read_ledger(folder / LEDGER) if (folder / LEDGER).exists() else None
    from stressfield.campaign.ledgers.postgres import read_postgres  # noqa: PLC0415 (an extra)

    return read_postgres(url)


def has_ledger(folder: Path, url: str) -> bool:
    """Whether it was begun."""
    if not url:
        return (folder / LEDGER).exists()
    from stressfield.campaign.ledgers.postgres import postgres_there  # noqa: PLC0415 (an extra)

    return postgres_there(url)


def drop_ledger(url: str) -> None:
    """Delete a ledger on a server, and nothing else there. That of a folder goes with its files."""
    if url:
        from stressfield.campaign.ledgers.postgres import drop_postgres  # noqa: PLC0415 (an extra)

        drop_postgres(url)
