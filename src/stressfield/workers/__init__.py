"""Who does runs: the Executor protocol; this process, supervised workers of this machine, a cluster.

================= ==========================================================================
Executor          takes tasks, hands back what has finished
InProcessExecutor one run after another in this process
LocalExecutor     worker processes below a supervisor; a crash or a hang costs its own run only
RayExecutor       slots on the nodes of a Ray cluster, each with such a worker
Limits            what one run may take of the machine before it is ended
================= ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.workers.executor import Executor, InProcessExecutor, LocalExecutor
    from stressfield.workers.limits import Limits
    from stressfield.workers.ray_executor import RayExecutor

__all__ = ["Executor", "InProcessExecutor", "Limits", "LocalExecutor", "RayExecutor"]

lazy_names(__name__)
