"""Files on the disk: read with a limit, written whole or not at all.

A file is written beside its place, synced, renamed, and the folder is synced: a crash of the program or of the machine
leaves the old file or the new one, never half of one.

Whoever works in a folder that a stranger may have made says so: ``below=folder``. Then each step from that folder down
is taken from the handle of the one before, and a symbolic link on the way is refused, not followed: nothing that lies
in the folder can have us read or write outside of it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from stressfield._files.failpoints import failpoint
from stressfield.errors import InputError, RigError, StoreError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def read_file(
    path: Path, *, what: str, bytes_max: int, below: Path | None = None, error: type[InputError] = InputError
) -> bytes:
    """The whole file, if it is not larger than ``bytes_max``; ``what`` is what a message calls it."""
    try:
        with open_file(path, below=below) as file:
            # one byte more than allowed tells a file that is too large, whatever its size, without reading it all
            data = file.read(bytes_max + 1)
    except (OSError, ValueError) as problem:  # a ValueError is a NUL in the name
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise error(f"Cannot read {what} {str(path)!r}: {reason}.") from None
    if len(data) > bytes_max:
        raise error(f"Cannot read {what} {str(path)!r}: it is larger than the limit of {bytes_max:,} bytes.")
    return data


def open_file(path: Path, *, below: Path | None = None) -> BinaryIO:
    """The file, opened; OSError if it cannot be. With ``below`` it must be a regular file that no link leads to."""
    if below is None:
        return path.open("rb")
    with opened_folder(path.parent, below=below) as folder:
        _refuse_link(path.name, folder)
        # O_NONBLOCK: opening a named pipe would wait for somebody to write to it
        handle = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return open(handle, "rb")


def write_file(
    path: Path, data: bytes | Iterable[bytes], *, below: Path | None = None, failpoints: str = "file"
) -> Path:
    """Write a file, given whole or in parts, so that a crash at any moment leaves the old file or the new one.

    Raises StoreError when it cannot be written (disk full, no such folder, not permitted); nothing is left behind. When
    this process has no files or memory left, that is its own trouble, not the disk's: a plain RigError.
    ``failpoints`` is the first part of the names of the places where tests order faults.
    """
    try:
        with opened_folder(path.parent, below=below) as folder:
            _check_target(path, folder)
            # A name that nobody can know before: no other writer has it, nor does a link that was put there for us.
            temporary = f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
            try:
                _write(temporary, folder, (data,) if isinstance(data, bytes) else data, failpoints)
                failpoint(f"{failpoints}.rename")
                os.replace(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
                failpoint(f"{failpoints}.folder_fsync")
                os.fsync(folder)  # a rename is on the disk only when its folder is
                failpoint(f"{failpoints}.written")
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
            raise RigError(f"This process has no room left to write a file: {error.strerror}.") from error
        raise StoreError(f"Cannot write {str(path)!r}: {_explained(path, error)}") from error
    return path


def make_folder(folder: Path, *, below: Path | None = None) -> None:
    """The folder, made with those above it if it is missing. StoreError if that is impossible or it is not writable."""
    try:
        if below is None:
            folder.mkdir(parents=True, exist_ok=True)
        else:
            with opened_folder(folder, below=below, make=True):
                pass
    except FileExistsError:
        raise InputError(f"{str(folder)!r} is a file. Wanted a folder.") from None
    except OSError as error:
        raise StoreError(f"Cannot make the folder {str(folder)!r}: {error.strerror}. {_advice(error)}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"Cannot write to {str(folder)!r}: Permission denied. Make it writable, or choose another folder."
        )


@contextmanager
def opened_folder(folder: Path, *, below: Path | None = None, make: bool = False) -> Iterator[int]:
    """A handle of the folder; OSError if a link lies between ``below`` and it. The links above are the user's."""
    start = folder if below is None else below
    steps = folder.relative_to(start).parts
    if ".." in steps:
        raise OSError(errno.EINVAL, f"it leads out of {str(start)!r}", str(folder))
    handle = os.open(start, _FOLDER)
    try:
        for step in steps:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(step, dir_fd=handle)
            _refuse_link(step, handle)
            following = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = following
        yield handle
    finally:
        os.close(handle)


def refuse_links(folder: Path, *names: str) -> None:
    """StoreError if one of these files is a link, for those who have them opened by a library that follows links."""
    try:
        with opened_folder(folder) as handle:
            for name in names:
                _refuse_link(name, handle)
    except OSError as error:
        raise StoreError(f"Cannot use the folder {str(folder)!r}: {error.strerror}. {_advice(error)}") from None


def _refuse_link(name: str, folder: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, f"{name!r} is a symbolic link, which may lead anywhere", name)


def is_temporary(path: Path, *, of: str = "*") -> bool:
    """Whether the file is one that a killed writer (of the file named ``of``) left behind."""
    return path.match(f".{of}.*.tmp")


def remove_temporary(folder: Path, *, of: str = "*") -> None:
    """Delete what killed writers left in a folder. For those who know that nobody else writes there."""
    for path in folder.glob(f".{of}.*.tmp"):
        path.unlink(missing_ok=True)


def _check_target(path: Path, folder: int) -> None:
    """What is there may be replaced if it is a file; of a link the link itself is."""
    with contextlib.suppress(FileNotFoundError):
        kind = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISLNK(kind)):
            raise StoreError(f"Cannot write {str(path)!r}: it is not a regular file. Choose another name.")


def _write(name: str, folder: int, parts: Iterable[bytes], failpoints: str) -> None:
    # O_EXCL: whatever has this name, a link above all, was put there by somebody else.
    # O_CLOEXEC: the robot software that a run starts must not inherit open traces.
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
    with open(handle, "wb") as file:
        for part in parts:
            failpoint(f"{failpoints}.write")
            file.write(part)
        file.flush()
        failpoint(f"{failpoints}.fsync")
        os.fsync(handle)


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
    if error.errno == errno.ELOOP:
        return "Put a file or folder of its own in its place."
    return "Nothing of it was kept; check the disk, then resume."
