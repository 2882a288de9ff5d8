"""What people make of findings: decisions in the known-issues file, and the mechanisms behind findings."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from stressfield._files.disk import write_file
from stressfield.analysis import Decision, Finding, KnownIssue, Mechanism, Summary, decide, gate, read_known_issues
from stressfield.serve.answers import DecisionAnswer, MechanismAnswer
from stressfield.serve.jobs import ForbiddenError


def mechanism_answer(found: Mechanism) -> MechanismAnswer:
    """As the API tells it."""
    return MechanismAnswer(
        finding=found.finding, words=found.words, hit=found.hit, side=found.side, doing=found.doing,
        disturbances=list(found.disturbances), runs=list(found.run_ids), worlds=found.worlds,
    )  # fmt: skip


class Decisions:
    """The known-issues file of the server, if it was given one. It is read anew each time: people edit it, too."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._lock = threading.Lock()
        self._issues()  # what is wrong with it is told when the server is started

    def of(self, summary: Summary) -> Mapping[str, DecisionAnswer]:
        """By the number of the finding."""
        today = datetime.now(UTC).date()
        # Entries of other studies may be of files that are not here.
        ours = [issue for issue in self._issues() if issue.study == summary.study]
        found = gate(summary, ours, today=today)
        decided = {finding.id: _answer(issue, today) for finding, issue in found.known}
        for finding in found.new:
            late = next((issue for issue in found.expired if issue.covers(finding)), None)
            if late is not None:
                decided[finding.id] = _answer(late, today)
        return decided

    def decide(
        self, summary: Summary, finding: Finding, decision: Decision | None, *, reason: str, expires: date | None
    ) -> None:
        """Write it down; None takes it back. ForbiddenError if the server was given no file."""
        if self.file is None:
            raise ForbiddenError(
                "This server keeps no decisions. Start it with: stressfield serve --known-issues known-issues.toml"
            )
        issue = None
        if decision is not None and expires is not None:
            issue = KnownIssue(
                study=summary.study, property=finding.property, subcase=finding.subcase, reason=reason,
                expires=expires, decision=decision,
            )  # fmt: skip
        with self._lock:
            decide(self.file, issue, study=summary.study, property=finding.property, subcase=finding.subcase)

    def made(self) -> Path | None:
        """The file, there at least as an empty one, for commands that read it; None if the server was given none."""
        if self.file is not None and not self.file.exists():
            with self._lock:
                write_file(self.file, b"")
        return self.file

    def _issues(self) -> tuple[KnownIssue, ...]:
        return read_known_issues(self.file) if self.file is not None and self.file.exists() else ()


def _answer(issue: KnownIssue, today: date) -> DecisionAnswer:
    return DecisionAnswer(
        decision=issue.decided(), reason=issue.reason, expires=issue.expires, expired=issue.expired(today)
    )
