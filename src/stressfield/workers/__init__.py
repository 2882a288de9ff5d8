"""Who does runs: the Executor protocol, this process for debugging, supervised worker processes of this machine.

================= ==========================================================================
Executor          takes tasks, hands back what has finished; a cluster would be another one
InProcessExecutor one run after another in this process
LocalExecutor     worker processes below a supervisor; a crash or a hang costs its own run only
Limits            what one run may take of the machine before it is ended
================= ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.workers.executor import Executor, InProcessExecutor, LocalExecutor
    from stressfield.workers.limits import Limits

__all__ = ["Executor", "InProcessExecutor", "Limits", "LocalExecutor"]

lazy_names(__name__)
