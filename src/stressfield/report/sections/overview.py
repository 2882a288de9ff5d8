"""The top of a campaign's page, what a manager needs to know, and the words of the page."""

from __future__ import annotations

from markupsafe import Markup

from stressfield.analysis import Finding
from stressfield.campaign.command import begin_command
from stressfield.campaign.plan import Plan
from stressfield.report.page import (
    Block,
    Card,
    Cards,
    Heading,
    Pairs,
    Paragraph,
    Part,
    Rich,
    Section,
    Shares,
    Tile,
    Tiles,
    Words,
)
from stressfield.report.pictures import stored_pictures
from stressfield.report.sections._material import PageMaterial
from stressfield.report.words import ENDINGS, TIMES, brief, command, counted, figure, interval, percent, seconds

CARDS_MAX = 6
GLOSSARY = (
    ("World", "one generated place: ground, plants or obstacles, and where the robot starts."),
    ("Descriptor", "the short text that names all choices made for a world; the same text builds the same world."),
    ("Mission", "what the robot is asked to do in a world."),
    ("Run", "one execution of the mission in a world. Noise and delays differ from run to run, as on a real robot."),
    ("Repeat", "another run in the same world with other noise and delays."),
    ("Property", "a rule that must hold during a run, such as 'no collision'."),
    ("Sub-case", "the circumstances in which a property was violated, worked out automatically."),
    ("Margin", "how far a run stayed from violating a property, in its unit; negative when it was violated."),
    ("Finding", "one distinct failure: a property and sub-case, and all runs that show it."),
    ("Inconclusive", "the property saw too little data to decide. Never counted as a pass."),
    ("Invalid", "the test rig itself had trouble. Never counted as a pass or a fail."),
    ("Crashed", "the robot software stopped by an error of its own: a finding, named after the error and its line."),
    ("Hung", "the robot software was still busy when the run's wall time was over: a finding, too."),
    ("CI", "confidence interval: the range that holds the true value in 95 of 100 such campaigns."),
    (
        "p",
        "the chance of so strong a pattern if there were none, corrected for the number of patterns tried.",
    ),
)


def kicker(material: PageMaterial) -> Rich:
    """Who was tested, in one line."""
    summary, plan = material.summary, material.summary.results.plan
    title = summary.build_title
    build = f"{plan.build}: {title}" if title and title != plan.build else plan.build
    size = f"{counted(len(summary.results.scenarios), plan.noun)} {TIMES} {counted(plan.repeats, 'repeat')}"
    return ("Study ", Words(summary.study, "strong"), " · build ", Words(build, "strong"), f" · {size}")


def page_facts(material: PageMaterial) -> tuple[tuple[str, Rich], ...]:
    """With what; free of the clock, because the same results give the same page."""
    results = material.summary.results
    simulated_s = material.summary.simulated_s
    facts: list[tuple[str, Rich]] = [
        ("Strategy", results.plan.strategy_name),
        ("Seed", str(results.plan.seed)),
        ("Disturbed in every world", "; ".join(map(brief, results.plan.disturbances))),
        (
            "Simulated" if results.plan.recorded is None else "Recorded",
            f"{simulated_s / 3600:.1f} h" if simulated_s >= 3600 else f"{simulated_s / 60:.1f} min",
        ),
        ("Versions", ", ".join(f"{name} {version}" for name, version in sorted(results.versions.items()))),
        ("Digest of all results", Words(material.summary.digest, "mono")),
    ]
    return tuple((name, value) for name, value in facts if value)


def reproduce(plan: Plan, folder: str) -> str:
    """The command that runs the campaign again; worlds from a list of templates can only be resumed."""
    return begin_command(plan, folder, out=f"{folder}-again") or command("stressfield", "resume", folder)


def headline(material: PageMaterial) -> str:
    """The one sentence that says how it went."""
    summary, noun = material.summary, material.noun
    failed, passed, crashed = summary.counts.get("fail", 0), summary.counts.get("pass", 0), summary.crashed
    broke = f"The robot software crashed or hung in {crashed:,} of {counted(summary.done, 'run')}."
    if summary.judged == 0:
        return f"{broke} Nothing else was judged." if crashed else summary.nothing_judged
    sure = f"{interval(summary.rate)}, each {noun} counted once"
    if failed == 0:
        who = "every one of" if passed == summary.judged else f"{passed:,} of"
        least = (
            f"; the failing rate is likely below {100 * summary.rate.high:.0f} % ({sure})" if summary.sampled else ""
        )
        passes = f"The robot passed {who} {counted(summary.judged, 'judged run')} and failed none{least}."
        return f"{broke} {passes}" if crashed else passes
    share = percent(failed / summary.judged) + (f", {sure}" if summary.sampled else "")
    fails = f"The robot failed in {failed:,} of {counted(summary.judged, 'judged run')} ({share})."
    return f"{fails} {broke}" if crashed else fails


def summary_section(material: PageMaterial) -> Section:
    """Sentences, big numbers, and the gravest findings with a picture each."""
    summary, noun = material.summary, material.noun
    counts, total = summary.counts, max(1, summary.done)
    failing = summary.failing_worlds
    worlds = len(summary.repeatability.worlds)
    # After a single run of each, nobody knows whether a verdict would change.
    changing = summary.repeatability.inconsistent.share if summary.repeatability.repeats > 1 else None
    parts = [Part(kind, words, counts.get(kind, 0), counts.get(kind, 0) / total) for kind, words in ENDINGS.items()]
    failed, silent = counts.get("fail", 0) + summary.crashed, counts.get("invalid", 0) + counts.get("inconclusive", 0)
    blocks: list[Block] = [
        Paragraph((Words(headline(material), "strong"), " ", _more(material, failing)), "verdict"),
        Shares(parts, always=("pass", "fail")),
        Tiles(
            (
                Tile(
                    f"{failed:,}", "failing runs, crashes included" if summary.crashed else "failing runs", failed > 0
                ),
                Tile(f"{failing:,} of {worlds:,}", f"{noun}s with a failing run", failing > 0),
                Tile(f"{len(summary.findings)}", "distinct findings", bool(summary.findings)),
                Tile(percent(changing), f"of {noun}s change verdict between repeats"),
                Tile(f"{silent:,}", "runs without a verdict (inconclusive or rig trouble)"),
            )
        ),
    ]
    if summary.findings:
        shown = summary.findings[:CARDS_MAX]
        pictures = {**material.gallery.pictures, **stored_pictures(shown, material.recordings.folder)}
        blocks += [
            Heading("What goes wrong"),
            Paragraph(
                "The gravest findings first. Each picture is the clearest example, seen from above, with the robot's "
                "outline in red where it violates the rule.",
                "lead",
            ),
            Cards([_card(material, finding, pictures.get(finding.id)) for finding in shown]),
        ]
        if len(summary.findings) > CARDS_MAX:
            blocks.append(
                Paragraph(f"{len(summary.findings) - CARDS_MAX} more in the table of findings.", "soft small")
            )
    return Section(name="summary", title="Summary", blocks=blocks)


def _more(material: PageMaterial, failing_worlds: int) -> str:
    summary, steady = material.summary, material.summary.repeatability
    said = []
    if summary.findings:
        most = max(summary.findings, key=lambda finding: finding.runs)
        said.append(f"Most often: {material.headline(most)} ({counted(most.runs, 'run')}).")
    if failing_worlds and steady.repeats > 1 and steady.inconsistent.total:
        count = int(steady.inconsistent.count)
        some = "; those failed in every repeat."
        if count:
            some = f"; {count} of them in some repeats only, so a single run would at times have missed them."
        said.append(f"{failing_worlds} of {counted(len(steady.worlds), material.noun)} failed at least once{some}")
    if summary.done < summary.planned:
        said.append(f"{summary.done} of {summary.planned} runs are done.")
    if not summary.sampled:
        said.append("The tests were chosen, not drawn: their share is not how often the robot fails in the field.")
    invalid, unclear = (summary.counts.get(kind, 0) for kind in ("invalid", "inconclusive"))
    if invalid:
        said.append(f"{counted(invalid, 'run')} ended in trouble of the rig itself and say nothing of the robot.")
    if unclear:
        said.append(f"{counted(unclear, 'run')} gave too little data for a verdict.")
    return " ".join(said)


def _card(material: PageMaterial, finding: Finding, picture: Markup | None) -> Card:
    lines: list[Rich] = [
        (
            Words(f"{material.case(finding)}.", "strong"),
            f" Seen in {counted(finding.runs, 'run')} in {counted(finding.worlds, material.noun)}.",
        )
    ]
    if finding.told:
        lines.append(Words(finding.told.splitlines()[0], "code"))
    if finding.worst is not None:
        at = f", {seconds(finding.at_s)} into the run." if finding.at_s is not None else "."
        lines.append(("Worst margin ", Words(figure(finding.worst, finding.unit), "strong"), at))
    lines.append(
        ("Mostly when ", Words(finding.condition, "code"), ".")
        if finding.condition
        else "No single circumstance stands out."
    )
    seen = material.gallery.pictured.get(finding.id, finding.example_run_id)
    more = None
    if material.gallery.shows(seen):
        recorded = "recorded " if seen != finding.example_run_id else ""
        more = Words(f"See the clearest {recorded}run \N{RIGHTWARDS ARROW}", href=f"#run={seen}")
    return Card((Words(finding.id, "tag"), material.headline(finding)), lines, picture, more)


def glossary_section(_: PageMaterial) -> Section:
    """The words of the page, for a reader who meets them for the first time."""
    return Section(
        name="glossary",
        title="Glossary",
        blocks=[Pairs([(f"{word}:", meaning) for word, meaning in GLOSSARY], "glossary")],
    )
