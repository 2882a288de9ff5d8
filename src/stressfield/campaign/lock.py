"""One runner per campaign folder. The operating system holds the lock, so none is left behind by a killed runner."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stressfield.errors import StoreError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; a second runner is refused at once."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise StoreError(f"Cannot open the folder {str(folder)!r}: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(
                f"Another stressfield process is writing to {str(folder)!r}. "
                "Wait until it has ended, or choose another folder."
            ) from None
        yield
    finally:
        os.close(descriptor)
