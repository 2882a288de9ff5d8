"""``stressfield judge``: recordings from the field, by the properties of a study."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from stressfield.campaign import Results, find_study
from stressfield.cli.conclusion import check_known_issues, conclude
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    WHAT,
    Details,
    KnownIssues,
    NoReport,
    Out,
    Overwrite,
    ProfileName,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.progress import step_progress
from stressfield.field import judge_recordings
from stressfield.field.judgement import IN_THE_FIELD
from stressfield.oracle import Outcome, Profile
from stressfield.report.words import counted, figure
from stressfield.trace.bags.field_topics import read_field_topics

MOST_SHOWN = 20
"""Recordings whose verdicts are printed one by one; the report has all."""

Bags = Annotated[
    list[Path],
    typer.Argument(metavar="BAG...", help="Recordings: folders of rosbag2, .mcap, .db3 or .bag files."),
]
Mapping = Annotated[
    Path | None,
    typer.Option(
        "--map-topics",
        metavar="FILE",
        help="TOML that says which topic is whose pose, command, scan. Default: as the study says.",
        show_default=False,
        rich_help_panel=WHAT,
    ),
]
WorldPlace = Annotated[
    str,
    typer.Option(
        "--world",
        metavar="WORLD",
        help="Where it was: a descriptor of the study, an SDF file, or a map (.yaml). Default: not known.",
        show_default=False,
        rich_help_panel=WHAT,
    ),
]


def judge(
    study: StudyName,
    bags: Bags,
    map_topics: Mapping = None,
    world: WorldPlace = "",
    seed: Annotated[
        int, typer.Option(help="What the descriptor of --world leaves open follows from it.", rich_help_panel=WHAT)
    ] = 0,
    build: Annotated[
        str, typer.Option(help="A name for the software that was on the robot.", rich_help_panel=WHAT)
    ] = IN_THE_FIELD,
    option: StudyOption = None,
    out: Out = None,
    profile: ProfileName = Profile.STRICT.value,
    with_: With = None,
    without: Without = None,
    overwrite: Overwrite = False,
    no_report: NoReport = False,
    details: Details = False,
    known_issues: KnownIssues = None,
) -> None:
    """Judge recordings from the field by the properties of a study, without simulating.

    What a property needs and the recording lacks makes it inconclusive, with the reason; it never passes.
    """
    check_known_issues(known_issues)
    found = find_study(study)
    topics = found.field_topics if map_topics is None else read_field_topics(map_topics, found.field_topics)
    folder = Path("runs") / f"{found.name}-field" if out is None else out
    with step_progress("judge") as progress:
        done = judge_recordings(
            study, bags, folder,
            topics=topics, world=world, seed=seed, build=build, options=found.read_options(option or ()),
            profile=profile, include=with_ or (), exclude=without or (), overwrite=overwrite, progress=progress,
            asked=_asked(map_topics, world, seed),
        )  # fmt: skip
    for path, notes in done.notes.items():
        echo(f" {Path(path).name}: {'; '.join(notes)}.")
    for line in (*_verdicts(done.campaign.results), *_unsettled(done.campaign.results)):
        echo(f" {line}")
    conclude(done.campaign, no_report=no_report, known_issues=known_issues, details=details)


def _asked(map_topics: Path | None, world: str, seed: int) -> list[str]:
    """How to say it again."""
    place = [] if not world else ["--world", world, *(["--seed", str(seed)] if seed else [])]
    return [*place, *(["--map-topics", str(map_topics.absolute())] if map_topics is not None else [])]


def _verdicts(results: Results) -> list[str]:
    """What each property says of each recording, with its margin; of the first recordings if there are many."""
    lines = []
    for judged in results.runs[:MOST_SHOWN]:
        told = [
            f"{verdict.property} {verdict.outcome.value}"
            + ("" if verdict.margin is None else f" ({figure(verdict.margin, verdict.unit)})")
            for verdict in judged.verdicts
        ]
        lines += [f"{results.scenario_of(judged.run).descriptor}: {' · '.join(told)}"] if told else []
    return lines


def _unsettled(results: Results) -> list[str]:
    """Why properties are inconclusive, each reason once."""
    reasons: dict[str, Counter[str]] = {}
    for judged in results.runs:
        for verdict in judged.verdicts:
            if verdict.outcome is Outcome.INCONCLUSIVE:
                reasons.setdefault(verdict.note, Counter())[verdict.property] += 1
    many = counted(len(results.runs), "recording")
    return [
        f"inconclusive in {max(names.values())} of {many}: {', '.join(names)}. {note}"
        for note, names in reasons.items()
    ]
