"""The SQLite file of a rosbag2 recording."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from stressfield._files.disk import open_file
from stressfield.errors import TraceError
from stressfield.trace._records import bytes_limit
from stressfield.trace.bags._storage import MAX_TIME, BagChannel, damaged

NEEDED = {"topics": ("id", "name", "type", "serialization_format"), "messages": ("topic_id", "timestamp", "data")}
LARGEST_MESSAGE = 256 << 20
MOST_TOPICS = 20_000


class SqliteFile:
    """One ``.db3`` file. It is opened as what it is, a file of a stranger: nothing in it is run or written."""

    card: None = None
    note = ""

    def __init__(self, path: Path, below: Path | None = None) -> None:
        self._path = path
        try:
            with open_file(path, below=below) as file:  # refuses links and what is no file
                self._bytes_max = bytes_limit(file.seek(0, 2))
        except OSError as error:
            raise TraceError(f"Cannot read {str(path)!r}: {error.strerror}. Wanted the file of a rosbag2.") from None
        with self._guarded():
            # immutable: no lock and no journal are made beside it, and a journal of somebody else is not replayed
            place = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
            self._db = sqlite3.connect(place, uri=True, check_same_thread=False)
            try:
                self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_MESSAGE)
                self._db.execute("PRAGMA query_only = ON")
                self._db.execute("PRAGMA trusted_schema = OFF")
                self._check_tables()
                self.channels, self._ids = self._read_channels()
                self.span_ns = self._read_span()
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def messages(self, topics: Collection[str]) -> Iterator[tuple[int, int, bytes]]:
        """The messages of these topics."""
        wanted = {key: own for key, own in self._ids.items() if self.channels[own].topic in topics}
        marks = ",".join("?" * len(wanted))
        total = 0
        with self._guarded():
            # By number, which is the order of writing: ordered by time SQLite would hold all of it in memory.
            rows = self._db.execute(
                f"SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({marks}) ORDER BY rowid",  # noqa: S608
                tuple(wanted),
            )
            for key, time_ns, data in rows:
                if not isinstance(data, bytes) or not isinstance(time_ns, int) or not 0 <= time_ns < MAX_TIME:
                    raise damaged(self._path, "a message is not valid")
                total += len(data)
                if total > self._bytes_max:
                    raise damaged(self._path, "its messages are larger than the file")
                yield wanted[key], time_ns, data

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            cut = "malformed" in str(error) or "disk I/O" in str(error)
            raise damaged(self._path, f"SQLite says {str(error)!r}", cut=cut) from None

    def _check_tables(self) -> None:
        """Plain tables with stored columns only: a view or a computed column could make up gigabytes."""
        for table, needed in NEEDED.items():
            kind = self._db.execute("SELECT type, sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
            if kind is None:
                raise TraceError(
                    f"{str(self._path)!r} is an SQLite database, but no recording: it has no table {table!r}. "
                    "Wanted the .db3 file of a rosbag2."
                )
            if kind[0] != "table" or str(kind[1]).upper().startswith("CREATE VIRTUAL"):
                raise damaged(self._path, f"{table!r} is not a plain table")
            columns = {name: hidden for _, name, _, _, _, _, hidden in self._db.execute(f"PRAGMA table_xinfo({table})")}
            if missing := [name for name in needed if columns.get(name) != 0]:
                raise damaged(self._path, f"table {table!r} has no plain column {missing[0]!r}")

    def _read_channels(self) -> tuple[list[BagChannel], dict[int, int]]:
        texts = self._definitions()
        rows = self._db.execute("SELECT id, name, type, serialization_format FROM topics ORDER BY id").fetchmany(
            MOST_TOPICS
        )
        channels: list[BagChannel] = []
        ids: dict[int, int] = {}
        for key, topic, kind, encoding in rows:
            if not isinstance(key, int) or not all(isinstance(text, str) for text in (topic, kind, encoding)):
                raise damaged(self._path, "a topic is not valid")
            text, language = texts.get(kind, ("", ""))
            ids[key] = len(channels)
            channels.append(BagChannel(topic, kind, encoding, text, language))
        return channels, ids

    def _definitions(self) -> dict[str, tuple[str, str]]:
        """Definitions by type; recorders before ROS 2 Iron wrote none."""
        known = {name for _, name, *_ in self._db.execute("PRAGMA table_info(message_definitions)")}
        if not {"topic_type", "encoding", "encoded_message_definition"} <= known:
            return {}
        rows = self._db.execute(
            "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions"
        ).fetchmany(MOST_TOPICS)
        return {kind: (text, language) for kind, language, text in rows if text and isinstance(text, str)}

    def _read_span(self) -> tuple[int, int] | None:
        first, last = self._db.execute("SELECT MIN(timestamp), MAX(timestamp) FROM messages").fetchone()
        if first is None:
            return None
        if not (isinstance(first, int) and isinstance(last, int) and 0 <= first <= last < MAX_TIME):
            raise damaged(self._path, "its times are impossible")
        return first, last
