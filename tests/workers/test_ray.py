"""Runs on a Ray cluster of several nodes of this machine: the same results, whatever happens to the nodes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stressfield._process_tree import kill_tree
from stressfield.campaign import Plan, digest, load, resume, run_campaign
from stressfield.campaign.ledger import LEDGER
from stressfield.cli import main
from stressfield.errors import InputError, RigError
from stressfield.machine import read_machines
from stressfield.provenance import versions
from stressfield.run import Finished
from stressfield.study_code import StudyCode
from stressfield.testing import ExecutorSuite
from stressfield.workers import RayExecutor
from stressfield.workers._ray_slot import NodeSlot
from stressfield.workers.ray_executor import NICENESS, REPORTS, _init, checked_address

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "torture"))
from places import SMALL, ray_cluster

ray = pytest.importorskip("ray")
pytestmark = [
    # Ray leaves files and sockets open that it has opened itself
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
PATIENCE_S = 240.0


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for a state, however slow the machine is."""
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, f"after {PATIENCE_S:.0f} s still not: {what}"
        time.sleep(0.1)


def listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that does no runs and listens to clients, and nodes of one processor each."""
    # Ray's client has a server of its own started, which may take its time on a busy machine, and which is forked by a
    # process with threads of gRPC: without its handlers for that, which cannot work there.
    settings = {"RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "90", "GRPC_ENABLE_FORK_SUPPORT": "0"}
    os.environ.update(settings)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ray_cluster(ray_client_server_port=port) as made:
        made.client = f"ray://127.0.0.1:{port}"
        until(lambda: listening(port), "the head listens to clients")
        yield made
    for name in (*settings, NICENESS, REPORTS):
        del os.environ[name]


@pytest.fixture(scope="module")
def shared(cluster: Any) -> Iterator[RayExecutor]:
    """Slots take their time to begin, so most tests have the same."""
    made = RayExecutor(cluster.address, run_timeout_s=60.0)
    yield made
    made.close()


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=20, repeats=3, keep="all"), **changes)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(run_campaign(plan(), tmp_path_factory.mktemp("here") / "toy", in_process=True).results)


def run_until(executor: RayExecutor, folder: Path, holds: Callable[[], bool], what: str) -> None:
    """Do runs until all is there that a test wants: nodes take their time to join, and to answer."""
    tasks = ExecutorSuite().tasks(folder, "drives-r", worlds=8)

    def holds_now() -> bool:
        executor._looked_s = 0.0
        list(executor.run(tasks))
        return holds()

    until(holds_now, what)


def warm(executor: RayExecutor, folder: Path, *, slots: int) -> None:
    """Until so many slots have begun: the first would do all the runs of a test before the others are there."""

    def begun() -> bool:
        return sum(slot.answered for slot in executor._slots) >= slots

    run_until(executor, folder, begun, f"{slots} slots have begun")


class Lent:
    """An executor that stays open."""

    def __init__(self, inner: RayExecutor) -> None:
        self.run = inner.run

    def close(self) -> None:
        pass


class TestRay(ExecutorSuite):
    @pytest.fixture
    def executor(self, request: pytest.FixtureRequest, shared: RayExecutor) -> Any:
        return shared if request.node.name == "test_it_can_be_used_again_and_closed_twice" else Lent(shared)


def test_the_digest_is_that_of_one_machine(
    shared: RayExecutor, tmp_path: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.close()
    look, calls = shared._look, iter(range(10**9))
    # at first there are no nodes: that is not the end
    monkeypatch.setattr(shared, "_look", lambda: look() if next(calls) > 2 else None)
    monkeypatch.setattr("stressfield.workers.ray_executor.BATCH_MAX", 2)
    warm(shared, tmp_path, slots=3)
    notes = []
    folder = tmp_path / "toy"
    done = run_campaign(plan(), folder, executor=shared, progress=lambda progress: notes.append(progress.note))
    assert digest(done.results) == wanted
    assert len(list((folder / "traces").iterdir())) == 60  # and no mark of ours
    machines = read_machines(folder)
    assert (len(machines), sum(machine.runs for machine in machines)) == (3, 60)
    assert all(machine.processor and machine.versions["numpy"] for machine in machines)
    assert notes[-1].count(" done") == 3


def test_a_node_that_is_killed_loses_nothing(
    cluster: Any, shared: RayExecutor, tmp_path: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stressfield.workers.ray_executor.BATCH_MAX", 2)
    victim = cluster.add_node(num_cpus=1, **SMALL)
    warm(shared, tmp_path, slots=4)
    killed = []

    def kill(progress: Any) -> None:
        busy = any(slot.node.id == victim.node_id for slot in shared._doing.values())
        if progress.done >= 6 and busy and not killed:
            (process,) = (process for name, process in victim.live_processes() if name == "raylet")
            kill_tree(process.pid)  # the node, its slot and the slot's worker, as when a machine goes
            killed.append(process.pid)

    try:
        done = run_campaign(plan(), tmp_path / "toy", executor=shared, progress=kill)
    finally:
        cluster.remove_node(victim)
    assert killed
    assert digest(done.results) == wanted
    assert {judged.run.attempts for judged in done.results.runs} == {1, 2}


def test_a_node_that_does_not_fit_is_refused(
    cluster: Any, shared: RayExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "other" / "stressfield"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('none here')")
    bare = cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(package.parent)}, **SMALL)
    try:
        run_until(shared, tmp_path, lambda: "refused" in shared.status, "the node has said who it is")
        done = run_campaign(plan(worlds=2), tmp_path / "toy", executor=shared)
        assert len(done.results.runs) == 6
        assert shared.status.count("refused") == 1
        (told,) = (node.refused for node in shared._nodes.values() if node.refused)
        assert told == "stressfield cannot be imported there (ImportError: none here)"
    finally:
        cluster.remove_node(bare)
    monkeypatch.setattr("stressfield.workers.ray_executor.versions", lambda: {**versions(), "numpy": "1.0"})
    with pytest.raises(InputError, match=r"No node of the Ray cluster has the same versions .*numpy \(1\.0 before"):
        run_campaign(plan(worlds=2), tmp_path / "none", executor=RayExecutor(cluster.address, run_timeout_s=60.0))
    assert not (tmp_path / "none" / LEDGER).exists() or load(tmp_path / "none").runs == ()


def test_a_node_that_does_not_see_the_folder_says_so(tmp_path: Path) -> None:
    slot = NodeSlot(where="n7", slots=1, run_timeout_s=10.0)
    task = ExecutorSuite().tasks(tmp_path, "drives-r", worlds=1)[0]
    told = Finished.from_bytes(slot.do(task.study, [task.to_bytes()], str(tmp_path / "gone" / ".mark"))[1][0])
    with pytest.raises(InputError, match=r"node n7 does not see '.*/gone', so the traces of its runs would be lost"):
        told.check()


def test_code_that_came_out_as_something_else_is_refused(tmp_path: Path) -> None:
    slot = NodeSlot(where="n7", slots=1, run_timeout_s=10.0)
    task = ExecutorSuite().tasks(tmp_path, "drives-r", worlds=1)[0]
    slot.learn(task.study, replace(StudyCode.of_study(task.study), digest="000000000000"))
    told = Finished.from_bytes(slot.do(task.study, [task.to_bytes()], "")[1][0])
    slot.close()
    with pytest.raises(InputError, match=r"is another one on node n7: its source has the digest .* wanted 0{12}"):
        told.check()


DRIVER = """
import sys
from stressfield.campaign import run_campaign, Plan
plan = Plan(study=sys.argv[2], build="late", seed=7, worlds=20, repeats=3, keep="all")
done = run_campaign(plan, sys.argv[1], executor="ray", progress=lambda progress: print(progress.done, flush=True))
print("stopped" if done.interrupted else "ended")
"""


def test_a_driver_that_is_killed_loses_nothing(cluster: Any, shared: RayExecutor, tmp_path: Path, wanted: str) -> None:
    shared.close()  # its slots have all processors
    folder = tmp_path / "toy"
    command = [sys.executable, "-c", DRIVER, str(folder), TOY]
    inside = {**os.environ, "RAY_ADDRESS": cluster.address}  # as in a Ray job
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=inside) as driver:
        assert driver.stdout is not None
        for line in driver.stdout:
            if int(line) >= 10:
                break
        driver.kill()
    assert digest(resume(folder, jobs=1).results) == wanted


def test_a_driver_that_is_asked_to_end_stops_cleanly(
    cluster: Any, shared: RayExecutor, tmp_path: Path, wanted: str
) -> None:
    """As ``ray job stop`` asks. Ray would end it at once, with a dump of its stack."""
    shared.close()
    folder = tmp_path / "toy"
    command = [sys.executable, "-c", DRIVER, str(folder), TOY]
    inside = {**os.environ, "RAY_ADDRESS": cluster.address}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=inside) as driver:
        assert driver.stdout is not None
        assert driver.stderr is not None
        next(line for line in driver.stdout if int(line) >= 1)
        driver.terminate()
        rest, said = driver.stdout.read(), driver.stderr.read()
    assert driver.returncode == 0, said
    assert rest.splitlines()[-1] in {"stopped", "ended"}
    assert "SIGTERM" not in said
    assert digest(resume(folder, jobs=1).results) == wanted


def test_a_head_that_fails_to_start_a_server_is_asked_again() -> None:
    class Head:
        """What Ray's client says when the server that was started for it has ended at once."""

        def __init__(self, failing: int, said: str = "Starting Ray client server failed") -> None:
            self.failing, self.asked, self.said = failing, 0, said

        def init(self, **_: object) -> None:
            self.asked += 1
            if self.asked <= self.failing:
                raise ConnectionAbortedError(self.said)

    told: list[str] = []
    once, never = Head(1), Head(9)
    _init(once, {}, told.append)
    assert once.asked == 2
    said = "the Ray head did not let us in (Starting Ray client server failed): asked again, {} of 3"
    assert told == [said.format(2)]
    told.clear()
    with pytest.raises(ConnectionAbortedError, match="Starting Ray client server failed"):
        _init(never, {}, told.append)
    assert never.asked == 3
    assert told == [said.format(2), said.format(3)]
    told.clear()
    other = Head(9, "Version mismatch: The cluster was started with: Ray: 2.40.0")
    with pytest.raises(ConnectionAbortedError, match="Version mismatch"):
        _init(other, {}, told.append)
    assert (other.asked, told) == (1, [])


@pytest.mark.parametrize(
    "address", ["ray://nohostport", "ray://", "ray://:10001", "ray://head:client", "ray://head:99999", "ray://head/7"]
)
def test_an_address_that_is_none_is_told_before_ray_sees_it(
    address: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["run", TOY, "--build", "late", "--worlds", "1", "--executor", address, "--out", str(tmp_path / "toy")]
    with pytest.raises(SystemExit) as caught:
        main(words)
    said = capfd.readouterr().err
    assert caught.value.code == 2
    assert said == (
        f"The address of a Ray cluster is '{address}'. Wanted ray://HOST:PORT, such as ray://head.example.com:10001, "
        "or HOST:PORT within the cluster.\n"
    )
    assert not (tmp_path / "toy").exists()


def test_an_address_of_the_environment_is_looked_at_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("auto", "local", "10.0.0.1:6379", "ray://head.example.com:10001", "[::1]:6379"):
        monkeypatch.setenv("RAY_ADDRESS", address)
        RayExecutor(run_timeout_s=9.0)
    monkeypatch.setenv("RAY_ADDRESS", "head")
    with pytest.raises(InputError, match=r"The address of a Ray cluster in RAY_ADDRESS is 'head'\. Wanted ray://HOST"):
        RayExecutor(run_timeout_s=9.0)
    assert checked_address("", given=False) == ""


def test_a_campaign_in_the_copy_of_a_ray_job_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "runtime_resources" / "working_dir_files" / "_ray_pkg_96a5" / "runs" / "toy"
    with pytest.raises(InputError, match=r"is in Ray's copy of the working directory of this job, which Ray deletes"):
        run_campaign(plan(worlds=1), folder, in_process=True)
    assert not folder.exists()


def test_the_command_reaches_a_cluster_from_outside(
    cluster: Any, shared: RayExecutor, tmp_path: Path, wanted: str
) -> None:
    shared.close()
    words = ["run", TOY, "--build", "late", "--seed", "7", "--worlds", "20", "--repeats", "3", "--keep", "all"]
    words += ["--executor", cluster.client, "--out", str(tmp_path / "toy"), "--no-report"]
    code = "import sys; from stressfield.cli import main; main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert digest(load(tmp_path / "toy")) == wanted
    assert len(read_machines(tmp_path / "toy")) >= 1


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path) -> None:
    if ray.is_initialized():
        ray.shutdown()
    with pytest.raises(RigError, match=r"Cannot reach the Ray cluster '127\.0\.0\.1:1': .*refused"):
        run_campaign(plan(worlds=1), tmp_path / "toy", executor=RayExecutor("127.0.0.1:1", run_timeout_s=9.0))
    with pytest.raises(InputError, match=r"Unknown executor 'rya'\. There are: local, ray, ray://HOST:PORT\. Did you"):
        run_campaign(plan(worlds=1), tmp_path / "other", executor="rya")
