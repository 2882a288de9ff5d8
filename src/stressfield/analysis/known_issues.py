"""Known issues: findings that are understood and waited for. They are shown as such and do not fail a build.

A file in TOML; an entry without ``subcase`` stands for all sub-cases, and counts up to and on the day it expires::

    [[issue]]
    study = "oz"
    property = "P5"
    subcase = "1"
    decision = "bug"
    reason = "the stake map drifts after U-turns, ticket 112"
    expires = 2027-01-31

``property = "crash"`` stands for crashes of the robot software, ``"hang"`` for runs that hung; their sub-cases are such
as ``ZeroDivisionError at yard.py:57``. :func:`gate` tells what is new from what is known, and so decides how a command
ends: there is one rule for exit codes, :attr:`Triage.exit_code`.

``decision`` says what people made of the finding: ``bug`` (to be mended), ``rig`` (the test is wrong), ``known`` (the
default), ``not a defect``. All of them count alike until they expire. :func:`decide` writes one down, and leaves the
rest of the file, comments included, as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import IntEnum, StrEnum
from pathlib import Path

import tomli_w

from stressfield._files.disk import read_file, write_file
from stressfield._files.toml_text import parse_toml
from stressfield.analysis.findings import Finding, name_of
from stressfield.analysis.summary import BROKE, Summary
from stressfield.errors import InputError, did_you_mean
from stressfield.plugins import study_names

BYTES_MAX = 1_000_000
_NEEDED = ("study", "property", "reason", "expires")
_NAMES = ("study", "property", "subcase", "decision", "reason", "expires")
_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*issue[ \t]*\]\]", re.MULTILINE)
REASON_MAX = 1_000


class Decision(StrEnum):
    """What people made of a finding."""

    BUG = "bug"
    RIG = "rig"
    KNOWN = "known"
    NOT_A_DEFECT = "not a defect"


class ExitCode(IntEnum):
    """How a command ends, for shells and build servers."""

    CLEAN = 0
    FINDINGS = 1
    BAD_INPUT = 2
    INFRASTRUCTURE = 3
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownIssue:
    """One entry of the file."""

    study: str
    property: str
    subcase: str | None
    reason: str
    expires: date
    decision: Decision | None = None
    """None if the entry does not say; it then counts as known."""

    def decided(self) -> Decision:
        """What people made of it."""
        return self.decision or Decision.KNOWN

    def case(self) -> str:
        """``P5.1``, or ``P5`` for all of its sub-cases."""
        return name_of(self.property, self.subcase)

    def covers(self, finding: Finding) -> bool:
        """Whether the finding is what the entry speaks of."""
        return finding.property == self.property and self.subcase in {None, finding.subcase}

    def expired(self, today: date) -> bool:
        """Whether it no longer counts."""
        return self.expires < today


@dataclass(frozen=True, slots=True, kw_only=True)
class Triage:
    """The findings of a campaign: new ones, and those that a known issue explains."""

    new: tuple[Finding, ...]
    known: tuple[tuple[Finding, KnownIssue], ...] = ()
    expired: tuple[KnownIssue, ...] = ()
    """Entries that would explain a finding, had they not expired: the finding counts again."""
    unseen: tuple[KnownIssue, ...] = ()
    """Entries of this study that nothing was found of. Perhaps the issue is mended."""
    invalid: int = 0
    """Runs in which the rig itself was in trouble: such runs are neither clean nor findings."""
    nothing_judged: str = ""
    """Why no run passed or failed, if none did: a campaign that says nothing is not clean."""
    no_world: bool = False
    """Whether that is because none of its worlds can be."""

    @property
    def exit_code(self) -> ExitCode:
        """What is new counts before trouble of the rig: a failing robot stays a failing robot."""
        if not self.clean:
            return ExitCode.FINDINGS
        if self.no_world:
            return ExitCode.BAD_INPUT
        return ExitCode.INFRASTRUCTURE if self.invalid or self.nothing_judged else ExitCode.CLEAN

    @property
    def clean(self) -> bool:
        """Nothing new."""
        return not self.new

    @property
    def reasons(self) -> dict[str, str]:
        """Why findings are known, by their names (F1, F2, ...)."""
        return {
            finding.id: f"{issue.decided().value}: {issue.reason} (until {issue.expires})"
            for finding, issue in self.known
        }

    def reason(self, finding: Finding) -> str:
        """Why the finding is known; empty for new ones."""
        return next((issue.reason for known, issue in self.known if known.id == finding.id), "")


def read_known_issues(path: Path | str) -> tuple[KnownIssue, ...]:
    """The entries of a file. InputError if anything in it cannot be used."""
    path = Path(path)
    name = f"The known-issues file {str(path)!r}"
    return _parsed(read_file(path, what="the known-issues file", bytes_max=BYTES_MAX), name)


def _parsed(data: bytes, name: str) -> tuple[KnownIssue, ...]:
    try:
        content = parse_toml(data, bytes_max=BYTES_MAX)
    except ValueError as error:
        raise InputError(f"{name} is not TOML: {error}.") from None
    for key in content:
        if key != "issue":
            raise InputError(
                f"{name} has the unknown key {key!r}. Wanted tables [[issue]].{did_you_mean(key, ['issue'])}"
            )
    entries = content.get("issue", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{name}: 'issue' is not a list of tables. Wanted [[issue]], with two brackets.")
    return tuple(_entry(entry, f"{name}, issue {number}") for number, entry in enumerate(entries, start=1))


def decide(path: Path | str, issue: KnownIssue | None, *, study: str, property: str, subcase: str | None) -> None:  # noqa: A002
    """Write down what was decided about a finding, in place of what was decided before; ``None`` takes that away.

    Only the entry itself is touched. InputError if the file cannot be used, or is written so that it cannot be changed
    without touching the rest.
    """
    path = Path(path)
    if issue is not None:
        issue = replace(issue, decision=issue.decided(), reason=issue.reason.strip())
    before = read_known_issues(path) if path.exists() else ()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    place = next(
        (i for i, old in enumerate(before) if (old.study, old.property, old.subcase) == (study, property, subcase)),
        None,
    )
    entry = "" if issue is None else _toml(issue)
    if place is None:
        if issue is None:
            return
        changed, wanted = f"{text.rstrip()}\n\n{entry}".lstrip(), (*before, issue)
    else:
        starts = [found.start() for found in _HEAD.finditer(text)]
        if len(starts) != len(before):
            raise InputError(f"Cannot change {str(path)!r}: its entries are not all tables [[issue]]. Edit it by hand.")
        end = starts[place + 1] if place + 1 < len(starts) else len(text)
        # What stands between two entries, such as a comment above the next one, stays.
        block = text[starts[place] : end]
        kept = re.search(r"(\n[ \t]*(#.*)?)*\Z", block)
        rest = block[kept.start() :] if kept else ""
        changed = (text[: starts[place]] + entry.rstrip() + rest + text[end:]).lstrip()
        wanted = tuple(each for i, old in enumerate(before) if (each := issue if i == place else old) is not None)
    if _parsed(changed.encode(), f"The known-issues file {str(path)!r}") != wanted:
        raise InputError(f"Cannot change {str(path)!r} without touching the rest of it. Edit it by hand.")
    write_file(path, changed.encode())


def _toml(issue: KnownIssue) -> str:
    words = {
        "study": issue.study,
        "property": issue.property,
        "subcase": issue.subcase,
        "decision": issue.decided().value,
    }
    words["reason"] = issue.reason
    listed: dict[str, object] = {name: value for name, value in words.items() if value is not None}
    return "[[issue]]\n" + tomli_w.dumps({**listed, "expires": issue.expires})


def gate(summary: Summary, issues: Sequence[KnownIssue] = (), *, today: date) -> Triage:
    """Tell new findings from known ones, as of a day. Without ``issues`` all are new."""
    _check_names(issues, summary)
    ours = [issue for issue in issues if issue.study == summary.study]
    new, known, expired, used = [], [], [], set()
    for finding in summary.findings:
        about = [issue for issue in ours if issue.covers(finding)]
        used.update(about)
        valid = next((issue for issue in about if not issue.expired(today)), None)
        if valid is not None:
            known.append((finding, valid))
        else:
            new.append(finding)
            expired += about
    return Triage(
        new=tuple(new),
        known=tuple(known),
        expired=tuple(dict.fromkeys(expired)),
        unseen=tuple(issue for issue in ours if issue not in used),
        invalid=summary.counts.get("invalid", 0),
        nothing_judged=summary.nothing_judged,
        no_world=summary.no_world,
    )


def _check_names(issues: Sequence[KnownIssue], summary: Summary) -> None:
    """InputError unless studies, and properties and sub-cases of this study, are known names.

    A property that does not list its sub-cases may have any. A decision names a study that was seen: that may be one
    of a file, which is not installed. A team keeps the decisions on all its studies in one place.
    """
    studies = [*study_names(), summary.study]
    properties = {prop.name: prop for prop in summary.properties if prop.listed}
    for number, issue in enumerate(issues, start=1):
        where = f"Known issue {number}"
        if issue.study not in studies and issue.decision is None:
            raise InputError(
                f"{where}: unknown study {issue.study!r}. There are: {', '.join(dict.fromkeys(studies))}."
                + did_you_mean(issue.study, studies)
            )
        if issue.study != summary.study or issue.property in BROKE:
            continue
        if issue.property not in properties:
            raise InputError(
                f"{where}: unknown property {issue.property!r} of study {summary.study!r}. It has: "
                f"{', '.join((*properties, *BROKE))}.{did_you_mean(issue.property, [*properties, *BROKE])}"
            )
        prop = properties[issue.property]
        known = [case.name for case in prop.subcases if case.name]
        # Who decided about it had seen it: a property may have more sub-cases than it explains.
        explained = issue.decision is None and any(case.words for case in prop.subcases)
        if issue.subcase is not None and explained and issue.subcase not in known:
            raise InputError(
                f"{where}: unknown sub-case {issue.subcase!r} of property {issue.property!r}. It has: "
                f"{', '.join(known) or 'none'}.{did_you_mean(issue.subcase, known)}"
            )


def _entry(entry: Mapping[str, object], where: str) -> KnownIssue:
    for key in entry:
        if key not in _NAMES:
            raise InputError(
                f"{where}: unknown key {key!r}. There are: {', '.join(_NAMES)}.{did_you_mean(key, _NAMES)}"
            )
    for key in _NEEDED:
        if key not in entry:
            raise InputError(f"{where}: {key!r} is missing. Wanted {', '.join(_NEEDED)}.")
    expires = entry["expires"]
    if not isinstance(expires, date) or isinstance(expires, datetime):
        raise InputError(f"{where}: expires is {expires!r}. Wanted a date without quotes, such as 2027-01-31.")
    texts: dict[str, str] = {}
    for key in ("study", "property", "subcase", "reason"):
        value = entry.get(key)
        if value is None and key == "subcase":
            continue
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{where}: {key} is {value!r}. Wanted a text that is not empty.")
        # A sub-case may be any text that robot software raised: that is it to the letter.
        texts[key] = value if key == "subcase" else value.strip()
    decisions = [each.value for each in Decision]
    decision = entry.get("decision")
    if decision is not None and decision not in decisions:
        raise InputError(
            f"{where}: decision is {decision!r:.80}. Wanted one of: {', '.join(decisions)}."
            + did_you_mean(str(decision)[:80], decisions)
        )
    return KnownIssue(
        decision=None if decision is None else Decision(decision),
        study=texts["study"],
        property=texts["property"],
        subcase=texts.get("subcase"),
        reason=texts["reason"],
        expires=expires,
    )
