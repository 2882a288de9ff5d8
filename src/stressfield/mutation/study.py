"""A mutant is a study: the same as another, with some of its files read from elsewhere. Every verb accepts its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from stressfield._overlay import lay
from stressfield.errors import InputError
from stressfield.plugins import find_study
from stressfield.scenario import Scenario
from stressfield.study import Build, Study
from stressfield.subject import Subject


def mutant_study(reference: str, files: Mapping[str, Path]) -> Study:
    """The study of that reference, its files (by absolute path) read from other places.

    In a process that has imported the files before, the mutant can be looked at and judged, but its robot cannot be
    started: it would be the unmutated one.
    """
    if lay({Path(original): place for original, place in files.items()}):
        return find_study(reference)
    study = find_study(reference)
    return replace(study, subject=tuple(Build(build.name, build.title, _refuse) for build in study.builds))


def _refuse(scenario: Scenario) -> Subject:
    del scenario
    raise InputError(
        "This process has imported the unmutated robot software: a mutant runs in worker processes of its own."
    )
