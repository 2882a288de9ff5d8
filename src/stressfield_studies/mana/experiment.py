"""The experiments of the `mana` study: how difficult do trees, buildings and uneven ground make a world?

The source says which controls were sampled with a fixed increment, and how many runs each series had; it does not list
the configurations. They are inferred here:

- trees, 570 runs: 0 to 9 % by 0.5 are 19 configurations. 570 / 19 = 30 runs, so 6 maps x 5 runs. That contradicts the
  text, which says 5 maps; but 570 is no multiple of 5 x 5. Then 0 to 5 % are 11, 5.5 to 7 % 4 and 7.5 to 9 % 4
  configurations, and the published mean collisions become whole numbers of runs: 3.82 = 42 / 11, 9.75 = 39 / 4,
  9.25 = 37 / 4.
- buildings, 900 runs: 36 configurations of 5 maps x 5 runs. Which ones is a guess: the last is 28.25 %; by 0.75 (a
  building covers 0.81 %) that is 2.75 to 28.25 %, and the flat empty world before them.
- ground, 375, 300 and 200 runs: 15, 12 and 8 configurations of 5 maps x 5 runs: from 0 by 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from stressfield.analysis import ComparedSignal
from stressfield.campaign import ExperimentContext
from stressfield.model import template
from stressfield.oracle import Profile
from stressfield.study import Experiment
from stressfield_studies.mana import published, robot
from stressfield_studies.mana.model import ManaWorld
from stressfield_studies.mana.series import (
    Configuration,
    Expectation,
    Programme,
    Published,
    Series,
    TrendKind,
    run_series,
)

TREES_PERCENT = tuple(0.5 * n for n in range(19))
BUILDINGS_PERCENT = (0.0, *(2.75 + 0.75 * n for n in range(35)))
"""A guess: only the last and the number of configurations are published."""
GROUND_M = {
    2: tuple(0.5 * n for n in range(15)),
    4: tuple(0.5 * n for n in range(12)),
    6: tuple(0.5 * n for n in range(8)),
}
QUICK_TREES = (0.0, 3.0, 5.0, 6.0, 7.0, 9.0)
QUICK_BUILDINGS = (0.0, 5.0, 12.5, 17.0, 20.0, 27.5)
QUICK_GROUND = {
    2: (0.0, 2.0, 3.0, 4.0, 5.0, 5.5, 7.0),
    4: (0.0, 1.5, 2.0, 2.5, 3.5, 4.0, 5.0),
    6: (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.5),
}
"""At equal control above 0, one comparison needs five pairs to show anything; the two of the grounds need six."""

SIGNALS = (
    ComparedSignal(name="scan", topic=robot.POINTS),
    ComparedSignal(name="map", topic=robot.MAP),
    ComparedSignal(name="elected arc", topic=robot.ARC, paths=("curvature",), tolerance=0.02, unit="1/m"),
    ComparedSignal(
        name="command",
        topic=robot.COMMAND,
        paths=("linear.x", "angular.z"),
        tolerance=0.1,
        unit="m/s or rad/s",
        slack_s=0.1,
    ),
    ComparedSignal(
        name="pose",
        topic=f"/truth/{robot.MANA.name}/pose",
        paths=("pose.position.x", "pose.position.y"),
        tolerance=0.5,
        unit="m",
    ),
)
"""From cause to effect. Scans and maps differ by noise at once; what counts is when a decision does.

Arcs whose curvature differs by 0.02 1/m end 0.3 m apart. P3D tells the curvature 0 when it elects none: that it refuses
in one run and drives straight on in the other shows in the command. Commands come with every pose: that one run changes
its command a pose (0.1 s) before the other is no parting.
"""


def trees(quick: bool) -> Series:
    """Trees of 1 x 1 m on level ground."""
    values = QUICK_TREES if quick else TREES_PERCENT
    maps = 2 if quick else 6
    return _obstruction("trees", "Trees", values, building_share=0.0, maps=maps, quick=quick, said=published.TREES)


def buildings(quick: bool) -> Series:
    """Buildings of 9 x 9 m on level ground."""
    values = QUICK_BUILDINGS if quick else BUILDINGS_PERCENT
    maps = 2 if quick else 5
    return _obstruction(
        "buildings", "Buildings", values, building_share=1.0, maps=maps, quick=quick, said=published.BUILDINGS
    )


def ground(subdivisions: int, quick: bool) -> Series:
    """Uneven ground without obstacles."""
    values = (QUICK_GROUND if quick else GROUND_M)[subdivisions]
    return Series(
        name=f"ground-s{subdivisions}",
        title=f"Ground s = {subdivisions}",
        control="deformation d",
        unit="m",
        build="fixed",
        configurations=tuple(
            Configuration(value, _template(subdivisions=subdivisions, deformation_m=value)) for value in values
        ),
        maps=2 if quick else 5,
        repeats=3 if quick else 5,
        published=published.GROUND[subdivisions],
    )


def faulty(series: Series, said: Published) -> Series:
    """The same maps, with a navigation that believes the robot is smaller."""
    return replace(
        series,
        name=f"{series.name}-faulty",
        title=f"{series.title}, faulty",
        build="faulty",
        levels_from=series.name,
        published=said,
    )


def _obstruction(
    name: str, title: str, values: Sequence[float], *, building_share: float, maps: int, quick: bool, said: Published
) -> Series:
    return Series(
        name=name,
        title=title,
        control=f"obstruction by {name}",
        unit="%",
        build="fixed",
        configurations=tuple(
            Configuration(value, _template(obstruction_percent=value, building_share=building_share))
            for value in values
        ),
        maps=maps,
        repeats=3 if quick else 5,
        published=said,
    )


def _template(
    *,
    subdivisions: int = 2,
    deformation_m: float = 0.0,
    obstruction_percent: float = 0.0,
    building_share: float = 0.0,
) -> str:
    return template(
        ManaWorld,
        {
            "ground.subdivisions": subdivisions,
            "ground.deformation_m": deformation_m,
            "obstacles.obstruction_percent": obstruction_percent,
            "obstacles.building_share": building_share,
        },
    )


def _obstacles(quick: bool) -> tuple[Series, ...]:
    return trees(quick), buildings(quick)


def _grounds(quick: bool) -> tuple[Series, ...]:
    return ground(2, quick), ground(4, quick), ground(6, quick)


def _faulty(quick: bool) -> tuple[Series, ...]:
    right = _obstacles(quick)
    wrong = (faulty(right[0], published.TREES_FAULTY), faulty(right[1], published.BUILDINGS_FAULTY))
    return *right, *wrong


def _all(quick: bool) -> tuple[Series, ...]:
    return *_faulty(quick)[:2], *_grounds(quick), *_faulty(quick)[2:]


_EVERY = ("trees", "buildings", "ground-s2", "ground-s4", "ground-s6")
_GROUNDS = _EVERY[2:]
_REVEALS = Expectation(
    TrendKind.LEAST_WHEN_EASY, "Easy worlds reveal the fault least", ("trees-faulty", "buildings-faulty")
)
_SMALL = Expectation(
    TrendKind.HARDER, "Trees are far harder than buildings at equal obstruction", ("trees", "buildings")
)
_FINE = Expectation(
    TrendKind.HARDER,
    "Finer subdivision is harder",
    ("ground-s6", "ground-s4", "ground-s2"),
    "This order is largely built in: with s read as cuts along each side, finer ground is steeper at equal d.",
)


def _rises(*series: str) -> Expectation:
    return Expectation(TrendKind.RISES, "Difficulty rises with each control", series)


def _unrelated(*series: str) -> Expectation:
    return Expectation(TrendKind.UNRELATED, "No clear relation between difficulty and indeterminism", series)


def _programme(
    name: str, title: str, series: Callable[[bool], Sequence[Series]], expectations: tuple[Expectation, ...]
) -> Programme:
    return Programme(
        name=name, title=title, series=series, expectations=expectations, signals=SIGNALS, source=published.SOURCE
    )


PROGRAMMES = (
    _programme(
        "trees", "How difficult do trees make a world?", lambda quick: (trees(quick),),
        (_rises("trees"), _unrelated("trees")),
    ),
    _programme(
        "buildings", "How difficult do buildings make a world?", lambda quick: (buildings(quick),),
        (_rises("buildings"), _unrelated("buildings")),
    ),
    _programme(
        "ground", "How difficult does uneven ground make a world?", _grounds,
        (_rises(*_GROUNDS), _FINE, _unrelated(*_GROUNDS)),
    ),
    _programme(
        "faulty", "Which worlds reveal that the robot is larger than its software believes?", _faulty,
        (_rises("trees", "buildings"), _SMALL, _unrelated("trees", "buildings"), _REVEALS),
    ),
    _programme(
        "all", "How difficult is a world, how repeatable are its runs, and which worlds reveal a fault?", _all,
        (_rises(*_EVERY), _SMALL, _FINE, _unrelated(*_EVERY), _REVEALS),
    ),
)  # fmt: skip


def experiment_of(programme: Programme) -> Experiment:
    """The experiment that runs a programme, and writes ``report.html`` and ``levels.csv``."""

    def run(context: ExperimentContext) -> None:
        answer(programme, context)

    return Experiment(
        name=programme.name,
        title=programme.title,
        run=run,
        source=programme.source,
        takes=frozenset({"keep"}),
        profile=Profile.PUBLISHED,
        shared_folder=True,
    )


def answer(programme: Programme, context: ExperimentContext) -> None:
    """Run the series, or continue them, and say what they show."""
    # The page's figures and statistics are slow to import, and needed only here.
    from stressfield.report import page_files  # noqa: PLC0415
    from stressfield_studies.mana.page.divergence import Located, locate  # noqa: PLC0415
    from stressfield_studies.mana.page.facts import programme_facts  # noqa: PLC0415
    from stressfield_studies.mana.page.report import programme_page  # noqa: PLC0415
    from stressfield_studies.mana.page.summary import summary_data, summary_lines  # noqa: PLC0415
    from stressfield_studies.mana.page.tables import levels_csv  # noqa: PLC0415

    facts = programme_facts(run_series(programme, context))
    located: tuple[Located, ...] = ()
    if context.report:
        with context.display.steps("repeats compared") as step:
            located = locate(facts, progress=step)
    for line in summary_lines(facts, located):
        context.say(line)
    context.say_speed()
    context.data = summary_data(facts, located)
    if context.report:
        context.write_files(page_files(programme_page(facts, context.folder, located=located)))
        context.write("levels.csv", levels_csv(facts))


EXPERIMENTS = tuple(experiment_of(programme) for programme in PROGRAMMES)
