"""Many runs: plan, worker processes, ledger, resume; and judging or replaying what is in a campaign's folder.

================ ==========================================================================
Plan             what was asked; ``run_campaign(plan, folder)`` does it, ``resume`` goes on
prepare          a plan checked against its study, its strategy made; ``run_campaign`` takes that, too
searched         what a search found: every test with its objectives, and the front
Results          everything in a campaign's folder; ``load(folder)`` reads it, without the study
ResultTable      a campaign for other tools: ``table_of(results, "runs")``, ``results.to_pandas()``
StudyRecord      what a campaign keeps of its study; ``study_of(results)`` is the study itself
digest           one hash for all results, whatever the number of workers
rejudge          judge again with other properties, without simulating
replay           do one run again and compare, bit for bit; ``replay_all`` many
verify           is every row and every trace still what it was?
find_study       a study by name or file
ExperimentContext what an experiment is given; it runs each `NamedCampaign`, or continues it
shrink_finding   the smallest world and disturbances that still fail
plan_campaign    a campaign in its folder, with nothing run yet
write_shards     a campaign in self-contained pieces; ``run_shard`` does one, ``merge_shards`` joins them
evidence_of      a run's recording and scenario, run again if it was not kept; ``series_of`` its quantities over time
================ ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.campaign.experiment import Display, ExperimentContext, NamedCampaign, Silence
    from stressfield.campaign.front import Scored, Searched, searched
    from stressfield.campaign.ledger import Ledger, TestRecord
    from stressfield.campaign.plan import Plan, PlannedRun, Prepared, prepare
    from stressfield.campaign.rejudge import Rejudged, rejudge
    from stressfield.campaign.replay import Replayed, evidence_of, find_run, replay, replay_all, series_of
    from stressfield.campaign.results import Progress, Results, category, digest, load, study_of
    from stressfield.campaign.runner import Campaigned, make_executor, plan_campaign, resume, run_campaign
    from stressfield.campaign.scenario_files import export_scenario
    from stressfield.campaign.shards.merge import merge_shards
    from stressfield.campaign.shards.piece import run_shard, write_shards
    from stressfield.campaign.shards.share import Share
    from stressfield.campaign.shrink import ShrunkFinding, shrink_finding
    from stressfield.campaign.study_record import PropertyRecord, StudyRecord
    from stressfield.campaign.tables import ResultTable, table_of
    from stressfield.campaign.verify import Problem, Verified, verify
    from stressfield.plugins import find_study, study_names, study_reference

__all__ = [
    "Campaigned",
    "Display",
    "ExperimentContext",
    "Ledger",
    "NamedCampaign",
    "Plan",
    "PlannedRun",
    "Prepared",
    "Problem",
    "Progress",
    "PropertyRecord",
    "Rejudged",
    "Replayed",
    "ResultTable",
    "Results",
    "Scored",
    "Searched",
    "Share",
    "ShrunkFinding",
    "Silence",
    "StudyRecord",
    "TestRecord",
    "Verified",
    "category",
    "digest",
    "evidence_of",
    "export_scenario",
    "find_run",
    "find_study",
    "load",
    "make_executor",
    "merge_shards",
    "plan_campaign",
    "prepare",
    "rejudge",
    "replay",
    "replay_all",
    "resume",
    "run_campaign",
    "run_shard",
    "searched",
    "series_of",
    "shrink_finding",
    "study_names",
    "study_of",
    "study_reference",
    "table_of",
    "verify",
    "write_shards",
]

lazy_names(__name__)
