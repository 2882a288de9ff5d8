"""The sections of a campaign's page, each made by one function in one place.

A section is a function of the :class:`PageMaterial` that gives a Section, or None if there is nothing to tell. To add
one, write it and put it into ``SECTIONS``: HTML, terminal, Markdown and JSON come from the renderers.
"""

from collections.abc import Callable
from typing import Final

from stressfield.report.page import Section
from stressfield.report.sections._material import PageMaterial
from stressfield.report.sections.evidence import (
    faults_section,
    metrics_section,
    monitors_section,
    parameters_section,
    published_section,
)
from stressfield.report.sections.findings import (
    findings_section,
    mechanisms_section,
    properties_section,
    repeatability_section,
)
from stressfield.report.sections.overview import glossary_section, summary_section
from stressfield.report.sections.runs import runs_section, unjudged_section, worlds_section
from stressfield.report.sections.search import listed_section, search_section

SECTIONS: Final[tuple[Callable[[PageMaterial], Section | None], ...]] = (
    summary_section,
    listed_section,
    search_section,
    findings_section,
    mechanisms_section,
    properties_section,
    repeatability_section,
    metrics_section,
    monitors_section,
    published_section,
    parameters_section,
    faults_section,
    worlds_section,
    runs_section,
    unjudged_section,
    glossary_section,
)
"""In the order of the page."""

__all__ = [
    "SECTIONS",
    "PageMaterial",
    "faults_section",
    "findings_section",
    "glossary_section",
    "listed_section",
    "mechanisms_section",
    "metrics_section",
    "monitors_section",
    "parameters_section",
    "properties_section",
    "published_section",
    "repeatability_section",
    "runs_section",
    "search_section",
    "summary_section",
    "unjudged_section",
    "worlds_section",
]
