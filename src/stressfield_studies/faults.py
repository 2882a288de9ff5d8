"""Known issues of a study, and the experiment that looks for each of them.

A study lists its issues as :class:`Fault` and makes an experiment of them with :func:`faults_experiment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stressfield import Experiment
from stressfield.oracle import Profile
from stressfield.scenario import Options

if TYPE_CHECKING:
    from stressfield.campaign import ExperimentContext

TITLE = "Each known issue alone, against the build without it"


@dataclass(frozen=True, slots=True)
class Fault:
    """One known issue, switched on alone, and the circumstances in which it is looked for."""

    name: str
    title: str
    nature: str
    build: str
    options: Options = field(default_factory=dict)
    baseline: str = "fixed"
    """The build to compare with."""
    baseline_options: Options = field(default_factory=dict)
    include: tuple[str, ...] = ()
    """Properties to switch on."""
    template: str = "r"
    field_tests: str = ""
    """Whether field tests showed it, as published."""
    published: str = ""
    """Whether the published simulation showed it."""
    expected: bool | None = None
    """Whether it should be revealed here; None if nobody can say."""
    note: str = ""


def faults_experiment(faults: Sequence[Fault], *, worlds: int = 80, repeats: int = 2) -> Experiment:
    """The experiment ``faults`` of a study: ``stressfield experiment STUDY faults``, or ``--only ISSUE`` of them."""

    def run(context: ExperimentContext) -> None:
        # Analysis and reports are slow to import, and workers that load a study do without them.
        from stressfield_studies.fault_search import search_faults  # noqa: PLC0415

        size = (4, 1) if context.quick else (worlds, repeats)
        search_faults(faults, context, worlds=size[0], repeats=size[1])

    return Experiment(name="faults", title=TITLE, run=run, takes=frozenset({"keep", "only"}), profile=Profile.PUBLISHED)
