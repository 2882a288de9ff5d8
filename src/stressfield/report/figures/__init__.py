"""The kit of figures: pieces of plots and of scenes from above, and the figures that reports are made of.

=========================== =======================================================================
Axes, svg, text, ...        axes, ticks, marks and words: every plot is made of them
stacked_bars                of all runs, in how many something held (`Bar`)
repeat_histogram            worlds by failing repeats
strip_plot                  a parameter against the share of failing runs
series_figure               values over the time of a run (`Line`)
disturbed_figures           series of one run, and what was sent against what arrived
front_figure                the front of a search, every pair of objectives (`FrontPoint`)
hypervolume_figure          how fronts grew, of several campaigns (`Curves`); ``coverage_figure`` likewise
View, ground, bodies, ...   a world from above: every map is made of them
world_svg                   a world from above
run_svg                     one run from above, with its violations
tracks_of, marks_of         where robots went and where properties were violated, thinned for drawing
=========================== =======================================================================

All of them give SVG as Markup: every text in it is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.report.figures.bars import Bar, repeat_histogram, stacked_bars, strip_plot
    from stressfield.report.figures.plot import Axes, padded, panel, svg, symbol, text, ticks, x_axis
    from stressfield.report.figures.run_picture import run_svg
    from stressfield.report.figures.scene import (
        LINE_COLOURS,
        View,
        bodies,
        extent_m,
        ground,
        outline,
        picture,
        polyline,
        regions,
        robots,
        ruler,
        world_svg,
    )
    from stressfield.report.figures.search import Curves, FrontPoint, coverage_figure, front_figure, hypervolume_figure
    from stressfield.report.figures.series import Line, disturbed_figures, series_figure
    from stressfield.report.figures.tracks import Trajectory, explanation_of, marks_of, tracks_of

__all__ = [
    "LINE_COLOURS",
    "Axes",
    "Bar",
    "Curves",
    "FrontPoint",
    "Line",
    "Trajectory",
    "View",
    "bodies",
    "coverage_figure",
    "disturbed_figures",
    "explanation_of",
    "extent_m",
    "front_figure",
    "ground",
    "hypervolume_figure",
    "marks_of",
    "outline",
    "padded",
    "panel",
    "picture",
    "polyline",
    "regions",
    "repeat_histogram",
    "robots",
    "ruler",
    "run_svg",
    "series_figure",
    "stacked_bars",
    "strip_plot",
    "svg",
    "symbol",
    "text",
    "ticks",
    "tracks_of",
    "world_svg",
    "x_axis",
]

lazy_names(__name__)
