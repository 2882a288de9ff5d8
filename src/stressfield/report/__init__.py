"""Tell people: one HTML file for a campaign, pictures and replays of single runs.

======================== ==========================================================================
write_report             results of a campaign -> report.html, whole or not at all
report_html              the same, as text
findings_of              the findings under the names (F1, F2, ...) that the report gives them
run_svg                  one run as a still picture, seen from above
replay_html              one run as a page that plays it
run_series               the study's quantities of a run over time
front_figure             the front of a search, every pair of objectives (`FrontPoint`)
hypervolume_figure       how fronts grew, of several campaigns (`Curves`); ``coverage_figure`` likewise
disturbed_figures        series of one run, and what was sent against what arrived
experiment_facts         what the runs of an experiment say: levels, trends, scores
locate                   when and in which signal repeats part
write_experiment_report  report.html and levels.csv of an experiment
======================== ==========================================================================

The page needs no network, runs only its own script, and is the same bytes for the same results.
"""

from stressfield.report.campaign_page import report_html, write_report
from stressfield.report.curve_figure import Curves, coverage_figure, hypervolume_figure
from stressfield.report.disturbed_figures import disturbed_figures
from stressfield.report.experiment_divergence import Located, locate
from stressfield.report.experiment_facts import ExperimentFacts, experiment_facts
from stressfield.report.experiment_page import experiment_html, write_experiment_report
from stressfield.report.facts import findings_of
from stressfield.report.front_figure import FrontPoint, front_figure
from stressfield.report.replay_page import replay_html
from stressfield.report.run_picture import run_svg
from stressfield.report.search_section import run_series

__all__ = [
    "Curves",
    "ExperimentFacts",
    "FrontPoint",
    "Located",
    "coverage_figure",
    "disturbed_figures",
    "experiment_facts",
    "experiment_html",
    "findings_of",
    "front_figure",
    "hypervolume_figure",
    "locate",
    "replay_html",
    "report_html",
    "run_series",
    "run_svg",
    "write_experiment_report",
    "write_report",
]
