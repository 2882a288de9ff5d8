"""What the sections of a campaign's page are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stressfield.analysis import Finding, Summary
from stressfield.report.figures.tracks import Explained
from stressfield.report.gallery import Gallery, Recordings, case_of, headline_of
from stressfield.report.page import Table
from stressfield.report.words import command
from stressfield.study import Study


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PageMaterial:
    """The summary of a campaign, its study if that is at hand, and the runs that the page shows."""

    summary: Summary
    study: Study | None
    recordings: Recordings
    gallery: Gallery
    known: Mapping[str, str]
    """Why findings are known issues, by their names."""
    faults: Table | None = None
    """What the experiment ``faults`` found of this study, if the page is to show it."""
    without_pictures: str = ""
    """Why the study's own pictures of runs could not be made."""

    @property
    def folder(self) -> str:
        """Of the campaign, as commands name it."""
        return self.summary.results.folder

    @property
    def noun(self) -> str:
        """What the campaign calls its scenarios: a world, or a test."""
        return self.summary.results.plan.noun

    @property
    def properties(self) -> Mapping[str, Explained]:
        """Those of the campaign's oracle, by name."""
        return self.recordings.properties

    def replay(self, name: str) -> str:
        """The command that shows a run or a finding again."""
        return command("stressfield", self.summary.results.plan.again_verb, self.folder, name)

    def case(self, finding: Finding) -> str:
        """See :func:`case_of`."""
        return case_of(finding)

    def headline(self, finding: Finding) -> str:
        """See :func:`headline_of`."""
        return headline_of(finding, self.properties)
