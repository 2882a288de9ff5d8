"""Every parser, fed with what it should refuse: it may refuse in its own words, and soon; nothing else."""

from __future__ import annotations

import gc
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from inputs import TARGETS
from row import Figure, Size

from mutation import bad_inputs
from stressfield.errors import InputError

LIMIT_S = 0.1


@dataclass(slots=True)
class Tally:
    """What a parser did."""

    name: str
    tried: int = 0
    refused: int = 0
    uncaught: int = 0
    slow: int = 0
    slowest_s: float = 0.0
    example: str = ""

    def feed(self, parse: Callable[[bytes], object], data: bytes) -> None:
        self.tried += 1
        begin_s = time.thread_time()
        try:
            parse(data)
        except InputError:
            self.refused += 1
        except Exception as error:
            self.uncaught += 1
            self.example = self.example or f"{type(error).__name__}: {error} for {data[:120]!r}"
        took_s = time.thread_time() - begin_s
        self.slowest_s = max(self.slowest_s, took_s)
        if took_s > LIMIT_S:
            self.slow += 1
            self.example = self.example or f"{took_s:.2f} s for {data[:120]!r}"


def generated(size: Size) -> Figure:
    """Mutations of good files for each parser, and what Hypothesis thinks of."""
    number, drawn, parts = size.pick(700, 980_000), size.pick(30, 20_000), size.pick(1, 10)
    orders = [
        (name, part, size.folder / f"{name} {part}", number // parts, drawn // parts)
        for name in TARGETS for part in range(parts)
    ]  # fmt: skip
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        found = list(pool.map(_torture, orders))
    tallies = [sum_of([tally for tally in found if tally.name == name]) for name in TARGETS]
    total = sum(tally.tried for tally in tallies)
    uncaught, slow = sum(tally.uncaught for tally in tallies), sum(tally.slow for tally in tallies)
    slowest = max(tallies, key=lambda tally: tally.slowest_s)
    weak = [tally.name for tally in tallies if tally.refused < 0.1 * tally.tried]
    text = (
        f"{len(tallies)} parsers ({', '.join(tally.name for tally in tallies)}), {total:,} inputs: "
        f"{uncaught} uncaught, "
        f"{slow} over 100 ms; slowest {1000 * slowest.slowest_s:.0f} ms ({slowest.name})"
    )
    examples = [f"; {tally.name}: {tally.example}" for tally in tallies if tally.example]
    return Figure(not uncaught and size.within(slow, 0) and not weak, text + "".join(examples[:6]) + "".join(weak))


def sum_of(tallies: list[Tally]) -> Tally:
    """The parts of one parser together."""
    total = tallies[0]
    for tally in tallies[1:]:
        total.tried += tally.tried
        total.refused += tally.refused
        total.uncaught += tally.uncaught
        total.slow += tally.slow
        total.slowest_s = max(total.slowest_s, tally.slowest_s)
        total.example = total.example or tally.example
    return total


def _torture(order: tuple[str, int, Path, int, int]) -> Tally:
    name, part, folder, number, drawn = order
    folder.mkdir()
    target = TARGETS[name](folder)
    tally = Tally(name)
    for data in target.good:
        target.parse(data)  # a parser that refuses good input proves nothing
    gc.collect()
    gc.freeze()
    _feed_all(tally, target.parse, islice(bad_inputs(f"{name} {part}", target.good), number))
    _feed_hypothesis(tally, target.parse, drawn, part, target.text)
    return tally


def _feed_all(tally: Tally, parse: Callable[[bytes], object], inputs: Iterable[bytes]) -> None:
    for data in inputs:
        tally.feed(parse, data)


def _feed_hypothesis(tally: Tally, parse: Callable[[bytes], object], number: int, start: int, text: bool) -> None:
    strategy = (
        st.text(max_size=300).map(lambda one: one.encode("utf-8", "surrogatepass")) if text else st.binary(max_size=300)
    )

    @seed(start)
    @settings(max_examples=number, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def one(data: bytes) -> None:
        tally.feed(parse, data)

    one()
