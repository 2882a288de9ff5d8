"""A campaign in pieces that need no cluster: each is run wherever there is a machine, and merged in any order.

============== ===========================================================================
Share          which runs of a plan one shard does
write_shards   self-contained pieces of a campaign: plan, testing space and the study's code
run_shard      do what is missing of a piece
merge_shards   ledgers and traces of pieces into the campaign; the digest is that of one run
============== ===========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.campaign.shards.merge import merge_shards
    from stressfield.campaign.shards.piece import run_shard, write_shards
    from stressfield.campaign.shards.share import Share

__all__ = ["Share", "merge_shards", "run_shard", "write_shards"]

lazy_names(__name__)
