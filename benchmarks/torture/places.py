"""The same campaign in many places: one machine, a cluster that loses a node, shards, a server's ledger, a bucket."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from campaigns import plan
from postgres_server import postgres_server
from row import Figure, Size

from stressfield.campaign import (
    Plan,
    Progress,
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
from stressfield.workers import RayExecutor
from stressfield.workers.ray_executor import NICENESS

NODES = 3
SMALL = {"object_store_memory": 80 << 20, "include_dashboard": False}
QUICK = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000, "health_check_failure_threshold": 3}
"""A dead node is noticed in seconds; usually that takes half a minute."""
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}

Way = Callable[[Plan, Path], Results]


def everywhere(size: Size) -> Figure:
    """One digest, whatever does the runs and wherever rows and traces are kept."""
    asked = plan("idle", worlds=size.pick(20, 200), repeats=size.pick(3, 10), keep="all")
    lines, digests, problems = [], set(), 0
    with ExitStack() as stack:
        cluster = stack.enter_context(ray_cluster())
        database = stack.enter_context(postgres_server())
        bucket = stack.enter_context(s3_bucket())
        ways: dict[str, Way] = {
            "local --jobs 2": lambda asked, folder: run_campaign(asked, folder, jobs=2).results,
            f"Ray, {NODES} nodes": lambda asked, folder: _on_ray(asked, folder, cluster),
            "Ray, a node killed": lambda asked, folder: _on_ray(asked, folder, cluster, kill=True),
            "5 shards, merged 3 1 4 0 2": _in_shards,
            "PostgreSQL": lambda asked, folder: run_campaign(replace(asked, ledger=database), folder, jobs=2).results,
            "S3": lambda asked, folder: run_campaign(replace(asked, storage=bucket), folder, jobs=2).results,
        }
        for number, (name, way) in enumerate(ways.items()):
            begin_s = perf_counter()
            results = way(asked, size.folder / f"way{number}")
            took_s = perf_counter() - begin_s
            found = verify(results.folder)
            problems += len(found.problems) + (len(results.runs) != asked.worlds * asked.repeats)
            digests.add(digest(results))
            lines.append(f"{name} {digest(results)[:12]} ({1000.0 * took_s / len(results.runs):.1f} ms a run)")
    text = f"{asked.worlds} x {asked.repeats} runs, every trace verified, {problems} problems: " + "; ".join(lines)
    return Figure(len(digests) == 1 and problems == 0, text)


def overhead(size: Size) -> Figure:
    """What a run costs on Ray and in shards, against the executor of one machine; one worker each."""
    asked = plan("idle", worlds=size.pick(200, 1000), repeats=10)
    count = asked.worlds * asked.repeats
    with ray_cluster(nodes=1) as cluster:
        executor = RayExecutor(cluster.address, jobs=1, run_timeout_s=60.0)
        try:
            # started before: a campaign of days does not wait for its slots
            run_campaign(replace(asked, worlds=2, seed=1), size.folder / "warm", executor=executor)
            ray_s = _timed(lambda: run_campaign(asked, size.folder / "ray", executor=executor))
        finally:
            executor.close()
    local_s = _timed(lambda: run_campaign(asked, size.folder / "local", jobs=1))
    plan_campaign(prepare(asked), size.folder / "shards")
    (piece,) = write_shards(size.folder / "shards", into=1)
    shard_s = _timed(lambda: run_shard(piece, jobs=1))
    merge_s = _timed(lambda: merge_shards(size.folder / "shards"))
    text = (
        f"{count} no-op runs, one worker: local {1000.0 * local_s / count:.2f} ms a run; Ray {ray_s / local_s:.2f} "
        f"times that; shards {shard_s / local_s:.2f} times, and {1000.0 * merge_s / count:.2f} ms a run to merge"
    )
    return Figure(size.within(ray_s / local_s, 3.0) and size.within(shard_s / local_s, 1.2), text)


def _timed(action: Callable[[], object]) -> float:
    begin_s = perf_counter()
    action()
    return perf_counter() - begin_s


def _on_ray(asked: Plan, folder: Path, cluster: Any, *, kill: bool = False) -> Results:
    victim = cluster.add_node(num_cpus=1, **SMALL) if kill else None
    killed: list[int] = []
    executor = RayExecutor(cluster.address, run_timeout_s=60.0)

    def watch(progress: Progress) -> None:
        busy = victim is not None and any(slot.node.id == victim.node_id for slot in executor._doing.values())
        if victim is None or killed or not busy or progress.done < 0.2 * progress.total:
            return
        (process,) = (process for name, process in victim.live_processes() if name == "raylet")
        os.kill(process.pid, signal.SIGKILL)
        killed.append(process.pid)

    try:
        return run_campaign(asked, folder, executor=executor, progress=watch).results
    finally:
        executor.close()
        if victim is not None:
            assert killed, "the node was not killed"
            cluster.remove_node(victim)


def _in_shards(asked: Plan, folder: Path) -> Results:
    plan_campaign(prepare(asked), folder)
    pieces = write_shards(folder, into=5)
    for piece in pieces:
        run_shard(piece, jobs=2)
    return merge_shards(folder, [pieces[number] for number in (3, 1, 4, 0, 2)]).results


@contextmanager
def ray_cluster(nodes: int = NODES) -> Iterator[Any]:
    """A head that does no runs, and nodes of one processor each, all on this machine."""
    import ray  # noqa: PLC0415 (slow to import: other rows do without)
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    os.environ[NICENESS] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": QUICK, **SMALL})
    try:
        for _ in range(nodes):
            made.add_node(wait=False, num_cpus=1, **SMALL)
        made.wait_for_nodes()
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


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
