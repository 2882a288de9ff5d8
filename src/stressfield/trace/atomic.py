"""A file is there whole, or not at all: written beside its place, synced, then renamed."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Iterable
from pathlib import Path

from stressfield.errors import RigError, StoreError
from stressfield.failpoints import failpoint

_serial = itertools.count()


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file so that a crash at any moment leaves the old file or the new one.

    Raises StoreError when it cannot be written (disk full, no such folder, not permitted); nothing is left behind. When
    this process has no files or memory left, that is its own trouble, not the disk's: a plain RigError.
    """
    if path.exists() and not path.is_file():
        raise StoreError(f"Cannot write {path}: it is not a regular file. Choose another name.")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_serial)}.tmp")
    try:
        _write(temporary, parts)
        failpoint("trace.rename")
        os.replace(temporary, path)
        _sync_folder(path.parent)
        failpoint("trace.written")
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
            raise RigError(f"The run left no room to write its trace: {error.strerror}.") from error
        raise StoreError(_explain(path, error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _write(path: Path, parts: Iterable[bytes]) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    with open(handle, "wb") as file:
        for part in parts:
            failpoint("trace.write")
            file.write(part)
        file.flush()
        failpoint("trace.fsync")
        os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        failpoint("trace.folder_fsync")
        os.fsync(handle)
    finally:
        os.close(handle)


def _explain(path: Path, error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"Cannot write {path}: the disk is full ({reason}). Free some space or keep fewer traces, then resume."
    if error.errno == errno.ENOENT:
        return f"Cannot write {path}: there is no folder {path.parent}. Create it, then resume."
    return f"Cannot write {path}: {reason}. Nothing was kept of it; check the disk, then resume."
