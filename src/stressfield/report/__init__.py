"""Tell people: one HTML file for a campaign, pictures and replays of single runs.

======================== ==========================================================================
write_report             results of a campaign -> report.html, whole or not at all
report_html              the same, as text
findings_of              the findings under the names (F1, F2, ...) that the report gives them
run_svg                  one run as a still picture, seen from above
replay_html              one run as a page that plays it
======================== ==========================================================================

The page needs no network, runs only its own script, and is the same bytes for the same results.
"""

from stressfield.report.facts import findings_of
from stressfield.report.html import report_html, write_report
from stressfield.report.replay_page import replay_html
from stressfield.report.run_picture import run_svg

__all__ = ["findings_of", "replay_html", "report_html", "run_svg", "write_report"]
