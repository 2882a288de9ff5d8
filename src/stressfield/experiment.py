"""An experiment of a study: a function that runs campaigns and writes what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A question, and the function that answers it with campaigns: ``stressfield experiment STUDY NAME``.

    ``run`` is called with a :class:`stressfield.campaign.ExperimentContext`, which runs its campaigns, continues those
    that were stopped, and keeps what it writes.
    """

    name: str
    title: str
    run: Callable[[Any], None]
    source: str = ""
    """Where the published figures come from."""
    takes: frozenset[str] = frozenset()
    """Which of ``keep``, ``sim``, ``evaluations``, ``seeds`` and ``only`` it heeds; to ask for another is an error."""
    shared_folder: bool = False
    """Whether its campaigns lie beside those of the study's other experiments, which use the same ones."""
