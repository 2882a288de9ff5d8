"""Pieces of a campaign: each a folder with the plan, the testing space, the study's code and, in the end, its results.

A piece is itself a campaign, of a share of the runs. Whatever reads campaigns reads it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign.folder import (
    locked,
    read_plan,
    read_space_copy,
    write_plan,
    write_space_copy,
)
from stressfield.campaign.ledgers.place import read_rows
from stressfield.campaign.plan import Plan, prepare
from stressfield.campaign.results import Watch, present_study
from stressfield.campaign.runner import Campaigned, resume, unchanged
from stressfield.campaign.shards.share import shares
from stressfield.errors import InputError
from stressfield.machine import Machine, write_machines
from stressfield.plugins import study_reference
from stressfield.provenance import difference
from stressfield.search import SpaceSearch
from stressfield.study_code import StudyCode
from stressfield.workers import Executor

SHARDS = "shards"
"""Beside the campaign's own files: one folder for each piece, named by its number."""
CODE = "code"
STUDY_CARD = "study-code.json"
STRATEGY_CARD = "strategy-code.json"


def write_shards(
    folder: str | Path, *, into: int, out: str | Path | None = None, study: str | None = None
) -> tuple[Path, ...]:
    """The pieces of a campaign that was planned and has no runs yet; by default in its folder ``shards``.

    InputError for a search that learns: what it proposes next depends on all that was found before.
    """
    folder = Path(folder)
    plan, began_with = read_plan(folder)
    if study is not None:
        plan = replace(plan, study=study_reference(study))
    present_study(plan, folder, name=None)
    unchanged(folder, plan, began_with)
    _check_divisible(plan, folder)
    target = folder / SHARDS if out is None else Path(out)
    if target.exists() and any(target.iterdir()):
        raise InputError(f"The folder {str(target)!r} is not empty. Delete it, or choose another one with --out.")
    parts = shares(into=into, worlds=plan.worlds, repeats=plan.repeats, whole_worlds=plan.until_sure is not None)
    space, record, own = read_space_copy(folder, plan), plan.study_record(), plan.own_strategy
    codes = {STUDY_CARD: StudyCode.of_study(plan.study)}
    if own is not None:
        codes[STRATEGY_CARD] = StudyCode.of_strategy(own.source)
    pieces = []
    for share in parts:
        piece = target / str(share.number)
        make_folder(piece)
        if (kept := plan.fixed_space or space) is not None:
            write_space_copy(piece, kept)
        for card, code in codes.items():
            code.write(piece / CODE / card.partition("-")[0], below=piece)
            write_file(piece / card, code.card(), below=piece)
        # The plan is the last: before, this is no piece yet.
        # Each keeps its own ledger: a server would have to be reached from everywhere.
        write_plan(piece, replace(plan, share=share, ledger=""), began_with, record)
        pieces.append(piece)
    return tuple(pieces)


def _check_divisible(plan: Plan, folder: Path) -> None:
    if plan.share is not None:
        raise InputError(f"{str(folder)!r} is itself shard {plan.share.number}. Divide the campaign that it is of.")
    rows = read_rows(folder, plan.ledger)
    if rows is not None and rows.runs:
        raise InputError(
            f"The campaign {str(folder)!r} has {len(rows.runs)} runs already; shards are made of one that has none. "
            f"Go on with: stressfield resume {folder}. Or plan it anew with --plan-only in another folder."
        )
    kind = plan.strategy
    termination = kind.termination if isinstance(kind, SpaceSearch) else None
    if termination is not None and termination.seconds is not None:
        raise InputError("A search that ends after some seconds is not the same twice, so it cannot be divided.")
    # These are told what was found only to know when it gets no better.
    blind = isinstance(kind, SpaceSearch) and kind.name in {"random", "sweep"}
    blind &= termination is None or termination.stagnation is None
    if not blind and prepare(plan, space=read_space_copy(folder, plan)).learns:
        raise InputError(
            f"The strategy {plan.strategy_name} learns from all that was found before, so its campaign cannot be "
            "divided. Divide worlds, listed tests, or a random search; or run it on a cluster: --executor ray."
        )


def run_shard(
    piece: str | Path,
    *,
    jobs: int | None = None,
    run_timeout_s: float | None = None,
    in_process: bool = False,
    progress: Watch | None = None,
    executor: Executor | str | None = None,
) -> Campaigned:
    """Do what is missing of a piece, with the study's code that is in it. This machine must have the same versions."""
    piece = Path(piece)
    plan, planned_with = read_plan(piece)
    if plan.share is None:
        raise InputError(f"{str(piece)!r} is a whole campaign, no shard. Go on with: stressfield resume {piece}")
    study, strategy = (_place_of(card, piece) for card in (STUDY_CARD, STRATEGY_CARD))
    if study is None:
        raise InputError(f"The shard {str(piece)!r} has no {STUDY_CARD}: it is not whole. Copy it again.")
    differs = difference(planned_with, replace(plan, study=study, strategy=plan.with_source(strategy)).versions())
    if differs:
        raise InputError(
            f"This machine does not fit the shard {str(piece)!r}: {differs}. Results of different versions must not be "
            "mixed. Install here what the campaign was planned with."
        )
    done = resume(
        piece,
        study=study,
        strategy=strategy,
        jobs=jobs,
        run_timeout_s=run_timeout_s,
        in_process=in_process,
        export_worlds=False,
        progress=progress,
        executor=executor,
    )
    if done.executed:
        with locked(piece):
            write_machines(piece, [replace(Machine.here(), runs=done.executed)])
    return done


def _place_of(card: str, piece: Path) -> str | None:
    """Where the code is that a piece brought along; None if it brought none."""
    if not (piece / card).exists():
        return None
    return StudyCode.read_card(piece / card, below=piece).found_in(piece / CODE / card.partition("-")[0])
