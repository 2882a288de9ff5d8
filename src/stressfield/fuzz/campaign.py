"""Campaigns of a testing space and the tests they made."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from stressfield.fuzz.operations import AnyOperation

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Direction: TypeAlias = Literal["highest", "lowest"]


class Metric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number computed from a run. ``direction`` says which values a search looks for, to hurt the robot most.

    ``variable``: read from a topic; ``stream``: computed from several; ``static``: known before the run.
    """

    name: Label
    kind: Literal["variable", "stream", "static"] = "stream"
    direction: Direction = "highest"
    topics: tuple[str, ...] = ()


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A metric that a campaign searches for, and in which direction if not the metric's own."""

    metric: Label
    direction: Direction | None = None


class Nsga2(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="nsga2", tag_field="kind"):
    """Evolution of a population towards several objectives at once."""

    population: Annotated[int, msgspec.Meta(ge=2)] = 10
    iterations: Annotated[int, msgspec.Meta(ge=1)] = 200


class RandomTests(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="random", tag_field="kind"
):
    """Tests drawn independently of each other."""

    evaluations: Annotated[int, msgspec.Meta(ge=1)] = 100


Approach: TypeAlias = Nsga2 | RandomTests


class FuzzTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One test: concrete operations, each a specialisation of the space's operation of that name.

    ``results`` are the metrics of its evaluation; one that saw nothing is not in it.
    """

    name: Label
    operations: tuple[AnyOperation, ...] = ()
    results: dict[str, float] = msgspec.field(default_factory=dict)
    developed_from: tuple[str, ...] = ()


class ResultSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tests that a campaign singled out: on the way, or in the end."""

    name: Label
    status: Literal["intermediate", "final"] = "final"
    tests: tuple[str, ...] = ()


class TestCampaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    limit_s: float | None = None
    tests: tuple[FuzzTest, ...] = ()
    result_sets: tuple[ResultSet, ...] = ()
