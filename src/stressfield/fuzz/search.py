"""Searches of a testing space and the tests they made."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from stressfield.fuzz.operations import AnyOperation

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Direction: TypeAlias = Literal["highest", "lowest"]


class Metric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number computed from a run. ``direction`` says which values a search looks for, to hurt the robot most.

    ``variable``: read from a topic, without code if there is a ``path`` (or ``take: count``); ``stream``: computed from
    several; ``static``: of the disturbances themselves.
    """

    name: Label
    kind: Literal["variable", "stream", "static"] = "stream"
    direction: Direction = "highest"
    topics: tuple[str, ...] = ()
    path: str = ""
    take: Literal["last", "count", "sum", "min", "max"] = "last"


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A metric that a search looks for, and in which direction if not the metric's own."""

    metric: Label
    direction: Direction | None = None


class Nsga2(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="nsga2", tag_field="kind"):
    """Evolution of a population towards several objectives at once: ``iterations`` rounds of ``population`` tests."""

    population: Annotated[int, msgspec.Meta(ge=2)] = 10
    iterations: Annotated[int, msgspec.Meta(ge=1)] = 200


class SteadyNsga2(Nsga2, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="steady-nsga2"):
    """The same evolution without generations: a new test is proposed as soon as the oldest of ``window`` is evaluated.

    So no worker waits for the slowest test of a generation. The window is part of the search: the same window gives the
    same tests, however many workers there are. Fewer of them than the window are never idle.
    """

    window: Annotated[int, msgspec.Meta(ge=1)] = 20


class RandomTests(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="random", tag_field="kind"
):
    """Tests drawn independently of each other."""

    evaluations: Annotated[int, msgspec.Meta(ge=1)] = 100


class SweepTests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="sweep", tag_field="kind"):
    """One test for each cell of the space: an operation on one target, its ranges and its window cut into ``steps``.

    Cells come in random order, so that a sweep that ends early has seen something of everything.
    """

    steps: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    evaluations: Annotated[int, msgspec.Meta(ge=1)] | None = None


Approach: TypeAlias = Nsga2 | SteadyNsga2 | RandomTests | SweepTests


class Termination(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a search ends before its approach has used up its tests: whichever comes first.

    ``evaluations``: so many tests. ``stagnation``: so many generations in a row in which the hypervolume of the front
    grew by no more than ``improvement`` (a share of the box that holds all values seen). ``coverage``: this share of
    the cells of the space, its ranges and windows cut into ``steps``. ``seconds``: wall time, looked at between
    generations; without generations, before each test.
    """

    evaluations: Annotated[int, msgspec.Meta(ge=1)] | None = None
    stagnation: Annotated[int, msgspec.Meta(ge=1)] | None = None
    improvement: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.0
    coverage: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] | None = None
    steps: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    seconds: Annotated[float, msgspec.Meta(gt=0.0)] | None = None


class FuzzTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One test: concrete operations, each a specialisation of the space's operation of that name.

    ``results`` are the metrics of its evaluation; one that saw nothing is not in it.
    """

    name: Label
    operations: tuple[AnyOperation, ...] = ()
    results: dict[str, float] = msgspec.field(default_factory=dict)
    developed_from: tuple[str, ...] = ()


class ResultSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tests that a search singled out: on the way, or in the end."""

    name: Label
    status: Literal["intermediate", "final"] = "final"
    tests: tuple[str, ...] = ()


class Search(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a testing space that is searched: which operations (all, if none is named), how, and for what.

    ``narrowed`` operations replace those of the space with tighter bounds. ``activation: condition`` replaces their
    windows by conditions generated from the space's grammar.
    """

    __test__: ClassVar[bool] = False

    name: Label
    operations: tuple[str, ...] = ()
    narrowed: tuple[AnyOperation, ...] = ()
    activation: Literal["as_given", "condition"] = "as_given"
    objectives: tuple[Objective, ...] = ()
    approach: Approach | None = None
    termination: Termination = Termination()
    limit_s: float | None = None
    tests: tuple[FuzzTest, ...] = ()
    result_sets: tuple[ResultSet, ...] = ()
