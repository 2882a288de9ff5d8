"""Small steps and fresh draws: what a mutation does to parameters and windows."""

from __future__ import annotations

from stressfield.fuzz import FuzzTest, Loss, MutationRates, RandomValue, Sampler, Window
from stressfield.seeds import generator

from .carts import space


def mutants(rates: MutationRates, count: int = 200) -> tuple[FuzzTest, list[FuzzTest]]:
    sampler = Sampler(space())
    test = FuzzTest(
        name="t", operations=tuple(sampler.specialise(one, generator(2, one.name)) for one in space().operations)
    )  # type: ignore[misc]
    return test, [sampler.mutate(test, generator(3, at), rates=rates) for at in range(count)]


def loss_of(test: FuzzTest) -> Loss:
    return next(one for one in test.operations if isinstance(one, Loss))


def test_small_steps_are_small_and_stay_inside() -> None:
    rates = MutationRates(parameters=1.0, timing=1.0, participants=0.0, nearby=1.0)
    before, after = mutants(rates)
    moves = [abs(loss_of(one).probability - loss_of(before).probability) for one in after]
    assert 0.03 < sum(moves) / len(moves) < 0.15
    for one in after:
        space().check_test(one)
        when = loss_of(one).when
        assert isinstance(when, Window)
        assert 0.0 <= when.start_s < when.until_s <= 300.0


def test_fresh_draws_go_anywhere() -> None:
    rates = MutationRates(parameters=1.0, timing=1.0, participants=0.0, nearby=0.0)
    _, after = mutants(rates)
    values = sorted(loss_of(one).probability for one in after)
    assert values[10] < 0.15
    assert values[-10] > 0.85


def test_both_ends_of_a_range_move() -> None:
    rates = MutationRates(parameters=1.0, timing=0.0, participants=0.0, nearby=1.0)
    before, after = mutants(rates)
    (old,) = [one.fields[0].range for one in before.operations if isinstance(one, RandomValue)]
    for one in after:
        (new,) = [op.fields[0].range for op in one.operations if isinstance(op, RandomValue)]
        assert new is not None
        assert old is not None
        assert -1.0 <= new.low <= new.high <= 1.0
        assert new != old
