"""Many runs: plan, worker processes, ledger, resume; and judging or replaying what is in a campaign's folder.

================ ==========================================================================
Plan             what was asked; ``run_campaign(plan, folder)`` does it, ``resume`` goes on
Fuzzing          the part of a plan that asks for disturbances; ``with_budget(space, ...)`` says how to search
searched         what a search found: every test with its objectives, and the front
Results          everything in a campaign's folder; ``load(folder)`` reads it
digest           one hash for all results, whatever the number of workers
rejudge          judge again with other properties, without simulating
replay           do one run again and compare, bit for bit; ``replay_all`` many
verify           is every row and every trace still what it was?
find_study       a study by name or file
ExperimentContext what an experiment is given; it runs each `NamedCampaign`, or continues it
evidence_of      a run's recording and scenario, run again if it was not kept; ``series_of`` its quantities over time
================ ==========================================================================
"""

from stressfield.campaign.digest import digest
from stressfield.campaign.experiment import Display, ExperimentContext, NamedCampaign, Silence
from stressfield.campaign.front import Scored, Searched, searched
from stressfield.campaign.fuzzing import with_budget
from stressfield.campaign.progress import Progress, category
from stressfield.campaign.records import Fuzzing, Plan, Results, TestRecord
from stressfield.campaign.rejudge import Rejudged, rejudge
from stressfield.campaign.replay import Replayed, find_run, replay, replay_all
from stressfield.campaign.runner import Campaigned, resume, run_campaign
from stressfield.campaign.scenario_files import export_scenario
from stressfield.campaign.series import evidence_of, series_of
from stressfield.campaign.store import Ledger, load
from stressfield.campaign.verify import Problem, Verified, verify
from stressfield.plugins import find_study, study_names, study_reference

__all__ = [
    "Campaigned",
    "Display",
    "ExperimentContext",
    "Fuzzing",
    "Ledger",
    "NamedCampaign",
    "Plan",
    "Problem",
    "Progress",
    "Rejudged",
    "Replayed",
    "Results",
    "Scored",
    "Searched",
    "Silence",
    "TestRecord",
    "Verified",
    "category",
    "digest",
    "evidence_of",
    "export_scenario",
    "find_run",
    "find_study",
    "load",
    "rejudge",
    "replay",
    "replay_all",
    "resume",
    "run_campaign",
    "searched",
    "series_of",
    "study_names",
    "study_reference",
    "verify",
    "with_budget",
]
