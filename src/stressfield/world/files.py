"""Reading and writing the files of a world, with one kind of error each."""

from __future__ import annotations

import contextlib
from pathlib import Path

from stressfield.errors import StoreError, WorldError


def read_bytes(path: Path, *, what: str, bytes_max: int) -> bytes:
    """The whole file, if it is not larger than ``bytes_max``."""
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise WorldError(f"Cannot read {what} {str(path)!r}: {reason}.") from None
    if len(data) > bytes_max:
        raise WorldError(f"Cannot read {what} {str(path)!r}: larger than the limit of {bytes_max // 2**20} MiB.")
    return data


def write_bytes(path: Path, data: bytes) -> Path:
    """Write the file whole or not at all: first beside it, then renamed."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise StoreError(
            f"Cannot write {str(path)!r}: {error.strerror}. Free some space or choose another folder."
        ) from None
    return path
