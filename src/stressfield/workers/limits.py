"""What one run may take of the machine before it is ended."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass

GIB = 1 << 30


def fair_memory_bytes(jobs: int) -> int:
    """Nine tenths of the machine's memory, shared by the workers; never less than 1 GiB each."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # A tenth is left to the runner and the system: otherwise the kernel ends processes before the supervisor does.
    return max(GIB, int(0.9 * whole / max(1, jobs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one worker and everything that its run started."""

    memory_bytes: int
    """Resident memory, watched from outside."""
    address_bytes: int | None = None
    """Address space of each process; None leaves it open, for many programs reserve far more than they use."""
    open_files: int = 1024
    """Of each process; one that knows that it needs more can ask the system for more."""
    processes: int = 256
    """Processes that a run may have alive at one time."""
    grace_s: float = 0.3
    """Between SIGTERM and SIGKILL: time to write a last line, and short, since a hung run has used up its time."""

    @classmethod
    def fair(cls, jobs: int) -> Limits:
        """Generous limits for a machine with that many workers."""
        return cls(memory_bytes=fair_memory_bytes(jobs))

    def impose(self) -> None:
        """Bind this process, and those it starts, to the limits that the system itself enforces."""
        if self.address_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (self.address_bytes, self.address_bytes))
        # Only the soft limit: a program that needs more files may raise it itself, one that leaks them does not.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(self.open_files, most), most))
        # No core files: a campaign whose subject crashes in every run would fill the disk with them.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
