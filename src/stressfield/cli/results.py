"""``stressfield results``: the figures of a campaign."""

from __future__ import annotations

from stressfield._files.json_text import dump_json
from stressfield.campaign import find_study, load
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson, Folder
from stressfield.cli.screen import show_monitors, show_next, show_summary, title_of
from stressfield.cli.search_screen import show_search
from stressfield.cli.summary import summarise, to_json


def results(folder: Folder, json: AsJson = False) -> None:
    """Show counts per property and sub-case, repeatability and findings."""
    loaded = load(folder)
    study = find_study(loaded.plan.study)
    summary = summarise(loaded, study)
    if json:
        echo(dump_json(to_json(summary)))
        return
    plan = loaded.plan
    simulator = f", simulator {plan.simulator}" if plan.simulator else ""
    name = f"{study.name}, build {plan.build}, seed {plan.seed}{simulator}"
    echo(title_of(plan, name))
    show_summary(summary, {one.name: one for one in study.oracle.properties}, tables=True)
    show_monitors(loaded.runs)
    show_search(loaded)
    echo(f" digest:  {summary.digest}")
    report = folder / "report.html"
    show_next(summary, report if report.exists() else None)
