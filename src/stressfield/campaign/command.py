"""The command that begins a campaign, put together from its plan: what a page and a message tell people to type."""

from __future__ import annotations

import shlex
from pathlib import Path

from stressfield.campaign.folder import SPACE
from stressfield.campaign.plan import Plan
from stressfield.fuzz import Nsga2, SteadyNsga2, read_space
from stressfield.oracle import Profile
from stressfield.scenario import Options
from stressfield.search import (
    ChosenWorlds,
    FieldRecordings,
    ListedTests,
    ListedWorlds,
    OfSpace,
    SpaceSearch,
    VaryingWorlds,
)
from stressfield.search.space_search import listed_names
from stressfield.trace import Keep


def begin_command(plan: Plan, folder: str | Path, *, out: str | Path) -> str | None:
    """What begins a campaign like that of ``folder`` in the folder ``out``; None if no command does.

    Worlds from a list of templates come from a configuration file that the plan does not name; chosen ones come from
    another campaign.
    """
    kind = plan.strategy
    if isinstance(kind, ListedWorlds | ChosenWorlds):
        return None
    if isinstance(kind, FieldRecordings):
        return shlex.join(["stressfield", "judge", plan.study, *kind.paths, *kind.asked, "--out", str(out)])
    words = _search(kind, plan, Path(folder)) if isinstance(kind, OfSpace) else _worlds(plan, Path(folder))
    words += plan_words(plan)
    if plan.keep != (Keep.FRONT if isinstance(kind, SpaceSearch) else Keep.FAILING):
        words += ["--keep", plan.keep]
    for flag, value in (("--storage", plan.storage), ("--ledger", plan.ledger)):
        words += [flag, value] if value else []
    return shlex.join([*words, "--out", str(out)])


def plan_words(plan: Plan) -> list[str]:
    """Options that every verb takes which runs a plan."""
    words = ["--repeats", str(plan.repeats), "--seed", str(plan.seed), "--build", plan.build]
    if plan.until_sure is not None:
        words += ["--until-sure", f"{plan.until_sure:g}"]
    if plan.simulator:
        words += ["--sim", plan.simulator]
    if plan.template != "r":
        words += ["--template", plan.template]
    if plan.profile != Profile.STRICT:
        words += ["--profile", plan.profile]
    for flag, values in (
        ("--with", plan.include),
        ("--without", plan.exclude),
        ("--option", _options(plan.options)),
    ):
        for value in values:
            words += [flag, value]
    return words


def _worlds(plan: Plan, folder: Path) -> list[str]:
    words = ["stressfield", "run", plan.study, "--worlds", str(plan.worlds)]
    own = plan.own_strategy
    if own is not None or plan.strategy_name != "random":
        words += ["--strategy", plan.strategy_name if own is None else own.source]
    if isinstance(plan.strategy, VaryingWorlds):
        for varied in plan.strategy.vary:
            words += ["--vary", varied]
    return words + (["--disturb", f"{folder}/{SPACE}"] if plan.disturbances else [])


def _search(kind: OfSpace, plan: Plan, folder: Path) -> list[str]:
    words = ["stressfield", "search", plan.study, *([kind.search] if kind.search else [])]
    words += ["--space", f"{folder}/{SPACE}"]
    if isinstance(kind, ListedTests):
        path = folder / SPACE
        every = listed_names(read_space(path), kind.search) if path.exists() else ()
        words += ["--tests", "all" if kind.tests == every else ",".join(kind.tests)]
    elif isinstance(kind, SpaceSearch):
        own = plan.own_strategy
        words += ["--strategy", kind.name if own is None else own.source, "--evaluations", str(plan.worlds)]
        words += _endings(kind)
    words += ["--vary-world"] if kind.vary_world else []
    return words + (["--world-seed", str(kind.world_seed)] if kind.world_seed is not None else [])


def _endings(kind: SpaceSearch) -> list[str]:
    words = ["--population", str(kind.approach.population)] if isinstance(kind.approach, Nsga2) else []
    words += ["--window", str(kind.approach.window)] if isinstance(kind.approach, SteadyNsga2) else []
    if kind.termination is not None:
        for name in ("stagnation", "coverage", "seconds"):
            value = getattr(kind.termination, name)
            words += [] if value is None else [f"--{name}", str(value)]
    return words


def _options(options: Options) -> tuple[str, ...]:
    """As ``name=value``; a plan has only those that differ from their default."""
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}
    return tuple(f"{name}={text}" for name, text in texts.items())
