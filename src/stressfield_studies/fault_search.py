"""Is each known issue found? Every issue alone against the build without it, in the same worlds, with exact tests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from stressfield.analysis import Change, Summary, compare_verdicts, summarise
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, find_study
from stressfield.errors import InputError, did_you_mean
from stressfield.report import Column, Page, Section, Table, page_files, table_terminal
from stressfield_studies.faults import TITLE, Fault

SIGNIFICANT = 0.05
LEGEND = (
    "p: one-sided test that the property fails more often with the issue; worlds paired; corrected for the number of "
    "properties (Westfall and Young). revealed: p <= 0.05. field, sim: as published."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultResult:
    """One issue: what was published, what is expected and what was found here."""

    fault: Fault
    revealed: bool
    properties: tuple[str, ...]
    """All properties that fail significantly more often with the issue."""
    best_property: str
    baseline_share: float | None
    fault_share: float | None
    p_value: float
    method: str
    folder: str
    baseline_folder: str

    @property
    def surprising(self) -> bool:
        """Whether it was expected otherwise."""
        return self.fault.expected is not None and self.fault.expected != self.revealed


def search_faults(faults: Sequence[Fault], context: ExperimentContext, *, worlds: int, repeats: int) -> None:
    """Look for the faults, or for those of ``--only``; say and write what was found."""
    found = look_for(_chosen(faults, context), context, worlds=worlds, repeats=repeats)
    table = faults_table(found)
    context.say(table_terminal(table))
    for line in (LEGEND, *_notes(found)):
        context.say(f" {line}")
    context.say_speed()
    context.data = [asdict(trial) for trial in found]
    if context.report:
        context.write_files(page_files(_page(table, found, context)))
        # stressfield report DIR --faults FILE shows it in the report of a campaign
        told = {
            "title": TITLE,
            "headers": [column.title for column in table.columns],
            "rows": table.rows,
            "note": " ".join([LEGEND, *_notes(found)]),
        }
        context.write("faults.json", json.dumps(told, indent=1, ensure_ascii=False))


def look_for(
    faults: Sequence[Fault], context: ExperimentContext, *, worlds: int, repeats: int
) -> tuple[FaultResult, ...]:
    """Two campaigns for each issue; baselines are shared where the circumstances are the same."""
    study = find_study(context.study)
    campaigns: dict[str, NamedCampaign] = {}
    baselines: dict[str, str] = {}
    for fault in faults:
        plan = Plan(
            study=context.study, build=study.find_build(fault.build).name, seed=context.seed, worlds=worlds,
            repeats=repeats, keep=context.keep or "none", template=fault.template, include=fault.include,
            options=fault.options,
        )  # fmt: skip
        baselines[fault.name] = _baseline_name(fault)
        base = replace(plan, build=study.find_build(fault.baseline).name, options=fault.baseline_options)
        for name, asked in ((baselines[fault.name], base), (fault.name, plan)):
            campaigns.setdefault(name, NamedCampaign(name, asked))
    done = dict(zip(campaigns, context.run(tuple(campaigns.values())), strict=True))
    told = {name: summarise(results, study) for name, results in done.items()}
    return tuple(_judged(fault, told[baselines[fault.name]], told[fault.name]) for fault in faults)


def _baseline_name(fault: Fault) -> str:
    circumstances = (fault.baseline, fault.baseline_options, fault.template, fault.include)
    return f"baseline-{hashlib.sha256(repr(circumstances).encode()).hexdigest()[:6]}"


def _chosen(faults: Sequence[Fault], context: ExperimentContext) -> Sequence[Fault]:
    known = {fault.name: fault for fault in faults}
    for name in context.only:
        if name not in known:
            near = did_you_mean(name, known)
            study = find_study(context.study).name
            raise InputError(f"Unknown issue {name!r} of study {study!r}. It has: {', '.join(known)}.{near}")
    return [known[name] for name in context.only] if context.only else faults


def _judged(fault: Fault, baseline: Summary, candidate: Summary) -> FaultResult:
    compared = compare_verdicts(baseline, candidate, alpha=SIGNIFICANT)
    if not compared:
        raise InputError(f"Issue {fault.name!r} cannot be judged: no run of both builds has a verdict.")
    worse = [endpoint for endpoint in compared if endpoint.verdict is Change.WORSE]
    best = min(worse or compared, key=lambda endpoint: (endpoint.p if endpoint.effect > 0.0 else 1.0, -endpoint.effect))
    return FaultResult(
        fault=fault,
        revealed=bool(worse),
        properties=tuple(endpoint.name for endpoint in worse),
        best_property=best.name,
        baseline_share=best.baseline,
        fault_share=best.candidate,
        p_value=best.p_adjusted if best.effect > 0.0 else 1.0,
        method=best.method,
        folder=candidate.results.folder,
        baseline_folder=baseline.results.folder,
    )


def faults_table(found: Sequence[FaultResult]) -> Table:
    """A row for each issue; (!) marks what was expected otherwise."""
    names = ("issue", "", "nature", "field", "sim", "revealed", "by", "baseline", "issue on", "p")
    headers = [Column(name, number=name in {"baseline", "issue on", "p"}) for name in names]
    rows = []
    for trial in found:
        revealed = ("yes" if trial.revealed else "no") + (" (!)" if trial.surprising else "")
        figures = [_percent(trial.baseline_share), _percent(trial.fault_share), f"{trial.p_value:.2g}"]
        fault = trial.fault
        published = [fault.nature, fault.field_tests, fault.published]
        rows.append([fault.name, fault.title, *published, revealed, ", ".join(trial.properties) or "-", *figures])
    return Table("", headers, rows)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _notes(found: Sequence[FaultResult]) -> list[str]:
    notes = [f"{trial.fault.name}: {trial.fault.note}" for trial in found if trial.fault.note]
    for trial in found:
        if trial.surprising:
            should = "it should be revealed" if trial.fault.expected else "it should not be revealed"
            notes.append(f"{trial.fault.name}: (!) differs from what is expected here: {should}")
    return notes


def _page(table: Table, found: Sequence[FaultResult], context: ExperimentContext) -> Page:
    study = find_study(context.study)
    seen = sum(trial.revealed for trial in found)
    return Page(
        title=TITLE,
        kicker=f"Study {study.name} · {study.title}",
        headline=f"{seen} of {len(found)} issues are revealed",
        command=context.command,
        folder=str(context.folder),
        sections=[Section(name="faults", title="Known issues", lead=LEGEND, blocks=[table, *_notes(found)])],
    )
