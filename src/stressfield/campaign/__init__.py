"""Many runs: plan, worker processes, ledger, resume; and judging or replaying what is in a campaign's folder.

================ ==========================================================================
Plan             what was asked; ``run_campaign(plan, folder)`` does it, ``resume`` goes on
Results          everything in a campaign's folder; ``load(folder)`` reads it
digest           one hash for all results, whatever the number of workers
rejudge          judge again with other properties, without simulating
replay           do one run again and compare, bit for bit
find_study       a study by name or file
run_experiment   all series of an experiment, each a campaign
Track            where the robot went, kept of every run
================ ==========================================================================
"""

from stressfield.campaign.digest import digest
from stressfield.campaign.executor import Executor, InProcessExecutor, LocalExecutor
from stressfield.campaign.experiment import Experimented, SeriesResults, run_experiment, series_plan
from stressfield.campaign.lookup import find_study, study_names, study_reference
from stressfield.campaign.records import JudgedRun, Plan, Results, RunRecord, ScenarioRecord
from stressfield.campaign.rejudge import Rejudged, rejudge
from stressfield.campaign.replay import Replayed, find_run, replay
from stressfield.campaign.runner import Campaigned, Progress, category, resume, run_campaign
from stressfield.campaign.scenario_files import export_scenario
from stressfield.campaign.store import Ledger, load
from stressfield.campaign.track import Track

__all__ = [
    "Campaigned",
    "Executor",
    "Experimented",
    "InProcessExecutor",
    "JudgedRun",
    "Ledger",
    "LocalExecutor",
    "Plan",
    "Progress",
    "Rejudged",
    "Replayed",
    "Results",
    "RunRecord",
    "ScenarioRecord",
    "SeriesResults",
    "Track",
    "category",
    "digest",
    "export_scenario",
    "find_run",
    "find_study",
    "load",
    "rejudge",
    "replay",
    "resume",
    "run_campaign",
    "run_experiment",
    "series_plan",
    "study_names",
    "study_reference",
]
