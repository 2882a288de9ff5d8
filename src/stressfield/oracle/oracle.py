"""Oracle: the properties of a study, applied offline; and Verdict: what it says of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Literal

from stressfield.errors import InputError, NotRecordedError, OracleError, did_you_mean
from stressfield.oracle.margin import Curve, Margin, Robustness, holds

if TYPE_CHECKING:
    from stressfield.oracle.evidence import Evidence


class Outcome(StrEnum):
    """``inconclusive``: no data, or the recording ends before it is decided. Never a pass, never a fail."""

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

    ``margin`` is positive while the property holds, in ``unit``; None where there is nothing to measure. A margin of
    zero or more with violations contradicts itself and is an OracleError: sign it, or leave it out. ``seen=False`` says
    that the data the property needs is missing; ``vacuous``, that what it speaks of never occurred (a property of error
    reports in a run without errors); ``encounters``, how often it did, where that can be counted. ``curve`` is the
    margin over time, for who looks at the run.
    """

    margin: float | None
    unit: str
    at_s: float | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""
    seen: bool = True
    vacuous: bool = False
    encounters: int | None = None
    curve: Curve | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.violations and self.margin is not None and holds(self.margin):
            raise OracleError(
                f"A judgement has violations, the first from {self.violations[0].start_s:g} s, and a margin of "
                f"{self.margin:g} {self.unit}".rstrip()
                + ", which holds. Wanted a margin below zero, or None where the violation has no measure."
            )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A property's judgement of one run. ``vacuous``: what it speaks of never occurred; its outcome is its choice.

    ``encounters`` is how often it occurred (people met, doorways passed); None where the property does not count.
    """

    property: str
    outcome: Outcome
    margin: float | None
    unit: str
    at_s: float | None = None
    subcase: str | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""
    vacuous: bool = False
    encounters: int | None = None


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


UNSETTLED = "the recording does not settle it: windows are cut off by its end, or samples are missing"
VACUOUS = "vacuous: what it speaks of did not occur in this run"

Judge = Callable[["Evidence"], "Judgement | Margin | None"]
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


class Profile(StrEnum):
    """Which properties make the verdict unless they are named: all that a robot engineer would ask for, or fewer.

    ``published`` is for studies that stand beside a publication: what its authors judged, and nothing else.
    """

    STRICT = "strict"
    PUBLISHED = "published"

    def counts(self, on: bool | Profile) -> bool:
        """Whether what is ``on``, always or in one profile alone, is on in this one."""
        return on if isinstance(on, bool) else on is self

    @classmethod
    def of(cls, name: str) -> Profile:
        """The profile of that name."""
        known = [profile.value for profile in cls]
        if name not in known:
            raise OracleError(f"Unknown profile {name!r}. There are: {', '.join(known)}.{did_you_mean(name, known)}")
        return cls(name)


@dataclass(frozen=True, slots=True)
class Property:
    """What must hold of a run. ``subcases`` explains the sub-cases that its judge can report.

    ``when_vacuous`` is the outcome of a run in which what the property speaks of never occurred, such as people in a
    world without any: inconclusive, or pass.
    """

    name: str
    kind: PropertyClass
    title: str
    judge: Judge
    subcases: Mapping[str, str] = field(default_factory=dict)
    on: bool | Profile = True
    """Whether it counts; a profile if it counts in that one alone. ``--with`` and ``--without`` change it."""
    why_off: str = ""
    applies: Callable[[Evidence], bool] | None = None
    """Whether it speaks of such a test at all, by what was asked: if not there is no verdict. None: of every one."""
    when_vacuous: Outcome = Outcome.INCONCLUSIVE

    def __post_init__(self) -> None:
        if self.when_vacuous not in {Outcome.PASS, Outcome.INCONCLUSIVE}:
            raise OracleError(
                f"Property {self.name!r} cannot be {self.when_vacuous!r} when it is vacuous. Wanted 'pass' or "
                "'inconclusive'."
            )
        object.__setattr__(self, "when_vacuous", Outcome(self.when_vacuous))

    def counts_in(self, profile: Profile) -> bool:
        """Whether it is on in that profile."""
        return profile.counts(self.on)


class Oracle:
    """The properties of a study. Each can be switched on or off, and recordings judged again, without simulating."""

    def __init__(self, name: str, properties: Iterable[Property] = ()) -> None:
        self.name = name
        self._properties: dict[str, Property] = {}
        self._units: dict[str, str] = {}
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
        on: bool | Profile = True,
        why_off: str = "",
        when_vacuous: Literal["pass", "inconclusive"] = "inconclusive",
    ) -> Callable[[Judge], Judge]:
        """Decorate a plain function to make it a property of this oracle."""

        def add(judge: Judge) -> Judge:
            self.add(
                Property(name, kind, title, judge, subcases or {}, on, why_off, when_vacuous=Outcome(when_vacuous))
            )
            return judge

        return add

    def __getitem__(self, name: str) -> Property:
        known = {each.name: each for each in self.properties}
        if name not in known:
            raise OracleError(
                f"Unknown property {name!r}. Oracle {self.name!r} has: {', '.join(known)}." + did_you_mean(name, known)
            )
        return known[name]

    def select(
        self, *, profile: str = Profile.STRICT, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Property, ...]:
        """The properties that are on in the profile, plus ``include``, less ``exclude``."""
        asked = Profile.of(profile)
        wanted = {self[name].name for name in include}
        unwanted = {self[name].name for name in exclude}
        both = sorted(wanted & unwanted)
        if both:
            raise OracleError(f"Property {both[0]!r} is both included and excluded; name it once.")
        return tuple(p for p in self.properties if (p.counts_in(asked) or p.name in wanted) and p.name not in unwanted)

    def judge(
        self,
        evidence: Evidence,
        *,
        profile: str = Profile.STRICT,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> tuple[Verdict, ...]:
        """A verdict from each property that is on and applies.

        OracleError if one names what neither world nor trace can have.
        """
        chosen = self.select(profile=profile, include=include, exclude=exclude)
        given = (self.verdict(prop, evidence) for prop in chosen)
        return tuple(verdict for verdict in given if verdict is not None)

    def verdict(self, prop: Property, evidence: Evidence) -> Verdict | None:
        """What one property says of a run; None if it does not speak of such a test at all."""
        try:
            if prop.applies is not None and not prop.applies(evidence):
                return None
            verdict = verdict_of(prop, prop.judge(evidence))
        except NotRecordedError as error:
            return Verdict(prop.name, Outcome.INCONCLUSIVE, None, "", note=str(error))
        except InputError as error:
            # Whatever it is called below (a trace without the topic, a world without the region): the property is
            # wrong, in every run.
            raise OracleError(f"Property {prop.name!r} cannot be judged: {error}") from error
        if verdict.margin is not None and self._units.setdefault(prop.name, verdict.unit) != verdict.unit:
            raise OracleError(
                f"Property {prop.name!r} of oracle {self.name!r} gives its margin in {verdict.unit or 'no unit'} here, "
                f"but in {self._units[prop.name] or 'no unit'} in another run: such margins cannot be compared. "
                "Give it one unit, e.g. with .scaled(by=...)."
            )
        return verdict

    def curve(self, name: str, evidence: Evidence) -> Curve | None:
        """The margin of a property over time; None where its judge gives one number alone, or has no data."""
        prop = self[name]
        try:
            judged = None if prop.applies is not None and not prop.applies(evidence) else prop.judge(evidence)
        except InputError:  # also what was not recorded: the verdict says so
            return None
        return None if judged is None else judged.curve


def verdict_of(judged: Property, judgement: Judgement | Margin | None) -> Verdict:
    """Turn what a judge returned into a verdict; the sub-case is that of the first violation."""
    verdict = _verdict(judged, judgement)
    return verdict if judgement is None else replace(verdict, encounters=judgement.encounters)


def _verdict(judged: Property, judgement: Judgement | Margin | None) -> Verdict:
    if judgement is None:
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, "", note="no data")
    if not isinstance(judgement, Judgement | Margin):
        raise OracleError(
            f"it gave {judgement!r:.80}, a {type(judgement).__name__}. Wanted a Margin (such as "
            "always(signal >= 0.3)), a Judgement or None."
        )
    if isinstance(judgement, Robustness) and not judgement.over_time and len(judgement.times_s) > 1:
        raise OracleError(
            f"'{judgement.text}' does not say when it must hold; it would be judged at its first sample alone. "
            "Wanted always(...), eventually(...) or until(...) around all of it."
        )
    if isinstance(judgement, Margin):
        judgement = from_margin(judgement)
    if not judgement.seen:
        note = judgement.note or "no data"
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, judgement.unit, note=note, vacuous=judgement.vacuous)
    violations = tuple(sorted(judgement.violations, key=lambda v: v.start_s))
    margin = judgement.margin
    if margin is not None and isnan(margin):
        if not violations:
            return Verdict(judged.name, Outcome.INCONCLUSIVE, None, judgement.unit, note="the margin is not a number")
        margin = None
    failed = bool(violations) or (margin is not None and not holds(margin))
    if judgement.vacuous and not failed and judged.when_vacuous is Outcome.INCONCLUSIVE:
        note = judgement.note or VACUOUS
        return Verdict(judged.name, Outcome.INCONCLUSIVE, None, judgement.unit, note=note, vacuous=True)
    return Verdict(
        property=judged.name,
        outcome=Outcome.FAIL if failed else Outcome.PASS,
        margin=margin,
        unit=judgement.unit,
        at_s=judgement.at_s,
        subcase=violations[0].subcase if violations else None,
        violations=violations,
        note=judgement.note,
        vacuous=judgement.vacuous and not failed,
    )


def from_margin(margin: Margin) -> Judgement:
    """A temporal-logic margin as a judgement."""
    return Judgement(
        margin=margin.value,
        unit=margin.unit,
        at_s=margin.at_s,
        violations=tuple(Violation(i.start_s, i.end_s) for i in margin.violations),
        note=UNSETTLED if margin.unsettled else "",
        seen=not margin.inconclusive,
        vacuous=margin.vacuous,
        encounters=margin.encounters,
        curve=margin.curve,
    )
