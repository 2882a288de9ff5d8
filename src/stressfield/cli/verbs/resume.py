"""``stressfield resume``: go on with a campaign."""

from __future__ import annotations

from stressfield.campaign import find_study
from stressfield.campaign import resume as resume_campaign
from stressfield.campaign.folder import read_plan
from stressfield.cli.conclusion import check_known_issues, conclude
from stressfield.cli.options import AgainTimeout, Details, ExportWorlds, Folder, Jobs, KnownIssues, NoReport
from stressfield.cli.progress import campaign_progress
from stressfield.report.terminal import title_of


def resume(
    folder: Folder,
    jobs: Jobs = None,
    run_timeout_s: AgainTimeout = None,
    no_report: NoReport = False,
    known_issues: KnownIssues = None,
    details: Details = False,
    export_worlds: ExportWorlds = None,
) -> None:
    """Do what is missing of a campaign that was stopped or killed. Runs that were invalid are tried again."""
    check_known_issues(known_issues)
    plan, _ = read_plan(folder)
    with campaign_progress(title_of(plan, find_study(plan.study).name)) as progress:
        done = resume_campaign(
            folder, jobs=jobs, run_timeout_s=run_timeout_s, export_worlds=export_worlds, progress=progress
        )
    conclude(done, no_report=no_report, known_issues=known_issues, details=details)
