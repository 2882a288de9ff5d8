"""The condition language: what it says, what it refuses and where, and conditions that nobody wrote."""

from __future__ import annotations

import time
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.errors import ConditionError, InputError
from stressfield.fuzz import Condition, Grammar, Term, Variable, Vocabulary, parse_condition
from stressfield.fuzz.condition.expression import (
    Binary,
    BooleanLiteral,
    Call,
    Expression,
    Name,
    Number,
    Unary,
    constant,
)
from stressfield.seeds import generator

WORDS = Vocabulary.of(
    [
        Variable(name="robot0", kind="place", topics=("/r",), path="p"),
        Variable(name="human1", kind="place", topics=("/h",), path="p"),
        Variable(name="battery", of="robot0", topics=("/b",), path="data"),
        Variable(name="rooms", topics=("/c",), take="count"),
        Variable(name="speed", topics=("/d",), path="data"),
    ]
)
TERMS = (
    Term(term="distance(robot0, human1)", low=0.0, high=5.0),
    Term(term="battery(robot0)", low=0.0, high=1.0),
    Term(term="speed", low=-2.0, high=2.0),
)
SPEC = "distance(robot0, human1) < 1.0 and battery(robot0) < 0.3"


def value(text: str, **observed: object) -> object:
    known = {"battery(robot0)" if key == "battery" else key: one for key, one in observed.items()}
    return parse_condition(text, WORDS).compile()(known)  # type: ignore[arg-type]


# meaning ------------------------------------------------------------------------------------------------------


def test_the_example_of_the_specification() -> None:
    near = {"robot0": (0.0, 0.0, 0.0), "human1": (0.6, 0.6, 0.0)}
    assert value(SPEC, **near, battery=0.2) is True
    assert value(SPEC, **near, battery=0.4) is False
    assert parse_condition(SPEC, WORDS).variables == {"robot0", "human1", "battery(robot0)"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 + 2 * 3 == 7", True),
        ("(1 + 2) * 3 == 9", True),
        ("10 - 4 - 3 == 3", True),
        ("16 / 4 / 2 == 2", True),
        ("-2 * -3 == 6", True),
        ("not 1 > 2", True),
        ("not true or true", True),
        ("true or false and false", True),
        ("(true or false) and false", False),
        ("1.5e1 == 15 and .5 == 0.5", True),
        ("max(1, 2) - min(1, 2) == abs(-1)", True),
        ("(1 < 2) == true", True),
        ("rooms >= 3", True),
    ],
)
def test_arithmetic_and_logic(text: str, meant: bool) -> None:
    assert value(text, rooms=3.0) is meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rooms < 1", None),
        ("rooms < 1 and speed > 0", None),
        ("rooms < 1 and speed > 9", False),
        ("rooms < 1 or speed > 0", True),
        ("not rooms < 1", None),
        ("speed / 0 > 1", None),
        ("distance(robot0, human1) < 1", None),
    ],
)
def test_what_is_unknown_stays_unknown(text: str, meant: bool | None) -> None:
    assert value(text, speed=1.0) is meant


def test_a_value_that_is_not_a_number_is_unknown() -> None:
    assert value("speed > 0 or speed <= 0", speed=float("nan")) is None


# errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason", "under"),
    [
        ("__class__", "Unknown variable '__class__'.", "__class__"),
        ("rooms.__class__ > 1", "Parts of things cannot be reached into", "."),
        ("9**9**9 > 1", "There are no powers", "**"),
        ("rooms < 3 < 4", "Comparisons do not chain", "< 4"[:1]),
        ("rooms + 1", "a condition is true or false, got a number", "rooms + 1"),
        ("not rooms", "'not' wants true or false, got a number", "rooms"),
        ("robot0 < 2", "'<' wants a number, got a place", "robot0"),
        ("battery(robot1) < 2", "Did you mean 'battery(robot0)'?", "battery(robot1)"),
        ("exec(rooms) > 1", "Unknown function 'exec'", "exec(rooms)"),
        ("distance(robot0) > 1", "distance(place, place): got 1 arguments", "distance(robot0)"),
        ("distance > 1", "'distance' is a function", "distance"),
        ("rooms > 1 and", "got the end", " "),
        ("rooms = 1", "Wanted '==' to compare.", "="),
        ("rooms > 1 && true", "Wanted 'and'.", "&&"),
        ("rooms > 1e999", "too large", "1e999"),
        ("", "got the end", ""),
        ("roms > 1", "Did you mean 'rooms'?", "roms"),
    ],
)
def test_errors_say_what_and_where(text: str, reason: str, under: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_condition(text, WORDS)
    error = caught.value
    assert reason in str(error)
    assert isinstance(error, InputError)
    lines = str(error).splitlines()
    assert lines[-2] == f"  {error.condition}"
    assert lines[-1] == f"  {' ' * error.position}{'^' * error.length}"
    if under.strip():
        assert error.condition[error.position : error.position + error.length] == under


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "(" * 900 + "1" + ")" * 900,
        "not " * 400 + "true",
        "-" * 1900 + "1 > 0",
        "9**9**9**9",
        " and ".join(["true"] * 350),
        "abs(" * 100 + "1" + ")" * 100 + " > 1",
        "a" * 1_000_000,
    ],
    ids=["10000 parentheses", "900 parentheses", "nots", "minuses", "powers", "many parts", "calls", "long"],
)
def test_runaway_conditions_are_refused_at_once(text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(ConditionError):
        parse_condition(text, WORDS)
    assert time.perf_counter() - begin < 0.1


def test_a_condition_must_be_text() -> None:
    with pytest.raises(ConditionError, match="A condition is text: got int, wanted str"):
        parse_condition(3, WORDS)  # type: ignore[arg-type]


def test_variables_cannot_be_called_like_words_of_the_language() -> None:
    with pytest.raises(InputError, match="word of the condition language"):
        Vocabulary.of([Variable(name="and")])
    with pytest.raises(InputError, match="Two variables are called 'x'"):
        Vocabulary.of([Variable(name="x"), Variable(name="x")])


_WORDS = (
    "rooms speed battery(robot0) robot0 distance( ( ) , and or not < == - + * / 1 0.5 true ** . __import__ é ' 1e5 ["
)
_PIECES = [*_WORDS.split(), "\n", "lambda"]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_PIECES), max_size=25).map(" ".join)))
def test_any_text_is_a_condition_or_a_condition_error(text: str) -> None:
    try:
        condition = parse_condition(text, WORDS)
    except ConditionError:
        return
    assert condition.compile()({}) in (True, False, None)
    assert parse_condition(str(condition), WORDS) == condition


# text and tree ------------------------------------------------------------------------------------------------

_NUMBERS = st.recursive(
    st.one_of(
        st.floats(0.0, 1e6).map(Number),
        st.sampled_from([Name("rooms"), Name("speed"), Call("battery", (Name("robot0"),))]),
    ),
    lambda part: st.one_of(
        st.builds(Unary, st.just("-"), part),
        st.builds(Binary, st.sampled_from(["+", "-", "*", "/"]), part, part),
        st.builds(lambda a, b: Call("max", (a, b)), part, part),
    ),
    max_leaves=6,
)
_TRUTHS = st.recursive(
    st.one_of(
        st.builds(Binary, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), _NUMBERS, _NUMBERS),
        st.builds(BooleanLiteral, st.booleans()),
    ),
    lambda part: st.one_of(
        st.builds(Unary, st.just("not"), part),
        st.builds(Binary, st.sampled_from(["and", "or", "==", "!="]), part, part),
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(_TRUTHS)
def test_printed_and_parsed_is_the_same_tree(tree: Expression) -> None:
    assert parse_condition(str(Condition(tree)), WORDS).tree == tree


def test_numbers_keep_their_sign_and_digits() -> None:
    assert constant(-0.25) == Unary("-", Number(0.25))
    text = "speed < -0.1 and rooms > 1e-07 and speed < 12345678901234567"
    assert parse_condition(str(parse_condition(text, WORDS)), WORDS) == parse_condition(text, WORDS)


# conditions nobody wrote --------------------------------------------------------------------------------------


def test_generated_conditions_stay_inside_the_grammar() -> None:
    grammar, rng = Grammar.of(WORDS, TERMS), generator(1, "conditions")
    made = [grammar.condition(rng, parts=3) for _ in range(300)]
    for condition in made:
        assert parse_condition(str(condition), WORDS) == condition
        assert condition.variables <= {"robot0", "human1", "battery(robot0)", "speed"}
    assert len({str(one) for one in made}) > 250
    assert {str(one).count(" and ") + str(one).count(" or ") for one in made} == {0, 1, 2}


def test_sentences_are_the_texts_of_conditions() -> None:
    odd = (*TERMS, Term(term="speed * 2 - 1", low=-3.0, high=1e6), Term(term="rooms", low=-1e-5, high=0.0))
    grammar = Grammar.of(WORDS, odd)
    for seed in range(500):
        one, same = generator(seed, "sentence"), generator(seed, "sentence")
        condition, sentence = grammar.condition(one, parts=4), grammar.sentence(same, parts=4)
        assert sentence == str(condition) == grammar.text(condition)
        assert one.random() == same.random()
        mutant = grammar.mutate(condition, one, parts=4)
        assert grammar.text(mutant) == str(mutant)
        assert parse_condition(str(mutant), WORDS) == mutant
        assert parse_condition(sentence, WORDS) == condition


def test_conditions_that_may_be_too_large_are_read_to_find_out() -> None:
    sums = " + ".join(["speed"] * 40)
    grammar, rng = Grammar.of(WORDS, (Term(term=sums, low=0.0, high=1.0),)), generator(5, "conditions")
    assert parse_condition(grammar.sentence(rng, parts=1), WORDS)
    assert parse_condition(str(grammar.condition(rng, parts=1)), WORDS)
    with pytest.raises(ConditionError, match="too many parts"):
        [grammar.sentence(rng, parts=8) for _ in range(100)]
    with pytest.raises(ConditionError, match="too many parts"):
        reduce(lambda one, _: grammar.mutate(one, rng, parts=8), range(100), grammar.condition(rng, parts=1))


def test_constants_stay_inside_their_ranges() -> None:
    grammar, rng = Grammar.of(WORDS, (Term(term="speed", low=-2.0, high=-1.0),)), generator(2, "conditions")
    for _ in range(200):
        _, _, number = str(grammar.condition(rng, parts=1)).split()
        assert -2.0 <= float(number) <= -1.0


def test_mutation_and_crossover_change_conditions_and_keep_them_valid() -> None:
    grammar, rng = Grammar.of(WORDS, TERMS), generator(3, "conditions")
    one, other = grammar.condition(rng), grammar.condition(rng)
    changed = 0
    for _ in range(300):
        before = (str(one), str(other))
        one, other = grammar.crossover(grammar.mutate(one, rng), grammar.mutate(other, rng), rng)
        changed += (str(one), str(other)) != before
        assert all(str(part).count(" and ") + str(part).count(" or ") <= 1 for part in (one, other))
    assert changed > 250


def test_the_same_seed_generates_the_same_conditions() -> None:
    grammar = Grammar.of(WORDS, TERMS)
    first, second = ([str(grammar.condition(generator(4, i))) for i in range(20)] for _ in range(2))
    assert first == second


def test_a_grammar_needs_terms() -> None:
    with pytest.raises(InputError, match="no terms"):
        Grammar.of(WORDS, ())
