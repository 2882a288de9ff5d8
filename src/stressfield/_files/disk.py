"""Files on the disk: read with a limit, written whole or not at all.

A file is written beside its place, synced, renamed, and the folder is synced: a crash of the program or of the machine
leaves the old file or the new one, never half of one.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Iterable
from pathlib import Path

from stressfield._files.failpoints import failpoint
from stressfield.errors import InputError, RigError, StoreError

_serial = itertools.count()


def read_file(path: Path, *, what: str, bytes_max: int, error: type[InputError] = InputError) -> bytes:
    """The whole file, if it is not larger than ``bytes_max``; ``what`` is what a message calls it."""
    try:
        with path.open("rb") as file:
            # one byte more than allowed tells a file that is too large, whatever its size, without reading it all
            data = file.read(bytes_max + 1)
    except (OSError, ValueError) as problem:  # a ValueError is a NUL in the name
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise error(f"Cannot read {what} {str(path)!r}: {reason}.") from None
    if len(data) > bytes_max:
        raise error(f"Cannot read {what} {str(path)!r}: it is larger than the limit of {bytes_max:,} bytes.")
    return data


def write_file(path: Path, data: bytes | Iterable[bytes], *, failpoints: str = "file") -> Path:
    """Write a file, given whole or in parts, so that a crash at any moment leaves the old file or the new one.

    Raises StoreError when it cannot be written (disk full, no such folder, not permitted); nothing is left behind. When
    this process has no files or memory left, that is its own trouble, not the disk's: a plain RigError.
    ``failpoints`` is the first part of the names of the places where tests order faults.
    """
    if path.exists() and not path.is_file():
        raise StoreError(f"Cannot write {str(path)!r}: it is not a regular file. Choose another name.")
    # the number of the process and a count: neither two workers nor two threads write to the same temporary file
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_serial)}.tmp")
    try:
        _write(temporary, (data,) if isinstance(data, bytes) else data, failpoints)
        failpoint(f"{failpoints}.rename")
        os.replace(temporary, path)
        _sync_folder(path.parent, failpoints)
        failpoint(f"{failpoints}.written")
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
            raise RigError(f"This process has no room left to write a file: {error.strerror}.") from error
        raise StoreError(f"Cannot write {str(path)!r}: {_explained(path, error)}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    return path


def make_folder(folder: Path) -> None:
    """The folder, made with those above it if it is missing. StoreError if that is impossible or it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{str(folder)!r} is a file. Wanted a folder.") from None
    except OSError as error:
        raise StoreError(f"Cannot make the folder {str(folder)!r}: {error.strerror}. {_advice(error)}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"Cannot write to {str(folder)!r}: Permission denied. Make it writable, or choose another folder."
        )


def is_temporary(path: Path, *, of: str = "*") -> bool:
    """Whether the file is one that a killed writer (of the file named ``of``) left behind."""
    return path.match(f".{of}.*.tmp")


def remove_temporary(folder: Path, *, of: str = "*") -> None:
    """Delete what killed writers left in a folder. For those who know that nobody else writes there."""
    for path in folder.glob(f".{of}.*.tmp"):
        path.unlink(missing_ok=True)


def _write(path: Path, parts: Iterable[bytes], failpoints: str) -> None:
    # O_CLOEXEC: the robot software that a run starts must not inherit open traces
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    with open(handle, "wb") as file:
        for part in parts:
            failpoint(f"{failpoints}.write")
            file.write(part)
        file.flush()
        failpoint(f"{failpoints}.fsync")
        os.fsync(handle)


def _sync_folder(folder: Path, failpoints: str) -> None:
    """A rename is on the disk only when its folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        failpoint(f"{failpoints}.folder_fsync")
        os.fsync(handle)
    finally:
        os.close(handle)


def _explained(path: Path, error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full ({reason}). {_advice(error)}"
    if error.errno == errno.ENOENT:
        return f"there is no folder {str(path.parent)!r}. Create it, then resume."
    return f"{reason}. {_advice(error)}"


def _advice(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free some space or keep fewer traces, then resume."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR):
        return "Make it writable, or choose another folder."
    return "Nothing of it was kept; check the disk, then resume."
