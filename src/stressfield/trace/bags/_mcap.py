"""The MCAP file of a recording: chunks without a wanted message are neither unpacked nor looked at."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from mcap.opcode import Opcode

from stressfield.trace._records import MAGIC, DamageError, Record, bytes_limit, messages_limit, open_chunk, records
from stressfield.trace.bags._storage import MAX_TIME, BagChannel, FileBytes, damaged
from stressfield.trace.trace import AS_IT_CAME, WRITTEN

_MESSAGE = struct.Struct("<BQHIQQ")
_FIXED = _MESSAGE.size - 9
FOOTER_BYTES = 29
_AS_IT_CAME = frozenset({Opcode.HEADER, Opcode.METADATA, Opcode.CHUNK, Opcode.MESSAGE_INDEX})
LANGUAGES = {"ros2msg": "ros2msg", "ros2idl": "ros2idl", "omgidl": "ros2idl", "ros1msg": "ros1msg"}


class McapFile:
    """One MCAP file, of rosbag2 or of anybody else."""

    def __init__(self, path: Path, below: Path | None = None) -> None:
        self._path = path
        self._file = FileBytes(path, below)
        self._schemas: dict[int, tuple[str, str, str]] = {}
        self._numbers: dict[int, int] = {}
        self._counts: dict[int, int] | None = None
        self._chunks: list[tuple[Record, frozenset[int]]] | None = None
        self.channels: list[BagChannel] = []
        self.span_ns: tuple[int, int] | None = None
        self.card: dict[str, str] | None = None
        """The texts of the metadata record that a stressfield run has; None for other recordings."""
        self.note = ""
        """What was odd, and what was made of it."""
        try:
            self._open()
        except DamageError as damage:
            self.close()
            raise self._told(damage) from damage

    def close(self) -> None:
        """Let go of the file."""
        self._chunks = None
        self._file.close()

    def messages(self, topics: Collection[str]) -> Iterator[tuple[int, int, bytes]]:
        """The messages of these topics."""
        wanted = {mcap: own for mcap, own in self._numbers.items() if self.channels[own].topic in topics}
        try:
            if self._chunks is None:
                yield from self._scanned(wanted)
                return
            budget = _Budget(len(self._file.view))
            for chunk, inside in self._chunks:
                # A chunk whose index says nothing may hold anything.
                if not inside or inside & wanted.keys():
                    yield from self._of_chunk(chunk, wanted, budget)
        except DamageError as damage:
            raise self._told(damage) from damage

    def _told(self, damage: DamageError) -> Exception:
        return damaged(self._path, f"{damage.reason} at byte {damage.offset}", cut=damage.cut)

    # --- what is in it ------------------------------------------------------------------------------------------

    def _open(self) -> None:
        data = self._file.view
        if data[: len(MAGIC)] != MAGIC:
            raise DamageError("it does not begin as an MCAP file", offset=0, cut=not len(data))
        if data[-len(MAGIC) :] != MAGIC or len(data) < 2 * len(MAGIC) + FOOTER_BYTES:
            with suppress(DamageError):
                self._read_card(data)
            if self.card is None or self.card.get(f"option.{WRITTEN}") != AS_IT_CAME:
                raise DamageError(
                    "it has no end (the recorder was killed, or copying it stopped)", offset=len(data), cut=True
                )
            self._end_here()
            self._read_all()
        else:
            footer = next(records(data, len(data) - len(MAGIC) - FOOTER_BYTES))
            if footer.opcode != Opcode.FOOTER:
                raise DamageError("it has no footer", offset=footer.start)
            summary = footer.fields("QQI")[0]
            if summary and not len(MAGIC) <= summary <= footer.start:
                raise DamageError("its summary is outside of it", offset=footer.start)
            indexed = bool(summary) and self._read_summary(summary, footer.start)
            if not indexed:
                self._read_all()
            self._read_card(data)
        if self._counts is not None:
            self.channels = [
                BagChannel(each.topic, each.ros_type, each.encoding, each.definition, each.language, count)
                for each, count in zip(self.channels, map(self._count, range(len(self.channels))), strict=True)
            ]

    def _end_here(self) -> None:
        """A recording of ours that was written as it came, and has no end: it ends with its last whole chunk."""
        data, end, chunks = self._file.view, len(MAGIC), 0
        budget = _Budget(len(data))
        try:
            for record in records(data, len(MAGIC)):
                if record.opcode not in _AS_IT_CAME:
                    break  # zeros, mostly: space of which a power cut took the contents
                if record.opcode == Opcode.CHUNK:
                    budget.take(len(open_chunk(record, must_have_crc=True, bytes_max=budget.left).data), record.start)
                    chunks += 1
                end = record.end
        except DamageError:
            pass  # half a chunk, or one that did not reach the disk whole
        self.note = (
            f"{str(self._path)!r} has no end: the twin that wrote it was killed, or copying it stopped. Its {chunks} "
            f"whole chunks were read; {len(data) - end} bytes behind them are lost"
        )
        self._file.view = data[:end]

    def _count(self, own: int) -> int:
        assert self._counts is not None
        return sum(self._counts.get(mcap, 0) for mcap, number in self._numbers.items() if number == own)

    def _read_card(self, data: memoryview) -> None:
        for place, record in enumerate(records(data, len(MAGIC))):
            if record.opcode == Opcode.METADATA:
                name, texts = record.fields("sm")
                self.card = texts if name == "stressfield" else None
            if place > 1:
                return

    def _read_summary(self, begin: int, end: int) -> bool:
        """Whether the summary tells all: the channels, and where each chunk is with what is inside."""
        data = self._file.view
        chunks: list[tuple[Record, frozenset[int]]] = []
        statistics = None
        for record in records(data[:end], begin):
            if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                self._define(record)
            elif record.opcode == Opcode.CHUNK_INDEX:
                chunks.append(self._indexed(record, begin))
            elif record.opcode == Opcode.STATISTICS:
                statistics = record.fields("QHIIIIQQb")
        if statistics is None or (statistics[0] and not (chunks and self.channels)):
            return False
        self._chunks = sorted(chunks, key=lambda pair: pair[0].start)
        count, *_, first, last, counts = statistics
        if count:
            self._span(first, last, begin)
        if len(counts) % 10 == 0:
            self._counts = dict(struct.iter_unpack("<HQ", counts))
        return True

    def _indexed(self, record: Record, begin: int) -> tuple[Record, frozenset[int]]:
        data = self._file.view
        _, _, offset, length, offsets, *_ = record.fields("QQQQbQsQQ")
        if not 9 <= length <= begin - min(offset, begin) or data[offset] != Opcode.CHUNK or len(offsets) % 10:
            raise DamageError("its summary lists a chunk that is not in the file", offset=record.start)
        inside = frozenset(number for number, _ in struct.iter_unpack("<HQ", offsets))
        return Record(Opcode.CHUNK, offset, data[offset + 9 : offset + length]), inside

    def _define(self, record: Record) -> None:
        if record.opcode == Opcode.SCHEMA:
            number, name, encoding, text = record.fields("Hssb")
            self._schemas[number] = (name, encoding, bytes(text).decode(errors="replace"))
            return
        number, schema, topic, encoding, _ = record.fields("HHssm")
        if number in self._numbers:
            return
        name, language, text = self._schemas.get(schema, ("", "", ""))
        self._numbers[number] = len(self.channels)
        language = LANGUAGES.get(language, language)
        self.channels.append(BagChannel(topic, name, encoding, text if language else "", language))

    def _read_all(self) -> None:
        """A file without an index: all of it is looked at once to know what is there."""
        first, last, counts = MAX_TIME, -1, dict[int, int]()
        for number, time_ns, _ in self._walk(None):
            first, last = min(first, time_ns), max(last, time_ns)
            counts[number] = counts.get(number, 0) + 1
        self._counts = counts
        if last >= 0:
            self._span(first, last, 0)

    def _span(self, first: int, last: int, offset: int) -> None:
        if not first <= last < MAX_TIME:
            raise DamageError("its times are impossible", offset=offset)
        self.span_ns = (first, last)

    # --- messages -----------------------------------------------------------------------------------------------

    def _scanned(self, wanted: dict[int, int]) -> Iterator[tuple[int, int, bytes]]:
        for number, time_ns, payload in self._walk(wanted):
            yield wanted[number], time_ns, bytes(payload)

    def _walk(self, wanted: dict[int, int] | None) -> Iterator[tuple[int, int, memoryview]]:
        data = self._file.view
        budget = _Budget(len(data))
        for record in records(data, len(MAGIC)):
            if record.opcode in (Opcode.DATA_END, Opcode.FOOTER):
                return
            if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                self._define(record)
            elif record.opcode == Opcode.MESSAGE:
                number, _, time_ns, _, payload = record.fields("HIQQr")
                if wanted is None or number in wanted:
                    yield number, time_ns, payload
            elif record.opcode == Opcode.CHUNK:
                chunk = open_chunk(record, must_have_crc=False, bytes_max=budget.left)
                budget.take(len(chunk.data), record.start)
                yield from self._inside(memoryview(chunk.data), record.start, wanted, budget)

    def _of_chunk(self, chunk: Record, wanted: dict[int, int], budget: _Budget) -> Iterator[tuple[int, int, bytes]]:
        opened = open_chunk(chunk, must_have_crc=False, bytes_max=budget.left)
        budget.take(len(opened.data), chunk.start)
        for number, time_ns, payload in self._inside(memoryview(opened.data), chunk.start, wanted, budget):
            yield wanted[number], time_ns, bytes(payload)

    def _inside(
        self, data: memoryview, offset: int, wanted: dict[int, int] | None, budget: _Budget
    ) -> Iterator[tuple[int, int, memoryview]]:
        at, total = 0, len(data)
        head, fixed = _MESSAGE.unpack_from, _MESSAGE.size
        while at < total:
            if data[at] != Opcode.MESSAGE or at + fixed > total:
                record = next(records(data, at))
                if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                    self._define(record)
                at = record.end
                continue
            _, size, number, _, time_ns, _ = head(data, at)
            end = at + 9 + size
            if size < _FIXED or end > total or time_ns >= MAX_TIME or number not in self._numbers:
                raise DamageError("a message in a chunk is not valid", offset=offset)
            budget.message(offset)
            if wanted is None or number in wanted:
                yield number, time_ns, data[at + fixed : end]
            at = end


class _Budget:
    """What a file of its size may still unpack to."""

    def __init__(self, size: int) -> None:
        # A file of many gigabytes is read a chunk at a time: the limit that grows with it is what counts here.
        self.left = max(bytes_limit(size), 4 * size)
        self._messages = messages_limit(size)

    def take(self, size: int, offset: int) -> None:
        self.left -= size
        if self.left < 0:
            raise DamageError("its messages would unpack to more than a file of its size may hold", offset=offset)

    def message(self, offset: int) -> None:
        self._messages -= 1
        if self._messages < 0:
            raise DamageError("it has more messages than a file of its size may hold", offset=offset)
