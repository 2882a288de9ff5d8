"""Tortures the rig and prints what came of it: ``python benchmarks/torture [--quick] [--only ROW ...]``."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bags
import container
import disk
import folders
import hosts
import killing
import misbehaving
import pages
import parsers
import physics
import places
import recordings
import sameness
import servers
import visitors
import volume
from document import write_document
from row import Figure, Row, Size

from stressfield._files.plain_text import columns

ROWS = (
    Row("kill", "kill -9 of the runner at 300 random moments of a 400-run campaign, then resume",
        "0 lost, 0 duplicated, same digest", killing.at_random_moments),
    Row("failpoints", "SIGKILL at every write, rename, fsync", "never a torn state", killing.at_every_place),
    Row("crash", "20 % of runs crash their worker (SIGSEGV)", "every healthy run completes; at most 100 ms a crash",
        misbehaving.crashing),
    Row("hang", "subject hangs ignoring SIGTERM; teardown hangs; simulator stopped",
        "`timeout`, at most 1 s over the limit at p99", misbehaving.hanging),
    Row("frozen", "the runner and all below it stopped (SIGSTOP) for longer than a run may take, then let go",
        "0 false timeouts: what stood still is done again", misbehaving.frozen),
    Row("fork", "kill -9 of the runner while subjects double-fork", "0 survivors after 5 s", misbehaving.forking_away),
    Row("leak", "memory hog, deep recursion, file and process leaks", "that run fails; the runner lives",
        misbehaving.leaking),
    Row("disk", "disk full, EIO on fsync", "no false acknowledgement, resumable", disk.failing_disk),
    Row("physics", "NaN and infinite commands, exploding physics, time reversal",
        "`invalid`, or the robot's crash, 0 false passes", physics.breaking_down),
    Row("same", "same campaign with 1 and 2 workers, shuffled, spawn and fork, 100 scenarios x 10",
        "0 differing trace hashes", sameness.same_in_every_way),
    Row("places", "the same campaign on one machine, on a Ray cluster, while a node of it is killed, in 5 shards, with "
        "its ledger in PostgreSQL, with its traces in S3", "one digest, every trace sound", places.everywhere),
    Row("hosts", "a Ray cluster of three hosts in network namespaces: one is cut off in the middle, one is killed",
        "the same digest as on one machine", hosts.lost_hosts),
    Row("overhead", "10,000 no-op runs on Ray and in shards, against the executor of one machine",
        "Ray at most 3 times, shards at most 1.2 times", places.overhead),
    Row("mcap", "MCAP cut at every byte of ten files; 100,000 bit flips",
        "one error type; at most one chunk lost; 0 silent changes", recordings.damaged, on_disk=False),
    Row("bags", "bags of every kind, and their descriptions, cut and with flipped bits",
        "one error type; at most 1 GiB of memory", bags.damaged, on_disk=False),
    Row("parsers", "1,000,000 generated bad inputs per parser (Hypothesis and mutation)",
        "0 uncaught exceptions, 0 over 100 ms", parsers.generated, on_disk=False),
    Row("pages", "500 script payloads in every string that reaches a report, opened in headless Chromium",
        "0 executed", pages.scripted),
    Row("clicks", "500 script payloads in every string of a campaign, all pages of its server opened and "
        "clicked in Chromium",
        "0 executed, 0 errors of a page", pages.served),
    Row("servers", "strangers at the servers: wrong Host, Origin or token, other methods, broken requests and frames",
        "0 let in, 0 uncaught exceptions, the server lives", servers.strangers),
    Row("api", "strangers at the server of campaigns: wrong Host, Origin or token, broken requests, odd questions",
        "0 let in, 0 failures of the server, 0 processes begun", visitors.strangers),
    Row("goodbye", "a server is stopped while strangers hold connections, silent or sending without end",
        "stopped within 1 s", servers.good_bye),
    Row("links", "a stranger's folder: each file and folder a link elsewhere, then every command; disguised paths",
        "0 writes elsewhere, 0 studies executed, 0 uncaught exceptions", folders.links),
    Row("bombs", "a stranger's folder: recordings of 200 kB that unpack to gigabytes, a ledger without end",
        "refused, at most 1 GiB of memory", folders.bombs),
    Row("container", "a user without a home and a name, packages and the current folder read-only",
        "every command runs; compiled code in a private folder", container.homeless),
    Row("two", "two runners on one folder", "second refused at once; taken over within 2 s after a kill",
        killing.two_runners),
    Row("volume", "100,000 no-op runs; a report over 1,000,000 verdicts", "flat memory; at most 2 ms a run",
        volume.many_runs),
)  # fmt: skip


def try_out(row: Row, *, quick: bool, timed: bool) -> Figure:
    """A row whose own machinery breaks has not passed."""
    # Small sizes, and rows that give a parser file after file, must not wait for a busy disk.
    memory = "/dev/shm" if (quick or not row.on_disk) and Path("/dev/shm").is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix=f"torture-{row.name}-", dir=memory))
    try:
        return row.try_out(Size(quick, folder, timed))
    except Exception as error:
        traceback.print_exc()
        return Figure(False, f"could not be tried: {type(error).__name__}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="small sizes: under three minutes")
    options.add_argument("--untimed", action="store_true", help="do not judge figures of time: the machine is busy")
    options.add_argument("--only", nargs="+", choices=[row.name for row in ROWS], help="these rows alone")
    options.add_argument("--document", action="store_true", help="write the summary into docs/reliability.md")
    given = options.parse_args()
    tried, failed = 0, 0
    for row in ROWS:
        if given.only and row.name not in given.only:
            continue
        print(f"     {row.name} ...", file=sys.stderr, flush=True)
        begin_s = time.monotonic()
        figure = try_out(row, quick=given.quick, timed=not given.untimed)
        tried, failed = tried + 1, failed + (not figure.passed)
        print(f"{'ok  ' if figure.passed else 'FAIL'} {row.name:10} {time.monotonic() - begin_s:6.1f} s  {row.fault}")
        print(f"     wanted: {row.wanted}\n     got:    {figure.text}", flush=True)
        if figure.table:
            print(f"\n{columns(figure.table, indent=5)}\n", flush=True)
        if figure.untested:
            print(f"     not tried: {figure.untested}", flush=True)
        if given.document:  # row by row: what was found stays if the rest is stopped
            write_document(row, figure, quick=given.quick)
    print(f"{tried} row{'s' * (tried != 1)}, {failed} failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
