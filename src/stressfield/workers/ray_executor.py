"""Runs on a Ray cluster: one slot for each processor of each node, fed with batches of about a second.

Ray places the slots and tells when one is lost; it repeats nothing by itself (``max_retries=0``). What a lost slot was
doing is done again elsewhere, and counted. Traces are written by the nodes, straight to where they are kept: what comes
back to the driver are rows. When the driver dies, Ray ends the slots, and what was committed is in the ledger.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from stressfield.errors import InputError, NotInstalledError, RigError
from stressfield.machine import Machine
from stressfield.provenance import difference, versions
from stressfield.run import Finished, Status, Task
from stressfield.run.performance import untraced
from stressfield.study_code import StudyCode
from stressfield.trace import Keep
from stressfield.workers import _ray_slot
from stressfield.workers.executor import ATTEMPTS, GRACE_S, POLL_S, Stop, never

if TYPE_CHECKING:
    from ray import ObjectRef

SCHEME = "ray://"
ADDRESS = "RAY_ADDRESS"
"""Where Ray says which cluster, as it does inside a Ray job."""
NICENESS = "RAY_worker_niceness"
"""Ray gives its workers a low priority (15). On a machine that has other things to do, runs then take ten times as long
as those of the local executor. It is read by the nodes when they start."""
REPORTS = "RAY_USAGE_STATS_ENABLED"
"""Whether a cluster tells Ray's makers how it is used. One of ours tells nobody, unless the user wants it to."""
VERBOSITY = "GRPC_VERBOSITY"
HEADS_LOG = "ray.util.client.logsclient"
"""What the head logs of a client's requests is logged here, too: what went wrong comes as an error, which we tell."""
FOR_GOOD = "Version mismatch"
"""What a head says to a client that it will never let in."""
BATCH_S = 1.0
"""Work that is sent to a slot at once: so much that the way there does not count, so little that it can be lost."""
BATCH_MAX = 512
GROWTH = 4.0
"""A batch has at most so many times as many runs as the one before: the first runs may be short ones."""
KNOCK_S = 10.0
LOOK_S = 2.0
"""How often it is looked which nodes there are."""
EMPTY_S = 60.0
"""How long to wait for a node when none is left: a cluster that grows by itself takes a while."""


@dataclass(slots=True)
class _Attempt:
    task: Task
    number: int = 1


@dataclass(slots=True)
class _Node:
    id: str
    name: str
    machine: Machine
    slots: int
    refused: str = ""
    """Why it does no runs."""
    alive: bool = True


@dataclass(slots=True)
class _Slot:
    node: _Node
    actor: Any
    studies: set[str] = field(default_factory=set)
    batch: list[_Attempt] = field(default_factory=list)
    answered: bool = False
    """Whether anything came back yet: a slot waits until its processor is free."""


class RayExecutor:
    """Slots on the nodes of a cluster. ``address``: ``ray://HOST:PORT``, ``HOST:PORT``; empty as ``RAY_ADDRESS`` says,
    as it does inside a Ray job, or else a cluster of this machine's own, ended with this executor.
    """

    def __init__(self, address: str = "", *, jobs: int | None = None, run_timeout_s: float) -> None:
        self._jobs, self._run_timeout_s = jobs, run_timeout_s
        self._address = checked_address(address or os.environ.get(ADDRESS, ""), given=bool(address))
        self.waiting: Callable[[str], None] | None = None
        """Called with what keeps it from beginning, while it goes on trying."""
        self._ray: Any = None
        self._actor: Any = None
        self._joined = False
        """Whether the connection was there before us: then it is not ours to end."""
        self._nodes: dict[str, _Node] = {}
        self._slots: list[_Slot] = []
        self._doing: dict[ObjectRef[Any], _Slot] = {}
        self._again: deque[_Attempt] = deque()
        self._more = False
        """Whether there may be tasks that nobody has taken: without a slot, nobody knows."""
        self._codes: dict[str, Any] = {}
        self._runs: Counter[str] = Counter()
        self._run_s = BATCH_S
        self._looked_s = 0.0
        self._empty_s: float | None = None
        self._mark: Path | None = None

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        """Keep all slots busy until the tasks are done, or ``stop()``."""
        # Begins with single runs: a generation of fifty is to keep all slots busy, not one.
        waiting, self._more, self._run_s = iter(tasks), True, BATCH_S
        self._connect()
        stopped_s: float | None = None
        try:
            while True:
                if stopped_s is None and stop():
                    stopped_s = monotonic()
                if stopped_s is None:
                    self._look()
                    self._fill(waiting)
                if not self._doing and (stopped_s is not None or not (self._again or self._more)):
                    return
                if stopped_s is not None and monotonic() - stopped_s > GRACE_S:
                    return
                finished = self._collect()
                if finished:
                    yield finished
        finally:
            # The caller left, or the grace is over: a slot that is still busy is ended, and made anew when needed.
            for slot in list(self._doing.values()):
                self._end(slot)
            self._doing.clear()
            self._again.clear()
            self._unmark()

    def close(self) -> None:
        """End all slots, and the cluster if it is our own."""
        if self._ray is None:
            return
        for slot in list(self._slots):
            with suppress(Exception):
                self._ray.get(slot.actor.close.remote(), timeout=GRACE_S)
            self._end(slot)
        self._nodes.clear()
        self._runs.clear()
        self._codes.clear()  # they were put into this cluster
        if not self._joined:
            self._ray.shutdown()
        self._ray = None

    @property
    def machines(self) -> tuple[Machine, ...]:
        """The nodes that did runs, and how many."""
        return tuple(
            replace(node.machine, name=node.name, runs=self._runs[node.id])
            for node in self._nodes.values()
            if self._runs[node.id]
        )

    @property
    def status(self) -> str:
        """Which nodes do what, in a few words."""
        known = list(self._nodes.values())
        if len(known) > 6:
            lost, refused = sum(not node.alive for node in known), sum(bool(node.refused) for node in known)
            extra = "".join(f", {count} {word}" for count, word in ((lost, "lost"), (refused, "refused")) if count)
            return f"{len(known)} nodes, {len(self._slots)} slots{extra}"
        return ", ".join(self._said(node) for node in known)

    def _said(self, node: _Node) -> str:
        if node.refused:
            return f"{node.name} refused"
        if not node.alive:
            return f"{node.name} {self._runs[node.id]} done, lost"
        own = [slot for slot in self._slots if slot.node is node]
        if own and not any(slot.answered for slot in own):
            return f"{node.name} starting, or its processors are taken"
        busy = sum(slot.node is node for slot in self._doing.values())
        return f"{node.name} {self._runs[node.id]} done, {busy} busy"

    # the cluster ------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        if self._ray is not None:
            return
        ray = _imported()
        self._joined = ray.is_initialized()
        if not self._joined:
            given = self._address
            how: dict[str, Any] = {"address": given} if given else {"address": "local", "include_dashboard": False}
            if not given:
                os.environ.setdefault(NICENESS, "0")
                os.environ.setdefault(REPORTS, "0")
                how |= {} if self._jobs is None else {"num_cpus": self._jobs}
            if not given.startswith(SCHEME):
                how["log_to_driver"] = False  # what slots print is kept with their runs
            try:
                _knock(given)
                with _own_signals(), _quiet_client(given):
                    _init(ray, how, self.waiting)
            except Exception as error:  # Ray raises what it likes: ConnectionError, RuntimeError, ValueError
                told = " ".join(str(error).split())[:300] or type(error).__name__
                raise RigError(
                    f"Cannot reach the Ray cluster {given or 'of this machine'!r}: {told}. Check that it runs, with "
                    "the same Ray and Python as here, then resume."
                ) from None
        self._ray = ray
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_ray_slot.NodeSlot)
        self._looked_s = 0.0

    def _look(self) -> None:
        """See which nodes there are by now, and have slots on those that fit."""
        now_s = monotonic()
        if now_s - self._looked_s < LOOK_S and self._slots:
            return
        self._looked_s = now_s
        try:
            listed = self._ray.nodes()
        except Exception as error:  # whatever Ray raises when its head is gone
            told = " ".join(str(error).split())[:300]
            raise RigError(f"The Ray cluster does not answer: {told}. What is done is kept: resume.") from error
        there = {node["NodeID"]: node for node in listed if node["Alive"]}
        for name, known in self._nodes.items():
            known.alive = name in there
        new = [node for name, node in there.items() if name not in self._nodes and node["Resources"].get("CPU", 0) >= 1]
        self._meet(new, listed)
        for node in self._nodes.values():
            if node.alive and not node.refused:
                self._man(node)
        if self._slots:
            self._empty_s = None
            return
        self._check_refused()
        self._empty_s = now_s if self._empty_s is None else self._empty_s
        if now_s - self._empty_s > EMPTY_S:
            raise RigError(
                f"The Ray cluster has no node with a free processor since {EMPTY_S:.0f} s. What is done is kept. "
                "Resume when there is one."
            )

    def _meet(self, new: Sequence[dict[str, Any]], listed: Sequence[dict[str, Any]]) -> None:
        """Ask new nodes who they are. One that does not answer is asked again at the next look."""
        if not new:
            return
        ray, ours = self._ray, versions()
        by_value = ray.cloudpickle
        by_value.register_pickle_by_value(_ray_slot)
        try:
            look = ray.remote(num_cpus=0, max_retries=0)(_ray_slot.look)
            asked = {node["NodeID"]: look.options(**_pinned(node["NodeID"])).remote() for node in new}
        finally:
            by_value.unregister_pickle_by_value(_ray_slot)
        names = Counter(node["NodeName"] for node in listed)
        for node in new:
            name = node["NodeID"]
            try:
                told = ray.get(asked[name], timeout=EMPTY_S)
            except Exception:  # noqa: S112 (it was lost meanwhile: the next look tells)
                continue
            called = node["NodeName"] if names[node["NodeName"]] == 1 else f"{node['NodeName']}-{name[:4]}"
            trouble = told.pop("trouble", "")
            machine = Machine(name=called, processor="", cores=0) if trouble else Machine(**told)
            differs = trouble or difference(ours, machine.versions)
            self._nodes[name] = _Node(name, called, machine, int(node["Resources"]["CPU"]), refused=differs)

    def _check_refused(self) -> None:
        refused = [node for node in self._nodes.values() if node.refused and node.alive]
        if refused:
            listed = "; ".join(f"{node.name}: {node.refused}" for node in refused[:3])
            raise InputError(
                f"No node of the Ray cluster has the same versions as this machine ({listed}). Results of different "
                "versions must not be mixed. Install the same stressfield on all nodes."
            )

    def _man(self, node: _Node) -> None:
        """As many slots as the node has processors, or as are left of ``jobs``."""
        own = sum(slot.node is node for slot in self._slots)
        left = node.slots - own if self._jobs is None else min(node.slots - own, self._jobs - len(self._slots))
        for _ in range(left):
            actor = self._actor.options(**_pinned(node.id)).remote(
                where=node.name, slots=node.slots, run_timeout_s=self._run_timeout_s
            )
            self._slots.append(_Slot(node, actor))

    def _end(self, slot: _Slot) -> None:
        with suppress(Exception):
            self._ray.kill(slot.actor, no_restart=True)
        if slot in self._slots:
            self._slots.remove(slot)

    # the runs ---------------------------------------------------------------------------------------------------------

    def _fill(self, waiting: Iterator[Task | None]) -> None:
        busy = {id(slot) for slot in self._doing.values()}
        for slot in [slot for slot in self._slots if id(slot) not in busy]:
            batch = self._batch(waiting)
            if not batch:
                return
            study = batch[0].task.study
            if study not in slot.studies:
                if study not in self._codes:
                    self._codes[study] = self._ray.put(StudyCode.of_study(study))
                slot.actor.learn.remote(study, self._codes[study])  # calls of an actor are done in order
                slot.studies.add(study)
            mark = self._marked(batch[0].task)
            slot.batch = batch
            self._doing[slot.actor.do.remote(study, [each.task.to_bytes() for each in batch], mark)] = slot

    def _batch(self, waiting: Iterator[Task | None]) -> list[_Attempt]:
        """The next runs of one study. One that was lost goes alone: if it is to blame, it costs no other."""
        if self._again:
            return [self._again.popleft()]
        size = max(1, min(BATCH_MAX, int(BATCH_S / self._run_s)))
        batch: list[_Attempt] = []
        while len(batch) < size:
            if (task := next(waiting, None)) is None:  # nothing left, or nothing before runs under way have finished
                self._more = False
                break
            if batch and task.study != batch[0].task.study:
                self._again.append(_Attempt(task))
                break
            batch.append(_Attempt(task))
        return batch

    def _collect(self) -> list[Finished]:
        """All that is done by now; waits a moment for the first."""
        if not self._doing:
            sleep(POLL_S)  # until there is a node
            return []
        done, _ = self._ray.wait(list(self._doing), num_returns=1, timeout=POLL_S)
        finished: list[Finished] = []
        for reference in done:
            slot = self._doing.pop(reference)
            try:
                took_s, sent = self._ray.get(reference)
                told = [Finished.from_bytes(data) for data in sent]
            except self._ray.exceptions.RayTaskError as error:
                raise RigError(f"A slot on node {slot.node.name} failed: {error.cause!r}.") from error
            except self._ray.exceptions.RayError:
                finished += self._lose(slot)
                continue
            numbers = {each.task.run_id: each.number for each in slot.batch}
            finished += [each.after(numbers[each.judged.run.id]) for each in told]
            self._runs[slot.node.id] += sum(each.recorded for each in told)
            if told and slot.answered:  # the first batch of a slot has to wait until its worker is there
                self._run_s = max(self._run_s / GROWTH, took_s / len(told))
            slot.answered, slot.batch = True, []
        return finished

    def _lose(self, slot: _Slot) -> list[Finished]:
        """A slot is gone, with its node perhaps. What it was doing is done again."""
        self._end(slot)
        self._looked_s = 0.0
        given_up = [each for each in slot.batch if each.number >= ATTEMPTS]
        self._again.extend(replace(each, number=each.number + 1) for each in slot.batch if each.number < ATTEMPTS)
        trouble = f"The machine that it was on was lost {ATTEMPTS} times while it ran."
        lost = [Finished(judged=untraced(each.task, Status.INVALID, trouble=trouble, wall_s=0.0)) for each in given_up]
        return [each.after(ATTEMPTS) for each in lost]

    def _marked(self, task: Task) -> str:
        """A file beside the traces, which every node must see; none where no traces are kept, or not in a folder."""
        folder = Path(task.traces)
        if task.keep == Keep.NONE or "://" in task.traces or not folder.is_dir():
            return ""
        if self._mark is None or self._mark.parent != folder:
            self._unmark()
            # named as unfinished files are: should it be left behind, the next runner deletes it
            self._mark = folder / f".nodes.{os.getpid()}.{secrets.token_hex(4)}.tmp"
            self._mark.touch()
        return str(self._mark)

    def _unmark(self) -> None:
        if self._mark is not None:
            self._mark.unlink(missing_ok=True)
            self._mark = None


def _pinned(node_id: str) -> dict[str, Any]:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415 (an extra)

    return {"scheduling_strategy": NodeAffinitySchedulingStrategy(node_id=node_id, soft=False)}


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray takes SIGTERM for itself and ends the process with a dump of its stack; we stop, and what is done is kept."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in before.items():
                if handler is not None:  # None: it was not set from Python, so we cannot set it either
                    signal.signal(number, handler)


@contextmanager
def _quiet_client(address: str) -> Iterator[None]:
    """Ray's client is gRPC's, which tells the terminal of every fork of this process later on. It asks once how much to
    say; processes that we begin are not to inherit it.
    """
    if not address.startswith(SCHEME):
        yield
        return
    logging.getLogger(HEADS_LOG).disabled = True  # a level would be set by Ray anew
    ours = VERBOSITY not in os.environ
    os.environ.setdefault(VERBOSITY, "ERROR")
    try:
        yield
    finally:
        if ours:
            os.environ.pop(VERBOSITY, None)


def _init(ray: Any, how: dict[str, Any], tell: Callable[[str], None] | None) -> None:
    """Connect, or begin a cluster. A head that fails to start a client's server is asked again, and that is told: on a
    busy one it happens by chance, because the server has to answer within seconds after it was started.
    """
    for number in range(1, ATTEMPTS + 1):
        try:
            ray.init(logging_level=logging.ERROR, **how)
            return
        except ConnectionAbortedError as error:
            if number == ATTEMPTS or FOR_GOOD in str(error):
                raise
            if tell is not None:
                told = " ".join(str(error).split())[:150]
                tell(f"the Ray head did not let us in ({told}): asked again, {number + 1} of {ATTEMPTS}")


def checked_address(address: str, *, given: bool) -> str:
    """The address of a cluster, as Ray takes it; InputError for what is none, before Ray tries it for minutes.

    One that was not ``given`` is that of ``RAY_ADDRESS``, which may say ``auto`` or ``local``, too.
    """
    scheme, slashes, rest = address.rpartition("://")
    host, _, port = rest.partition("/")[0].rpartition(":")
    fits = bool(host) and port.isdecimal() and 0 < int(port) < 65_536
    if not address or (not given and address in {"auto", "local"}) or (fits and scheme + slashes in {"", SCHEME}):
        return address
    name = "The address of a Ray cluster" if given else f"The address of a Ray cluster in {ADDRESS}"
    raise InputError(
        f"{name} is {address!r}. Wanted ray://HOST:PORT, such as ray://head.example.com:10001, or HOST:PORT within the "
        "cluster."
    )


def _knock(address: str) -> None:
    """OSError if nobody listens there: Ray itself would go on trying for minutes."""
    host, _, port = address.removeprefix(SCHEME).partition("/")[0].rpartition(":")
    if host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_S).close()


def _imported() -> Any:
    try:
        import ray  # noqa: PLC0415 (an extra)
    except ImportError:
        raise NotInstalledError(
            "The executor 'ray' needs the package ray. Install it with: pip install 'stressfield[ray]'"
        ) from None
    return ray
