"""Where the ledger of a campaign is: SQLite in its folder, or a PostgreSQL server that several people read.

================ ====================================================
open_ledger      to write to, whichever it is
read_rows        everything in it, at one moment
PostgresLedger   the ledger on a server: the same contract
================ ====================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.campaign.ledgers.place import begin_ledger, drop_ledger, has_ledger, open_ledger, read_rows
    from stressfield.campaign.ledgers.postgres import PostgresLedger

__all__ = ["PostgresLedger", "begin_ledger", "drop_ledger", "has_ledger", "open_ledger", "read_rows"]

lazy_names(__name__)
