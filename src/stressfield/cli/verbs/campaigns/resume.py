"""``stressfield resume``: go on with a campaign."""

from __future__ import annotations

from stressfield.campaign import resume as resume_campaign
from stressfield.campaign.folder import read_plan
from stressfield.campaign.study_record import STUDY, read_study
from stressfield.cli.conclusion import check_known_issues, conclude
from stressfield.cli.options import (
    AgainTimeout,
    Details,
    ExecutorName,
    ExportWorlds,
    Folder,
    Jobs,
    KnownIssues,
    NoReport,
    StudyPlace,
)
from stressfield.cli.progress import campaign_progress
from stressfield.report.terminal import title_of


def resume(
    folder: Folder,
    study: StudyPlace = None,
    jobs: Jobs = None,
    run_timeout_s: AgainTimeout = None,
    no_report: NoReport = False,
    known_issues: KnownIssues = None,
    details: Details = False,
    export_worlds: ExportWorlds = None,
    executor: ExecutorName = "local",
) -> None:
    """Do what is missing of a campaign that was stopped or killed. Runs that were invalid are tried again."""
    check_known_issues(known_issues)
    plan, _ = read_plan(folder)
    name = read_study(folder).name if (folder / STUDY).exists() else plan.study
    with campaign_progress(title_of(plan, name)) as progress:
        done = resume_campaign(
            folder,
            study=study,
            jobs=jobs,
            run_timeout_s=run_timeout_s,
            export_worlds=export_worlds,
            progress=progress,
            executor=executor,
        )
    conclude(done, no_report=no_report, known_issues=known_issues, details=details)
