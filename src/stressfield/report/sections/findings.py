"""What fails: the distinct failures, every property of the oracle, and whether repeats agree."""

from __future__ import annotations

from stressfield.analysis import Finding, Mechanism, PropertySummary
from stressfield.report.figures.bars import repeat_histogram
from stressfield.report.mechanisms import READ_MAX, campaign_mechanisms
from stressfield.report.page import (
    BREAK,
    Block,
    Cell,
    Column,
    Entry,
    Figure,
    Meter,
    Meters,
    Paragraph,
    Section,
    Side,
    Stack,
    Table,
    Words,
)
from stressfield.report.sections._material import PageMaterial
from stressfield.report.words import case_name, counted, figure, interval, percent, seconds, sentence


def findings_section(material: PageMaterial) -> Section | None:
    """One row per distinct failure, the gravest first; None if nothing was found."""
    findings = material.summary.findings
    if not findings:
        return None
    table = Table(
        "",
        (
            "Id",
            "What happens",
            Column("Runs", number=True),
            Column(f"{material.noun.capitalize()}s", number=True),
            Column("Worst margin", number=True),
            Column("At", number=True),
            "Mostly when",
            Column("Replay", fixed=True),
        ),
        [_finding(material, finding, place) for place, finding in enumerate(findings, start=1)],
    )
    blocks: list[Block] = [table]
    if material.without_pictures:
        blocks.append(Paragraph(f"The runs could not be drawn: {material.without_pictures}", "small"))
    return Section(
        name="findings",
        title="Findings",
        lead="One row per distinct failure: a violated property and the sub-case in which it happens, or a crash and "
        "the line it came from. The margin says by how much; it is negative where the rule is broken.",
        blocks=blocks,
    )


def _finding(material: PageMaterial, finding: Finding, place: int) -> tuple[Cell, ...]:
    known: tuple[str | Words, ...] = ()
    if finding.id in material.known:
        known = (BREAK, Words("known", "tag quiet"), Words(material.known[finding.id], "small"))
    seen: tuple[str | Words, ...] = ()
    if material.gallery.shows(finding.example_run_id):
        seen = (Words("clearest run", "small", href=f"#run={finding.example_run_id}"),)
    return (
        Entry(Words(finding.id, "tag"), sort=place),
        (Words(material.case(finding), "strong"), f" {material.headline(finding)}", *known),
        str(finding.runs),
        str(finding.worlds),
        Entry(figure(finding.worst, finding.unit), sort="" if finding.worst is None else finding.worst),
        Entry(seconds(finding.at_s), sort="" if finding.at_s is None else finding.at_s),
        Words(finding.condition, "code") if finding.condition else Words("nothing stands out", "soft"),
        (Words(material.replay(finding.id), "command"), *seen),
    )


SEEN_MAX = 4
"""Runs that a mechanism links to: the clearest."""


def mechanisms_section(material: PageMaterial) -> Section | None:
    """The ways in which findings came about; None if no recording tells of any."""
    found = [way for way in campaign_mechanisms(material.recordings) if way.recorded]
    if not found:
        return None
    read = len({run for each in found for run in each.run_ids})
    failing = material.summary.counts.get("fail", 0) + material.summary.crashed
    some = "" if read == failing else f" Of {failing:,} failing runs, {read:,} were read: those with a recording"
    if some:
        some += f", at most {READ_MAX}, the clearest." if read >= READ_MAX else "."
    return Section(
        name="mechanisms",
        title="Mechanisms",
        lead="Behind one finding there may be several ways to fail: what was hit, with which side of the robot, doing "
        f"what, under which disturbance. Runs that failed alike are one row.{some}",
        blocks=[
            Table(
                "",
                (
                    "Finding",
                    "Mechanism",
                    Column("Runs", number=True),
                    Column(f"{material.noun.capitalize()}s", number=True),
                    Column("See", fixed=True),
                ),
                [_mechanism(material, way, place) for place, way in enumerate(found, start=1)],
            )
        ],
    )


def _mechanism(material: PageMaterial, way: Mechanism, place: int) -> tuple[Cell, ...]:
    links: list[str | Words] = []
    for run_id in way.run_ids[:SEEN_MAX]:
        seen = material.gallery.shows(run_id)
        links += [
            " " if links else "",
            Words(run_id[:8], "" if seen else "code", href=f"#run={run_id}" if seen else ""),
        ]
    return (
        Entry(Words(way.finding, "tag"), sort=place),
        way.words,
        str(len(way.run_ids)),
        str(way.worlds),
        tuple(links),
    )


def properties_section(material: PageMaterial) -> Section:
    """Every property of the oracle: on or off, how often violated, in which sub-cases."""
    properties = [prop for prop in material.summary.properties if prop.listed]
    once = f" Intervals count each {material.noun} once, because repeats of one are alike."
    return Section(
        name="properties",
        title="Properties",
        lead="All rules that runs are judged by, and how often each was broken. A run may break several."
        f"{once if material.summary.sampled else ''} A failing run counts under the sub-case of its first violation.",
        blocks=[
            Table(
                "",
                (
                    "Property",
                    "Class",
                    Column("Failing runs", number=True),
                    Column("Share", number=True),
                    Column("Sub-cases", fixed=True),
                ),
                [_property(material, prop) for prop in properties],
                row_looks=["" if prop.on else "off" for prop in properties],
            )
        ],
    )


def _property(material: PageMaterial, prop: PropertySummary) -> tuple[Cell, ...]:
    title: tuple[str | Words, ...] = (Words(prop.name, "strong"), f" {sentence(prop.title)}")
    kind = Entry(prop.kind, look="nowrap soft")
    if not prop.on:
        would = f"; it would fail {counted(prop.failed, 'run')}" if prop.failed else ""
        why = f"{prop.why_off or 'not judged in this campaign'}{would}"
        off = (BREAK, Words("off", "tag quiet"), Words(why, "small"))
        # They are sorted below those that never failed.
        return ((*title, *off), kind, Entry("", sort=-1), Entry("", sort=-1), "")
    unclear = (BREAK, Words(f"{prop.inconclusive} inconclusive", "soft small")) if prop.inconclusive else ()
    if prop.vacuous:
        unclear = (*unclear, BREAK, Words(f"{prop.vacuous} vacuous", "soft small"))
    if prop.encounters is not None:
        unclear = (*unclear, BREAK, Words(counted(prop.encounters, "encounter"), "soft small"))
    share = percent(prop.failed / prop.judged if prop.judged else None)
    sure = interval(prop.rate) if material.summary.sampled else ""
    meters = [
        Meter(
            case_name(prop.name, case.name),
            case.failed / max(1, prop.failed),
            (Words(str(case.failed), "strong"), " ", Words(case.words, "soft")),
        )
        for case in prop.subcases
        if case.name
    ]
    return (
        title,
        kind,
        Entry((Words(str(prop.failed), "strong"), f" of {prop.judged}", *unclear), sort=prop.failed),
        Entry((share, BREAK, Words(sure, "soft small")), sort=prop.failed),
        Meters(meters),
    )


def repeatability_section(material: PageMaterial) -> Section:
    """Do runs of the same world agree?"""
    steady, noun = material.summary.repeatability, material.noun
    name, title = "repeatability", "Repeatability"
    if material.summary.results.plan.recorded is not None:
        return Section(name=name, title=title, lead=("A recording from the field cannot be repeated.",))
    if steady.repeats == 1:
        once = f"Every {noun} was run once, so nobody knows whether another run with other noise and delays would agree"
        return Section(name=name, title=title, lead=(f"{once}: ask with ", Words("--repeats 5", "code"), "."))
    sure = material.summary.sureness
    times = f"{steady.repeats} times" if sure is None else f"until its verdict was sure at {100 * sure.confidence:g} %,"
    words: list[Block] = [
        Paragraph(f"Every {noun} was run {times} with other noise and delays. Do its runs agree?", "lead")
    ]
    rate = steady.inconsistent
    if rate.total:
        words.append(
            (
                Words(f"{percent(rate.share)} ({interval(rate)})", "strong"),
                f" of {noun}s change their verdict from one repeat to another: {int(rate.count)} of {rate.total}.",
            )
        )
        if steady.disagreement is not None:
            words.append(
                f"Two runs of the same {noun}, drawn at random, disagree with a chance of "
                f"{100 * steady.disagreement:.0f} %."
            )
    else:
        words.append(f"No {noun} has all its repeats judged yet.")
    if steady.incomplete:
        number = len(steady.incomplete)
        are = "is" if number == 1 else "are"
        words.append(
            Paragraph(f"{counted(number, noun)} had a repeat without a verdict and {are} left out here.", "note")
        )
    if sure is not None:  # worlds were not run equally often: nothing to count by k of n
        words.append(
            f"{counted(sure.sure, noun)} are sure, {sure.undecided} undecided after {steady.repeats} runs. "
            f"{sure.spared} of {material.summary.done + sure.spared} runs were not needed."
        )
        return Section(name=name, title=title, blocks=words)
    told = f"Number of {noun}s by failing repeats: green never fail, red always, amber sometimes."
    return Section(
        name=name,
        title=title,
        blocks=[Side((Stack(words), Figure(repeat_histogram(steady.histogram), told)))],
    )
