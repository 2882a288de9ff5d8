"""Repeats of one scenario, run again with a recording, to find out when and in which signal they part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stressfield.analysis import Divergence, divergence
from stressfield.campaign import evidence_of
from stressfield.errors import StressfieldError
from stressfield.run import JudgedRun
from stressfield.trace import Trace
from stressfield_studies.mana.page.facts import ProgrammeFacts, SeriesFacts
from stressfield_studies.mana.page.tracks import shown_map


@dataclass(frozen=True, slots=True)
class Located:
    """Two repeats of one map of a series, and where they part; ``trouble`` says why that is not known."""

    series: str
    title: str
    value: float
    found: Divergence | None
    trouble: str = ""

    @property
    def sentence(self) -> str:
        return self.trouble if self.found is None else self.found.sentence()


def locate(facts: ProgrammeFacts, *, progress: Callable[[int, int], None] | None = None) -> tuple[Located, ...]:
    """One pair for each series with the right build: on the map that is shown, the two runs that get furthest apart."""
    signals = facts.done.programme.signals
    chosen = [series for series in facts.series if series.series.levels_from is None] if signals else []
    located = []
    for number, series in enumerate(chosen):
        pair = _located(facts, series)
        if pair is not None:
            located.append(pair)
        if progress is not None:
            progress(number + 1, len(chosen))
    return tuple(located)


def _located(facts: ProgrammeFacts, series: SeriesFacts) -> Located | None:
    shown = shown_map(series)
    if shown is None:
        return None
    name, title = series.series.name, series.series.title
    try:
        trace, other = (_recorded(series, judged) for judged in shown.furthest)
        return Located(name, title, shown.value, divergence(trace, other, facts.done.programme.signals))
    except StressfieldError as error:
        return Located(name, title, shown.value, None, f"Could not be found out: {error}")


def _recorded(series: SeriesFacts, judged: JudgedRun) -> Trace:
    """The recording of a run: kept, or made again. The runs have ended well before, so no worker is needed."""
    return evidence_of(series.source.results, judged, in_process=True).trace
