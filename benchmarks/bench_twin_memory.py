#!/usr/bin/env python
"""What the memory of a twin does over a long day: a robot that drives the same way again and again, for hours.

The yard's mower is recorded once; what it said comes again and again, each time later, as fast as the twin takes it. So
the source needs the same memory all the time; what grows is the twin. The table is the memory of the process (RSS)
against the time of the stream: between looks at the properties, and at its highest.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from time import process_time

import msgspec

from stressfield.bus.message import Message
from stressfield.bus.messages import Time
from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.trace import Metadata
from stressfield.twin import Twin, TwinWatch

YARD, PLACE = str(Path(__file__).resolve().parents[1] / "examples" / "yard.py"), "[(10.0-6.1)]-0"
START_NS = 1_789_000_000 * 1_000_000_000
TOPICS = ("/pose", "/scan", "/cmd_vel")


def rounds(hours: float) -> Iterator[tuple[str, int, Message]]:
    """Messages with the times at which they come."""
    study = find_study(YARD)
    scenario = study.scenario(PLACE, seed=0)
    trace = execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    ).trace  # fmt: skip
    once = sorted(
        (
            (name, int(time_ns), message)
            for name in TOPICS
            for time_ns, message in zip(
                trace.topics[name].log_time_ns.tolist(), trace.topics[name].messages, strict=True
            )
        ),
        key=lambda came: came[1],
    )
    length_ns, begin_ns = once[-1][1] + 50_000_000, START_NS
    while begin_ns < START_NS + hours * 3.6e12:
        for name, time_ns, message in once:
            header = getattr(message, "header", None)
            if header is not None:
                stamped = msgspec.structs.replace(header, stamp=Time.from_ns(begin_ns + header.stamp.ns))
                yield name, begin_ns + time_ns, msgspec.structs.replace(message, header=stamped)
            else:
                yield name, begin_ns + time_ns, message
        begin_ns += length_ns


def memory(what: str) -> int:
    """Bytes that this process takes now (``VmRSS``) or took at most (``VmHWM``)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(what)).split()[1])


def reset_peak() -> None:
    """Forget how much it took at most until now."""
    Path("/proc/self/clear_refs").write_text("5")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--looks", type=int, default=4, help="how often memory is looked at in an hour")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        more = {"recording": Path(place) / "stream.mcap"} if "recording" in Twin.__init__.__annotations__ else {}
        twin = Twin(find_study(YARD), source="rounds", world=PLACE, watch=TwinWatch(look_s=inf), **more)
        rows: list[tuple[float, int, int, float]] = []
        next_s, messages = 0.0, 0
        for name, time_ns, message in rounds(asked.hours):
            twin.hear(name, time_ns, message)
            messages += 1
            if (time_ns - START_NS) / 1e9 >= next_s:
                next_s += 3600.0 / asked.looks
                gc.collect()
                between = memory("VmRSS")
                reset_peak()
                begin_s = process_time()
                twin.look()
                rows.append(((time_ns - START_NS) / 1e9, between, memory("VmHWM"), process_time() - begin_s))
        print("| stream | memory between looks | at a look | a look takes |")
        print("| ---: | ---: | ---: | ---: |")
        for at_s, between, most, took_s in rows:
            print(f"| {at_s / 3600:.2f} h | {between / 1e6:.1f} MB | {most / 1e6:.1f} MB | {took_s:.2f} s |")
        # the first rows are those in which modules are loaded
        first, last = rows[len(rows) // 4], rows[-1]
        span_s = last[0] - first[0]
        print()
        print(f"{messages / (asked.hours * 3600):.0f} messages a second; grows by {(last[1] - first[1]) / span_s:.0f}")
        print(f"bytes a second between looks, {(last[2] - first[2]) / span_s:.0f} at a look.")
        print(f"{last[3] / last[0] * 3600:.2f} s of processor time for a look at an hour of stream.")
        if more:
            size = sum(path.stat().st_size for path in Path(place).iterdir())
            print(f"On the disk: {size / rows[-1][0]:.0f} bytes a second.")


if __name__ == "__main__":
    main()
