"""The same campaign in many places: one machine, a cluster that loses a node, shards, a server's ledger, a bucket."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep
from typing import Any

from campaigns import plan
from postgres_server import postgres_server
from row import Figure, Size

from stressfield._process_tree import children, kill_tree, state, tree
from stressfield.campaign import (
    Plan,
    Results,
    digest,
    merge_shards,
    plan_campaign,
    prepare,
    run_campaign,
    run_shard,
    verify,
    write_shards,
)
from stressfield.campaign.runner import make_executor
from stressfield.workers import Executor, RayExecutor
from stressfield.workers.ray_executor import NICENESS, REPORTS

NODES = 3
SMALL = {"object_store_memory": 80 << 20, "include_dashboard": False}
QUICK = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000, "health_check_failure_threshold": 3}
"""A dead node is noticed in seconds; usually that takes half a minute."""
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}

Way = Callable[[Plan, Path], Results]


def everywhere(size: Size) -> Figure:
    """One digest, whatever does the runs and wherever rows and traces are kept."""
    asked = plan("idle", worlds=size.pick(20, 200), repeats=size.pick(3, 10), keep="all")
    lines: list[tuple[str, str, str]] = []
    digests: set[str] = set()
    problems = 0
    with ExitStack() as stack:
        cluster = stack.enter_context(ray_cluster())
        database = stack.enter_context(postgres_server())
        bucket = stack.enter_context(s3_bucket())
        ways: dict[str, Way] = {
            "local --jobs 2": lambda asked, folder: run_campaign(asked, folder, jobs=2).results,
            f"Ray, {NODES} local nodes": lambda asked, folder: _on_ray(asked, folder, cluster),
            "Ray, SIGKILL of a node's raylet": lambda asked, folder: _on_ray(asked, folder, cluster, kill=True),
            "5 shards, merged 3 1 4 0 2": _in_shards,
            "ledger in PostgreSQL": lambda asked, folder: (
                run_campaign(replace(asked, ledger=database), folder, jobs=2).results
            ),
            "traces in S3": lambda asked, folder: run_campaign(replace(asked, storage=bucket), folder, jobs=2).results,
        }
        for number, (name, way) in enumerate(ways.items()):
            begin_s = perf_counter()
            results = way(asked, size.folder / f"way{number}")
            took_s = perf_counter() - begin_s
            found = verify(results.folder)
            problems += len(found.problems) + (len(results.runs) != asked.worlds * asked.repeats)
            digests.add(digest(results))
            lines.append((name, digest(results)[:16], f"{1000.0 * took_s / len(results.runs):.1f} ms"))
    same = "one digest" if len(digests) == 1 else f"{len(digests)} DIGESTS"
    text = (
        f"{asked.worlds} x {asked.repeats} runs in {len(lines)} ways, every trace verified, {problems} problems: "
        f"{same}, in the table below"
    )
    heads = ("where", "digest", "wall time a run")
    return Figure(len(digests) == 1 and problems == 0, text, table=(heads, *lines))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a campaign took, of which everything but the runs' own microseconds is overhead."""

    way: str
    wall_s: float
    processor_s: float
    """Of the driver, its workers, and Ray's own processes."""


def overhead(size: Size) -> Figure:
    """What a run costs on Ray and in shards, against the executor of one machine; one worker each."""
    count = size.pick(2_000, 10_000)
    local, ray, shards, merge = costs(size.folder, count)
    text = (
        f"{count} no-op runs, one worker: local {1000.0 * local.wall_s / count:.2f} ms a run; "
        f"Ray {ray.wall_s / local.wall_s:.2f} times that, {ray.processor_s / local.processor_s:.2f} in processor time; "
        f"shards {shards.wall_s / local.wall_s:.2f} times, {shards.processor_s / local.processor_s:.2f} in processor "
        f"time, and {1000.0 * merge.wall_s / count:.2f} ms a run to merge"
    )
    held = size.within(ray.wall_s / local.wall_s, 3.0) and size.within(shards.wall_s / local.wall_s, 1.2)
    return Figure(held, text)


def costs(folder: Path, count: int) -> tuple[Cost, Cost, Cost, Cost]:
    """The local executor, Ray, one shard and its merge; one worker each. Workers are started before time is taken."""
    asked, short = plan("idle", worlds=count // 10, repeats=10), plan("idle", worlds=2, repeats=10)

    def on(executor: Executor, name: str) -> Cost:
        try:
            # started before: a campaign of days does not wait for its workers
            run_campaign(replace(short, seed=1), folder / f"warm-{name}", executor=executor)
            return _cost(name, lambda: run_campaign(asked, folder / name, executor=executor))
        finally:
            executor.close()

    with ray_cluster(nodes=1) as cluster:
        ray = on(RayExecutor(cluster.address, jobs=1, run_timeout_s=60.0), "Ray")
    local = on(make_executor(asked.study, jobs=1), "local")
    plan_campaign(prepare(asked), folder / "shards")
    (piece,) = write_shards(folder / "shards", into=1)
    workers = make_executor(asked.study, jobs=1)
    try:
        run_campaign(replace(short, seed=1), folder / "warm-shards", executor=workers)
        shards = _cost("shards", lambda: run_shard(piece, executor=workers))
    finally:
        workers.close()
    return local, ray, shards, _cost("merge", lambda: merge_shards(folder / "shards"))


def _cost(way: str, action: Callable[[], object]) -> Cost:
    begin_s, spent_s = perf_counter(), _processor_s()
    action()
    return Cost(way, perf_counter() - begin_s, _processor_s() - spent_s)


def _processor_s() -> float:
    """Processor time of this process and of all below it, also of those that have ended."""
    ticks = 0
    for pid in (os.getpid(), *tree(os.getpid())):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(number) for number in fields[11:15])  # its own, and that of children that were waited for
    return ticks / os.sysconf("SC_CLK_TCK")


def _on_ray(asked: Plan, folder: Path, cluster: Any, *, kill: bool = False) -> Results:
    executor = RayExecutor(cluster.address, run_timeout_s=60.0)
    try:
        if not kill:
            return run_campaign(asked, folder, executor=executor).results
        victim = cluster.add_node(num_cpus=1, **SMALL)
        # its slots are started before: a short campaign is over before a node that is new has begun
        run_campaign(replace(asked, seed=asked.seed + 1), folder.with_name("warm"), executor=executor)
        killer = Thread(target=_kill_when_busy, args=(victim, executor), daemon=True)
        killer.start()
        results = run_campaign(asked, folder, executor=executor).results
        assert not killer.is_alive(), "the node was not killed"
        cluster.remove_node(victim)
        return results
    finally:
        executor.close()


def _kill_when_busy(victim: Any, executor: RayExecutor) -> None:
    """SIGKILL the node's raylet as soon as runs are under way on it."""
    while not any(slot.node.id == victim.node_id for slot in list(executor._doing.values())):
        sleep(0.001)
    (process,) = (process for name, process in victim.live_processes() if name == "raylet")
    os.kill(process.pid, signal.SIGKILL)


def _in_shards(asked: Plan, folder: Path) -> Results:
    plan_campaign(prepare(asked), folder)
    pieces = write_shards(folder, into=5)
    for piece in pieces:
        run_shard(piece, jobs=2)
    return merge_shards(folder, [pieces[number] for number in (3, 1, 4, 0, 2)]).results


@contextmanager
def ray_cluster(nodes: int = NODES, **head: Any) -> Iterator[Any]:
    """A head that does no runs, and nodes of one processor each, all on this machine; ``head`` is told to Ray."""
    import ray  # noqa: PLC0415 (slow to import: other rows do without)

    os.environ.update({NICENESS: "0", REPORTS: "0"})
    made = _begun(nodes, {"num_cpus": 0, "_system_config": QUICK, **SMALL, **head})
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


ATTEMPTS = 3
NOT_BEGUN = ("timed out during startup", "Timed out waiting for file")
"""What Ray says when one of its processes has not come up within half a minute."""


def _begun(nodes: int, head: dict[str, Any]) -> Any:
    """A cluster. Now and then one of its processes never begins, and leaves no log of it: then there is another one."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    before = set(children(os.getpid()))
    for attempt in range(1, ATTEMPTS + 1):
        made = None
        try:
            made = Cluster(initialize_head=True, head_node_args=head)
            for _ in range(nodes):
                made.add_node(wait=False, num_cpus=1, **SMALL)
            made.wait_for_nodes()
        except Exception as error:
            left = sorted(set(children(os.getpid())) - before)
            error.add_note(f"Below this process: {'; '.join(map(_told, left)) or 'nothing new'}.")
            if made is not None:
                made.shutdown()
            for pid in left:
                kill_tree(pid)
            if attempt == ATTEMPTS or not any(words in str(error) for words in NOT_BEGUN):
                raise
            sys.stderr.write(f"A cluster of Ray did not begin: {error} {' '.join(error.__notes__)}\n")
        else:
            return made
    return None


def _told(pid: int) -> str:
    """A process as the system sees it: its number, its state and where in the kernel it waits, its name."""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        where = Path(f"/proc/{pid}/wchan").read_text()
        return f"{pid} ({state(pid)} {where}) {Path(words[0].decode(errors='replace')).name}"
    return f"{pid} (gone)"


@contextmanager
def s3_bucket() -> Iterator[str]:
    """An empty place in a bucket of a server on loopback that speaks S3."""
    import boto3  # noqa: PLC0415
    from moto.server import ThreadedMotoServer  # noqa: PLC0415

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # not a line for each request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    before = dict(os.environ)
    os.environ.update({**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"})
    try:
        boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}").create_bucket(Bucket="campaigns")
        yield "s3://campaigns/torture"
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(before)
