"""Oracle: the properties of a study, applied offline; and Verdict: what it says of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isnan

from stressfield.errors import OracleError, did_you_mean
from stressfield.oracle.evidence import Evidence
from stressfield.oracle.margin import Margin


class Outcome(StrEnum):
    """``inconclusive`` means that the property saw no data: never a pass, never a fail."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Violation:
    """An interval during which a property did not hold, and what kind of violation it was."""

    start_s: float
    end_s: float
    subcase: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a property's judge returns: how far from violation the run stayed, and where it did not.

    ``margin`` is positive while the property holds, in ``unit``; None where there is nothing to measure (a property of
    error reports in a run without errors). ``seen=False`` says that the data the property needs is missing.
    """

    margin: float | None
    unit: str
    at_s: float | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """A property's judgement of one run."""

    property: str
    outcome: Outcome
    margin: float | None
    unit: str
    at_s: float | None = None
    subcase: str | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""


CRASH, HANG = "crash", "hang"
"""What stands for a property where the robot software crashed or hung, so that nothing could be judged."""


def overall(verdicts: tuple[Verdict, ...]) -> Outcome:
    """The verdict on a run: a fail anywhere fails it; otherwise anything inconclusive leaves it open."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    if Outcome.INCONCLUSIVE in outcomes or not outcomes:
        return Outcome.INCONCLUSIVE
    return Outcome.PASS


Judge = Callable[[Evidence], "Judgement | Margin | None"]
"""A property as a plain function. None means that the data it needs is missing."""


class PropertyClass(StrEnum):
    """The five aspects of behaviour that a property may speak of."""

    MISSION_PHASE = "mission phase"
    MOVEMENT_THRESHOLD = "movement threshold"
    CRITICAL_EVENT = "critical event"
    PERCEPTION = "perception"
    ERROR_REPORT = "error report"


MISSION_PHASE = PropertyClass.MISSION_PHASE
MOVEMENT_THRESHOLD = PropertyClass.MOVEMENT_THRESHOLD
CRITICAL_EVENT = PropertyClass.CRITICAL_EVENT
PERCEPTION = PropertyClass.PERCEPTION
ERROR_REPORT = PropertyClass.ERROR_REPORT


@dataclass(frozen=True, slots=True)
class Property:
    """What must hold of a run. ``subcases`` explains the sub-cases that its judge can report."""

    name: str
    kind: PropertyClass
    title: str
    judge: Judge
    subcases: Mapping[str, str] = field(default_factory=dict)
    on: bool = True
    why_off: str = ""


class Oracle:
    """The properties of a study. Each can be switched on or off, and recordings judged again, without simulating."""

    def __init__(self, name: str, properties: Iterable[Property] = ()) -> None:
        self.name = name
        self._properties: dict[str, Property] = {}
        for given in properties:
            self.add(given)

    @property
    def properties(self) -> tuple[Property, ...]:
        """All properties, switched on or not, in order."""
        return tuple(self._properties.values())

    def add(self, new: Property) -> None:
        """Add a property; names must differ."""
        if new.name in self._properties:
            raise OracleError(f"Oracle {self.name!r} has two properties called {new.name!r}; names must differ.")
        if new.name in {CRASH, HANG}:
            raise OracleError(
                f"Oracle {self.name!r} has a property called {new.name!r}, which stands for runs that {new.name}. "
                "Wanted another name."
            )
        self._properties[new.name] = new

    def property(
        self,
        name: str,
        kind: PropertyClass,
        title: str,
        *,
        subcases: Mapping[str, str] | None = None,
        on: bool = True,
        why_off: str = "",
    ) -> Callable[[Judge], Judge]:
        """Decorate a plain function to make it a property of this oracle."""

        def add(judge: Judge) -> Judge:
            self.add(Property(name, kind, title, judge, subcases or {}, on, why_off))
            return judge

        return add

    def __getitem__(self, name: str) -> Property:
        try:
            return self._properties[name]
        except KeyError:
            known = list(self._properties)
            raise OracleError(
                f"Unknown property {name!r}. Oracle {self.name!r} has: {', '.join(known)}." + did_you_mean(name, known)
            ) from None

    def select(self, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> tuple[Property, ...]:
        """The properties that are on, plus ``include``, less ``exclude``."""
        wanted = {self[name].name for name in include}
        unwanted = {self[name].name for name in exclude}
        both = sorted(wanted & unwanted)
        if both:
            raise OracleError(f"Property {both[0]!r} is both included and excluded; name it once.")
        return tuple(p for p in self.properties if (p.on or p.name in wanted) and p.name not in unwanted)

    def judge(
        self, evidence: Evidence, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Verdict, ...]:
        """A verdict from each property that is on."""
        return tuple(verdict_of(p, p.judge(evidence)) for p in self.select(include=include, exclude=exclude))


def verdict_of(judged: Property, judgement: Judgement | Margin | None) -> Verdict:
    """Turn what a judge returned into a verdict; the sub-case is that of the first violation."""
    if judgement is None:
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, "", note="no data")
    if isinstance(judgement, Margin):
        judgement = from_margin(judgement)
    if not judgement.seen:
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, judgement.unit, note=judgement.note or "no data")
    violations = tuple(sorted(judgement.violations, key=lambda v: v.start_s))
    if judgement.margin is not None and isnan(judgement.margin) and not violations:
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, judgement.unit, note="the margin is not a number")
    failed = bool(violations) or (judgement.margin is not None and judgement.margin < 0.0)
    return Verdict(
        property=judged.name,
        outcome=Outcome.FAIL if failed else Outcome.PASS,
        margin=judgement.margin,
        unit=judgement.unit,
        at_s=judgement.at_s,
        subcase=violations[0].subcase if violations else None,
        violations=violations,
        note=judgement.note,
    )


def from_margin(margin: Margin) -> Judgement:
    """A temporal-logic margin as a judgement."""
    return Judgement(
        margin=margin.value,
        unit=margin.unit,
        at_s=margin.at_s,
        violations=tuple(Violation(i.start_s, i.end_s) for i in margin.violations),
        seen=not margin.inconclusive,
    )
