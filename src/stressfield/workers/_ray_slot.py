"""What runs on the nodes of a Ray cluster: a look at the node, and slots, each with a worker of its own.

A slot supervises its worker with the executor of one machine: a crash or a hang costs its own run only, there as here.
The driver is in :mod:`stressfield.workers.ray_executor`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from stressfield.errors import StressfieldError
from stressfield.plugins import modules_of
from stressfield.run import Finished, Status, Task
from stressfield.run.performance import untraced
from stressfield.study_code import StudyCode
from stressfield.workers.executor import LocalExecutor
from stressfield.workers.limits import Limits


def look() -> dict[str, object]:
    """What a node says of itself. It is sent as code, not by name: a node without stressfield can say so."""
    try:
        import stressfield.machine  # noqa: PLC0415 (on the node)
    except Exception as error:
        return {"trouble": f"stressfield cannot be imported there ({type(error).__name__}: {error})"}
    here = stressfield.machine.Machine.here()
    return {"name": here.name, "processor": here.processor, "cores": here.cores, "versions": dict(here.versions)}


class NodeSlot:
    """One worker of a node, its supervisor, and the code of studies that it was sent."""

    def __init__(self, *, where: str, slots: int, run_timeout_s: float) -> None:
        self._where = where
        self._limits = Limits.fair(slots)
        self._run_timeout_s = run_timeout_s
        self._studies: dict[str, str] = {}
        """What the driver calls a study, and what it is called here."""
        self._troubles: dict[str, str] = {}
        self._executors: dict[str, LocalExecutor] = {}
        self._folders: list[str] = []

    def learn(self, reference: str, code: StudyCode) -> None:
        """Have a study ready that the driver calls ``reference``. What is wrong with it, its runs will tell."""
        folder = tempfile.mkdtemp(prefix="stressfield-code-")
        self._folders.append(folder)
        try:
            code.write(Path(folder))
            found = code.found_in(Path(folder))
            code.check(found, where=f"on node {self._where}")
            preload = modules_of(found)
        except StressfieldError as error:
            self._troubles[reference] = str(error)
            return
        self._studies[reference] = found
        self._executors[reference] = LocalExecutor(
            jobs=1, run_timeout_s=self._run_timeout_s, preload=preload, limits=self._limits, quiet=True
        )

    def do(self, reference: str, tasks: Sequence[bytes], mark: str) -> tuple[float, list[bytes]]:
        """The runs of a batch, one after another, and how long they took.

        ``mark`` is a file of the driver's that must be seen here.
        """
        begin_s = monotonic()
        given = [Task.from_bytes(task) for task in tasks]
        trouble = self._troubles.get(reference, "")
        if mark and not Path(mark).exists():
            trouble = (
                f"The node {self._where} does not see {str(Path(mark).parent)!r}, so the traces of its runs would be "
                "lost. Wanted a folder on a disk that all nodes share, a store (--storage s3://...), or --keep none."
            )
        if trouble:
            failed = untraced(given[0], Status.INVALID, trouble=trouble, wall_s=0.0)
            return 0.0, [Finished(judged=failed, bad_input=trouble).to_bytes()]
        local = [replace(task, study=self._studies[reference]) for task in given]
        done = [finished.to_bytes() for batch in self._executors[reference].run(local) for finished in batch]
        return monotonic() - begin_s, done

    def close(self) -> None:
        """End the worker and delete the code."""
        for executor in self._executors.values():
            executor.close()
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
