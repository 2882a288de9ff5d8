"""Algorithm 1 of the published study: test an action by the properties that the ontology gives it.

A value is generated for every parameter of the action, the action is executed, and each of its success properties is
judged with the values it needs. Where the published one stops at the first property that does not hold, all are judged
here: the score of an action is the share that holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from stressfield.errors import InputError, NotInstalledError
from stressfield_studies.tabletop.ontology import Ontology

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Value: TypeAlias = str | float | tuple[str, ...]
Values: TypeAlias = Mapping[str, Value]
_Execution = TypeVar("_Execution")
_Scenario = TypeVar("_Scenario")

Generate: TypeAlias = Callable[[str], Value]
"""A value for the parameter of that name."""
Judge: TypeAlias = Callable[[_Execution, Values], bool]
"""Whether a property holds of an execution, given the values of the parameters it needs."""


@dataclass(frozen=True, slots=True)
class ActionTest:
    """What came of testing one action: whether each of its properties holds, in the order of the ontology."""

    action: str
    values: Values
    properties: Mapping[str, bool]

    @property
    def passed(self) -> bool:
        """What the published algorithm returns."""
        return all(self.properties.values())

    @property
    def satisfied(self) -> int:
        return sum(self.properties.values())


def test_action(
    action: str,
    ontology: Ontology,
    *,
    generate: Generate,
    execute: Callable[[str, Values], _Execution],
    judges: Mapping[str, Judge[_Execution]],
) -> ActionTest:
    """Algorithm 1."""
    ontology.check_judged(action, judges)
    values = {parameter: generate(parameter) for parameter in ontology.action(action).parameters}
    execution = execute(action, values)
    return judged_action(action, ontology, execution, values, judges)


test_action.__test__ = False  # type: ignore[attr-defined]  # not a test of pytest's


def test_sequence(
    actions: Sequence[str],
    ontology: Ontology,
    *,
    generate: Generate,
    execute: Callable[[str, Values], _Execution],
    judges: Mapping[str, Judge[_Execution]],
) -> tuple[ActionTest, ...]:
    """Algorithm 1 for a task of several actions. A parameter that several of them have keeps its value."""
    check_sequence(actions, ontology, judges)
    values: dict[str, Value] = {}

    def generate_once(parameter: str) -> Value:
        if parameter not in values:
            values[parameter] = generate(parameter)
        return values[parameter]

    return tuple(
        test_action(action, ontology, generate=generate_once, execute=execute, judges=judges) for action in actions
    )


test_sequence.__test__ = False  # type: ignore[attr-defined]


def judged_action(
    action: str, ontology: Ontology, execution: _Execution, values: Values, judges: Mapping[str, Judge[_Execution]]
) -> ActionTest:
    """Judge an execution by every success property of the action (lines 8 to 13)."""
    holds = {}
    for prop in ontology.success_properties(action):
        needed = {name: values[name] for name in prop.needs}
        holds[prop.name] = bool(judges[prop.name](execution, needed))
    return ActionTest(action, values, holds)


def check_sequence(actions: Sequence[str], ontology: Ontology, judges: Collection[str]) -> None:
    """InputError unless each action is known and can be judged."""
    if not actions:
        raise InputError("A test has no actions. Wanted at least one.")
    for action in actions:
        ontology.check_judged(action, judges)


@dataclass(frozen=True, slots=True)
class Smallest(Generic[_Scenario]):
    """The simplest failing scenario that Hypothesis found. ``scenarios`` were tried, each ``repeats`` times."""

    scenario: _Scenario
    fails: int
    repeats: int
    scenarios: int


def find_smallest(
    scenarios: SearchStrategy[_Scenario],
    fails: Callable[[_Scenario, int], bool],
    *,
    seed: int,
    examples: int = 15,
    repeats: int = 1,
    needed: int = 1,
    most_scenarios: int = 200,
    simpler: Callable[[_Scenario], Iterable[_Scenario]] | None = None,
) -> Smallest[_Scenario] | None:
    """Generate scenarios until one fails, then shrink it; None if none does.

    Hypothesis shrinks values well but may keep parts of which one alone would do: ``simpler`` proposes scenarios with
    less in them, and the first that still fails is taken, again and again.

    ``fails(scenario, repeat)`` runs it once. A scenario counts if ``needed`` of its ``repeats`` fail. Shrinking ends
    after ``most_scenarios``: what was not tried by then counts as passing.
    """
    if not 1 <= needed <= repeats or examples < 1:
        raise InputError(f"Got {needed=}, {repeats=}, {examples=}. Wanted 1 <= needed <= repeats, examples >= 1.")
    trial = _Trial(fails, repeats, needed, most_scenarios)
    _run_hypothesis(scenarios, trial, seed=seed, examples=examples)
    smallest = trial.smallest
    if smallest is None:
        return None
    while simpler is not None:
        less = next((candidate for candidate in simpler(smallest) if trial.count(candidate) >= needed), None)
        if less is None:
            break
        smallest = less
    return Smallest(smallest, trial.count(smallest), repeats, len(trial.counts))


class _Found(Exception):  # noqa: N818  (tells Hypothesis that a scenario fails)
    pass


class _Trial(Generic[_Scenario]):
    """Runs each scenario once, whatever Hypothesis asks: answers must not change while it shrinks."""

    def __init__(self, fails: Callable[[_Scenario, int], bool], repeats: int, needed: int, most: int) -> None:
        self._fails, self._repeats, self._needed, self._most = fails, repeats, needed, most
        self.counts: dict[str, int] = {}
        self.smallest: _Scenario | None = None

    def count(self, scenario: _Scenario) -> int:
        """In how many repeats it fails."""
        key = repr(scenario)
        if key not in self.counts:
            if len(self.counts) >= self._most:
                return 0
            self.counts[key] = sum(self._fails(scenario, repeat) for repeat in range(self._repeats))
        return self.counts[key]

    def check(self, scenario: Any) -> None:
        """What Hypothesis calls."""
        if self.count(scenario) >= self._needed:
            self.smallest = scenario
            raise _Found


def _run_hypothesis(scenarios: Any, trial: _Trial[Any], *, seed: int, examples: int) -> None:
    try:
        import hypothesis  # noqa: PLC0415 (an optional extra)
    except ImportError as error:
        raise NotInstalledError(
            "Property tests need Hypothesis, which is not installed. Next: pip install 'stressfield[tabletop]'."
        ) from error
    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    given: Any = hypothesis.given(scenarios)
    try:
        hypothesis.seed(seed)(settings(given(trial.check)))()
    except _Found:
        return
