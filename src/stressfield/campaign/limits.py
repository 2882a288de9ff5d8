"""What one run may take of the machine before it is ended."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass

GIB = 1 << 30


def fair_memory_bytes(jobs: int) -> int:
    """Nine tenths of the machine's memory, shared by the workers; never less than 1 GiB each."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(GIB, int(0.9 * whole / max(1, jobs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one worker and everything that its run started."""

    memory_bytes: int
    """Resident memory, watched from outside; the worker itself also cannot reserve ``address_bytes``."""
    address_bytes: int
    open_files: int = 1024
    processes: int = 256
    """Processes that a run may have alive at one time."""
    grace_s: float = 0.3
    """Between SIGTERM and SIGKILL."""

    @classmethod
    def fair(cls, jobs: int) -> Limits:
        """Generous limits for a machine with that many workers; compilers and renderers reserve much and use little."""
        memory = fair_memory_bytes(jobs)
        return cls(memory_bytes=memory, address_bytes=memory + 16 * GIB)

    def impose(self) -> None:
        """Bind this process, and those it starts, to the limits that the system itself enforces."""
        _lower(resource.RLIMIT_AS, self.address_bytes)
        _lower(resource.RLIMIT_NOFILE, self.open_files)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, most))
