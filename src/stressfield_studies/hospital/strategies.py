"""The experiment `nsga2`: strategies on one campaign of a testing space, with the same budget and seeds, in one world.

Every strategy and seed is a campaign in a folder of its own, ``STRATEGY-SEED``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from markupsafe import Markup

from stressfield.analysis import SEARCH_COLUMNS, ComparedSearches, compare_searches
from stressfield.campaign import (
    ExperimentContext,
    NamedCampaign,
    Plan,
    Results,
    find_study,
    searched,
)
from stressfield.errors import InputError
from stressfield.report import (
    Column,
    Figure,
    Page,
    Paragraph,
    Section,
    Table,
    Words,
    columns,
    counted,
    figure,
    page_files,
)
from stressfield.report.figures import Curves, FrontPoint, front_figure, hypervolume_figure
from stressfield.search import SpaceSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategies:
    """What is compared: the first strategy with each of the others."""

    search: str
    """Which search of the study's testing space."""
    strategies: tuple[str, ...] = ("nsga2", "random")
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    """Added to the seed that is asked for."""
    evaluations: int | None = None
    """Tests of each campaign; None leaves that to the space."""
    population: int | None = None
    build: str = ""
    """Empty for the study's first."""
    template: str | None = None
    """The world; None takes the study's. What it leaves open is drawn once, for all campaigns."""
    quick_evaluations: int = 40
    quick_seeds: int = 2
    published: str = ""
    """What was published, in a sentence; the page says it beside ours."""
    source: str = ""


def compare_strategies(asked: Strategies, context: ExperimentContext) -> None:
    """Run every strategy with every seed, or continue them; write ``report.html`` and ``fronts.csv``."""
    asked = _resized(asked, context)
    campaigns = _campaigns(asked, context)
    results = dict(zip((campaign.name for campaign in campaigns), context.run(campaigns), strict=True))
    groups = {
        strategy: [results[_folder(strategy, context.seed + seed)] for seed in asked.seeds]
        for strategy in asked.strategies
    }
    compared = compare_searches(groups)
    context.say(columns([SEARCH_COLUMNS, *compared.rows], right=(1, 2, 3, 4, 5)))
    for sentence in compared.sentences:
        context.say(f" {sentence}")
    if asked.published:
        context.say(f" Published: {asked.published}")
    context.say_speed()
    context.data = asdict(compared)
    if context.report:
        context.write_files(page_files(strategies_page(asked, compared, groups, context)))
        context.write("fronts.csv", fronts_csv(compared))


def _resized(asked: Strategies, context: ExperimentContext) -> Strategies:
    if context.quick:
        if context.evaluations is not None or context.seeds is not None:
            raise InputError(
                "A quick experiment has its own size. Wanted either --quick, or --evaluations and --seeds."
            )
        return replace(asked, evaluations=asked.quick_evaluations, seeds=asked.seeds[: asked.quick_seeds])
    if context.seeds is not None and not 1 <= context.seeds <= len(asked.seeds):
        raise InputError(f"The experiment {context.name!r} has {len(asked.seeds)} seeds, got {context.seeds}.")
    evaluations = asked.evaluations if context.evaluations is None else context.evaluations
    return replace(asked, evaluations=evaluations, seeds=asked.seeds[: context.seeds])


def _folder(strategy: str, seed: int) -> str:
    return f"{strategy}-{seed}"


def _campaigns(asked: Strategies, context: ExperimentContext) -> list[NamedCampaign]:
    """Seeds in turn, so that strategies advance together."""
    study = find_study(context.study)
    campaigns = []
    for seed in (context.seed + offset for offset in asked.seeds):
        for strategy in asked.strategies:
            search = SpaceSearch.of(
                study.testing_space(),
                asked.search,
                strategy=strategy,
                evaluations=asked.evaluations,
                population=asked.population if strategy == "nsga2" else None,
                world_seed=context.seed,
            )
            plan = Plan(
                study=context.study,
                build=asked.build or study.builds[0].name,
                seed=seed,
                worlds=0,
                repeats=1,
                template=study.template if asked.template is None else asked.template,
                keep=context.keep or "front",
                simulator=context.sim,
                strategy=search,
            )
            campaigns.append(NamedCampaign(_folder(strategy, seed), plan))
    return campaigns


def fronts_csv(compared: ComparedSearches) -> str:
    """Every test on the front of every campaign."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["strategy", "seed", "hypervolume", *compared.objectives.names])
    for group in compared.groups:
        for campaign in group.campaigns:
            rows.writerows(
                [group.name, campaign.seed, repr(campaign.hypervolume), *map(repr, values)] for values in campaign.front
            )
    return text.getvalue()


def strategies_page(
    asked: Strategies,
    compared: ComparedSearches,
    groups: dict[str, list[Results]],
    context: ExperimentContext,
) -> Page:
    """Hypervolumes of all strategies and seeds, effect sizes, fronts."""
    study = find_study(context.study)
    curves = [Curves(group.name, tuple(campaign.history for campaign in group.campaigns)) for group in compared.groups]
    numbers = [Column(name, number=name not in {"strategy", "campaign"}) for name in SEARCH_COLUMNS]
    quick = [Paragraph("A quick run with few tests and seeds: too few to conclude from.", "note")]
    note = "Not counted: tests of which some objective could not be measured."
    found = Section(
        name="compared",
        title="Which strategy finds more",
        blocks=[
            *(quick if context.quick else []),
            *compared.sentences,
            Figure(hypervolume_figure(curves), "Hypervolume after each test."),
            Table("Campaigns", numbers, compared.rows, note),
        ],
    )
    fronts = Section(
        name="fronts",
        title="Fronts",
        lead="All tests of all campaigns of a strategy; marks are on the front of their campaign. The page of a "
        "campaign, stressfield report CAMPAIGN, shows its tests.",
        blocks=[Figure(_front(compared, campaigns), name) for name, campaigns in groups.items()],
    )
    size = f"{' and '.join(groups)}, {counted(len(compared.rows), 'campaign')}"
    source = f" ({asked.source})" if asked.source else ""
    return Page(
        title=study.find_experiment(context.name).title,
        kicker=["Study ", Words(study.name, "strong"), f" · {study.title} · {size}"],
        facts=[("Published", f"{asked.published}{source}")] if asked.published else [],
        command=context.command,
        folder=str(context.folder),
        sections=[found, fronts],
    )


def _front(compared: ComparedSearches, campaigns: Sequence[Results]) -> Markup:
    points = []
    names = compared.objectives.names
    for results in campaigns:
        found = searched(results)
        best = set() if found is None else {scored.test.index for scored in found.front}
        points += [
            FrontPoint(
                values=scored.values,
                title=f"seed {results.plan.seed}, test {scored.test.index}: "
                + ", ".join(f"{name} {figure(value)}" for name, value in zip(names, scored.values, strict=True)),
                on_front=scored.test.index in best,
            )
            for scored in (() if found is None else found.scored)
        ]
    return front_figure(points, names, highest=compared.objectives.highest)
