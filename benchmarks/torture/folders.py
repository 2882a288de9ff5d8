"""A campaign's folder of a stranger: links that lead out of it, and small files that unpack to large ones."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib
from itertools import product
from pathlib import Path

import zstandard
from campaigns import campaign, plan
from mcap.opcode import Opcode
from mcap.records import Chunk
from row import Figure, Size

from stressfield.campaign import load
from stressfield.trace._chunks import record_bytes
from stressfield.trace._records import MAGIC, records

PRECIOUS = b"what was there before"
COMMANDS = (
    ("report",), ("results",), ("verify", "--judge"), ("resume",), ("replay", "RUN"),
    ("replay", "RUN", "--export", "sdf"),
)  # fmt: skip
DISGUISED = (
    "/proc/self/cwd/evil.py", "//proc/self/cwd/evil.py", "/usr/../proc/self/cwd/evil.py", "/proc/self/cwd/./evil.py",
)  # fmt: skip
FOLDERS = ("traces", "replay", "scenarios", "pictures")
FILES = (
    "campaign.toml", "results.sqlite", "results.sqlite-wal", "results.sqlite-shm", "results.sqlite-journal",
    "report.html", "report.html.part", "space.yaml",
)  # fmt: skip
CODE = "from stressfield.cli import main; import sys; main(sys.argv[1:])"


def links(size: Size) -> Figure:
    """Each file and folder of a campaign as a link to somewhere else, then each command."""
    campaign(plan("idle", worlds=2, repeats=2, keep="all"), size.folder / "sound")
    run = load(size.folder / "sound").runs[0].run.id
    escaped, uncaught, tried = [], [], 0
    pairs = list(product((*FOLDERS, *FILES), COMMANDS))
    for name, command in pairs[:: size.pick(5, 1)]:  # five and six: each name and each command has its turn
        folder, outside = size.folder / "c", size.folder / "outside"
        shutil.copytree(size.folder / "sound", folder)
        _trap(folder, name, outside)
        before = _contents(outside)
        done = _typed(command[0], str(folder), *(run if word == "RUN" else word for word in command[1:]))
        tried += 1
        if _contents(outside) != before:
            escaped.append(f"{command[0]} through {name}")
        if done.returncode not in (0, 1, 2, 3) or b"Traceback" in done.stderr or b"Internal error" in done.stderr:
            uncaught.append(f"{command[0]} with {name}: {done.stderr[-200:]!r}")
        shutil.rmtree(folder)
        shutil.rmtree(outside)
    plans = _plans(size)
    text = f"{tried} commands on folders with links: {len(escaped)} wrote elsewhere, {len(uncaught)} uncaught; "
    text += f"{len(plans)} of 4 disguised paths of studies were taken"
    return Figure(not (escaped or uncaught or plans), "; ".join([text, *escaped[:2], *uncaught[:2], *plans[:2]]))


def _trap(folder: Path, name: str, outside: Path) -> None:
    """A link in the place of a file or folder; what it leads to is what was there, so that nobody notices."""
    outside.mkdir()
    place = folder / name
    target = outside / name
    if place.exists():
        shutil.move(place, target)
    elif name in FOLDERS:
        target.mkdir()
    elif not name.startswith("results.sqlite"):
        target.write_bytes(PRECIOUS)
    place.symlink_to(target)
    if name == "traces":
        db = sqlite3.connect(folder / "results.sqlite")
        db.execute("DELETE FROM runs WHERE repeat = 1")  # so that there is something to be written
        db.commit()
        db.close()


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _typed(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", CODE, *words], cwd=cwd, capture_output=True, check=False, timeout=120.0
    )


def _plans(size: Size) -> list[str]:
    """Studies that are named as if they were elsewhere, and lie beside the campaign."""
    place = size.folder / "downloads"
    shutil.copytree(size.folder / "sound", place / "c")
    (place / "evil.py").write_text(f"open({str(place / 'executed')!r}, 'w').close()")
    asked = (place / "c" / "campaign.toml").read_text()
    line = next(line for line in asked.splitlines() if line.startswith("study ="))
    taken = []
    for path in DISGUISED:
        (place / "c" / "campaign.toml").write_text(asked.replace(line, f'study = "{path}"'))
        _typed("results", "c", cwd=place)
        _typed("resume", "c", cwd=place)
        if (place / "executed").exists():
            taken.append(path)
            (place / "executed").unlink()
    return taken


# bombs --------------------------------------------------------------------------------------------------------------

LATE_NS = 10**15
MEMORY_MIB = 1024
CHUNKS = 900


def bombs(size: Size) -> Figure:
    """Recordings of at most 200 kB that unpack to gigabytes, and a ledger that computes its rows."""
    peaks, wrong = [], []
    for name, message in (("large messages", bytes(4 << 20)), ("many messages", b"")):
        folder = size.folder / name
        campaign(plan("idle", worlds=1, repeats=1, keep="all"), folder)
        (recording,) = (folder / "traces").iterdir()
        _bomb(recording, message)
        wrong += [f"{name}: {recording.stat().st_size} bytes"] if recording.stat().st_size > 300_000 else []
        peaks.append(_peak_mib(folder, wrong))
    folder = size.folder / "endless"
    campaign(plan("idle", worlds=1, repeats=1, keep="all"), folder)
    db = sqlite3.connect(folder / "results.sqlite")
    db.executescript(
        "DROP TABLE tracks; CREATE VIEW tracks AS WITH RECURSIVE n(run_id, step_s, points) AS "
        "(SELECT 1, 0.1, x'' UNION ALL SELECT run_id + 1, 0.1, zeroblob(1000000) FROM n) SELECT * FROM n"
    )
    db.close()
    peaks.append(_peak_mib(folder, wrong))
    text = f"{len(peaks)} small files: verify takes at most {max(peaks):.0f} MiB, and refuses each"
    return Figure(not wrong and max(peaks) <= MEMORY_MIB, "; ".join([text, *wrong]))


def _bomb(path: Path, message: bytes) -> None:
    """Many chunks behind the first one, each of which unpacks to four megabytes of this message."""
    data = path.read_bytes()
    first = next(record for record in records(memoryview(data), len(MAGIC)) if record.opcode == Opcode.CHUNK)
    head = struct.pack("<BQHIQQ", Opcode.MESSAGE, 22 + len(message), 1, 0, LATE_NS, LATE_NS)
    raw = (head + message) * max(1, (4 << 20) // (len(head) + len(message)))
    packed = zstandard.ZstdCompressor(level=19).compress(raw)
    chunk = record_bytes(Chunk("zstd", packed, LATE_NS, LATE_NS, zlib.crc32(raw), len(raw)))
    path.write_bytes(data[: first.end] + chunk * min(CHUNKS, 200_000 // len(chunk)))


def _peak_mib(folder: Path, wrong: list[str]) -> float:
    """The most memory that ``verify`` takes; it must find that something is wrong."""
    pid = os.fork()
    if pid == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        limit = 8 << 30  # so that a machine is not hurt if this goes wrong
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        os.execv(sys.executable, [sys.executable, "-c", CODE, "verify", str(folder)])
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != 3:
        wrong.append(f"{folder.name}: verify ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024.0
