"""Recordings that are cut and damaged: one kind of error, little lost, nothing changed in silence."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from campaigns import plan
from mcap.opcode import Opcode
from row import Figure, Size

from stressfield.campaign import Plan, run_campaign
from stressfield.errors import TraceError
from stressfield.seeds import generator
from stressfield.trace import Trace, _chunks, read_trace, write_trace
from stressfield.trace._contents import Contents
from stressfield.trace._records import MAGIC, records
from stressfield.trace.trace import Metadata

FILES = 10


class Recording:
    """A whole recording and where its chunks end."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.whole = read_trace(path)
        self.messages = count(self.whole)
        self.rows = {name: set(_items(self.whole, name)) for name in self.whole.topics}
        self.truth = {name: {row.tobytes() for row in truth.values} for name, truth in self.whole.robots.items()}
        self.ends: list[tuple[int, int]] = []
        contents = Contents.of(memoryview(self.data))
        for record in records(memoryview(self.data)[: -len(MAGIC)], len(MAGIC)):
            if record.opcode == Opcode.CHUNK:
                contents.add_chunk(record, must_have_crc=True)
                there = sum(len(channel.payloads) for channel in contents.channels.values())
                self.ends.append((record.end, there))
        totals = [0, *(total for _, total in self.ends)]
        self.largest = max(after - before for before, after in pairwise(totals))

    def wrong(self, part: Trace) -> bool:
        """Whether something is in it that was not recorded, or it does not say that something is missing."""
        if not part.lost or part.metadata not in (self.whole.metadata, Metadata()):
            return True
        if any(not set(_items(part, name)) <= self.rows.get(name, set()) for name in part.topics):
            return True
        return any(row.tobytes() not in self.truth[name] for name, truth in part.robots.items() for row in truth.values)


def _items(trace: Trace, name: str) -> Iterator[tuple[int, bytes]]:
    topic = trace.topics[name]
    return zip(topic.log_time_ns.tolist(), topic.payloads.items(), strict=True)


def count(trace: Trace) -> int:
    """Messages; an observation of a robot is two of them."""
    return sum(map(len, trace.topics.values())) + 2 * sum(map(len, trace.robots.values()))


@dataclass(slots=True)
class Tally:
    """What came of damage."""

    cuts: int = 0
    flips: int = 0
    other_errors: int = 0
    silent: int = 0
    chunks: int = 0
    slowest_s: float = 0.0


_made: list[Recording] = []
"""Set before workers are forked, which so need not make them again."""


def damaged(size: Size) -> Figure:
    """Cuts at every byte, then flipped bits; each read strictly and with ``recover``."""
    _made[:] = [Recording(path) for path in _recordings(size)]
    flips, parts = size.pick(600, 100_000), size.pick(1, 20)
    orders = [(_cut, number, size, size.pick(173, 1)) for number in range(FILES)]
    orders += [(_flip, part, size, flips // parts) for part in range(parts)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork")) as pool:
        tallies = list(pool.map(_obey, orders))
    total = Tally(*(sum(getattr(one, name) for one in tallies) for name in Tally.__slots__[:-1]))
    text = (
        f"{total.cuts:,} cuts of {FILES} files, {total.flips:,} flips: {total.other_errors} other errors, "
        f"{total.chunks} times more than a chunk lost, {total.silent} silent changes; "
        f"slowest {1000 * max(one.slowest_s for one in tallies):.0f} ms"
    )
    return Figure(not (total.other_errors or total.silent or total.chunks), text)


Order = tuple[Callable[[Path, int, Size, int], Tally], int, Size, int]


def _obey(order: Order) -> Tally:
    do, number, size, amount = order
    return do(size.folder / f"{do.__name__}{number}.mcap", number, size, amount)


def _cut(place: Path, number: int, size: Size, step: int) -> Tally:
    tally, recording = Tally(), _made[number]
    for cut in range(number if size.quick else 0, len(recording.data), step):
        tally.cuts += 1
        before = max((total for end, total in recording.ends if end <= cut), default=0)
        _try(place, recording, recording.data[:cut], tally, least=before - 1)
    return tally


def _flip(place: Path, part: int, _: Size, flips: int) -> Tally:
    tally = Tally()
    rng = generator(11, "flip bits", str(part))
    for number in range(flips):
        recording = _made[-1] if number % 200 == 0 else _made[number % FILES]
        at, bit = int(rng.integers(len(recording.data))), int(rng.integers(8))
        broken = bytearray(recording.data)
        broken[at] ^= 1 << bit
        tally.flips += 1
        least = recording.messages - recording.largest - 2  # halves of observations
        _try(place, recording, bytes(broken), tally, least=least)
    return tally


def _try(place: Path, recording: Recording, data: bytes, tally: Tally, *, least: int) -> None:
    place.write_bytes(data)
    begin_s = time.thread_time()
    try:
        read_trace(place)
        tally.silent += 1
    except TraceError:
        pass
    except Exception:
        tally.other_errors += 1
    try:
        part = read_trace(place, recover=True)
        tally.silent += recording.wrong(part)
        tally.chunks += count(part) < least
    except TraceError:
        tally.chunks += least > 0
    except Exception:
        tally.other_errors += 1
    tally.slowest_s = max(tally.slowest_s, time.thread_time() - begin_s)


def _recordings(size: Size) -> Iterator[Path]:
    """Ten small ones with many chunks, and a large one."""
    results = run_campaign(
        plan("idle", worlds=FILES, repeats=1, keep="all"), size.folder / "c", in_process=True
    ).results
    before = _chunks.CHUNK_BYTES
    try:
        for number, judged in enumerate(results.runs):
            _chunks.CHUNK_BYTES = 200 + 100 * number
            trace = read_trace(size.folder / "c" / str(judged.run.trace_file))
            yield write_trace(trace, size.folder / f"{number}.mcap")
        asked = Plan(study="oz", build="release", seed=5, worlds=1, repeats=1, keep="all")
        one = run_campaign(asked, size.folder / "oz", in_process=True, export_worlds=False).results.runs[0]
        _chunks.CHUNK_BYTES = 200_000
        trace = read_trace(size.folder / "oz" / str(one.run.trace_file))
        yield write_trace(trace, size.folder / "large.mcap")
    finally:
        _chunks.CHUNK_BYTES = before
