"""A file that grows for as long as something goes on: what was written to it is there whatever ends the program.

It has a name of its own (``stream.part.mcap``) until it is complete, and only then the one that was asked for: whoever
finds a ``.part`` knows that its writer did not come to the end.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from stressfield._files.disk import make_folder, opened_folder
from stressfield._files.failpoints import failpoint
from stressfield.errors import StoreError

SYNC_S = 2.0
"""How much a power cut may cost, in wall time: bytes are on the disk only when they are synced, which takes a while.
The end of the program, however sudden, costs nothing that was appended."""


class GrowingFile:
    """Append to it, read from it, and complete it, or leave it as it is. It is made with the first bytes.

    Without a path it has no name, and is gone with the program.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.part = None if path is None else path.with_name(f"{path.stem}.part{path.suffix}")
        """Where it is until it is complete."""
        self.size = 0
        self._handle: int | None = None
        self._begun = self._made_folder = False
        self._synced_s = time.monotonic()

    def _open(self) -> int:
        if self._path is None or self.part is None:
            handle, name = tempfile.mkstemp(prefix="stressfield-")
            os.unlink(name)
            return handle
        self._made_folder = not self._path.parent.exists()
        make_folder(self._path.parent)
        with opened_folder(self._path.parent) as folder:
            # O_EXCL: what is there already is what is left of another one
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            handle = os.open(self.part.name, flags, 0o666, dir_fd=folder)
            self._begun = True
            os.fsync(folder)
        return handle

    def append(self, data: bytes) -> None:
        """Write it at the end, whole or not at all. StoreError when the disk does not take it; the rest stays."""
        try:
            if self._handle is None:
                self._handle = self._open()
            failpoint("growing.write")
            view = memoryview(data)
            while view:
                view = view[os.write(self._handle, view) :]
            self.size += len(data)
            if time.monotonic() - self._synced_s >= SYNC_S:
                self._sync(self._handle)
        except OSError as error:
            self.cut(self.size)
            raise StoreError(
                f"Cannot write to {self._name}: {error.strerror}. What was written before is kept and can be read. "
                "Free some space, or choose another folder, then start again."
            ) from error

    @property
    def _name(self) -> str:
        return "a file without a name" if self.part is None else repr(str(self.part))

    def cut(self, size: int) -> None:
        """Forget what was written beyond that size."""
        self.size = size
        if self._handle is not None:
            with suppress(OSError):
                os.ftruncate(self._handle, size)
                os.lseek(self._handle, size, os.SEEK_SET)

    def _sync(self, handle: int) -> None:
        failpoint("growing.fsync")
        os.fsync(handle)
        self._synced_s = time.monotonic()

    def read(self, at: int, size: int) -> bytes:
        """Some bytes that were appended before."""
        assert self._handle is not None, "something was appended"
        data = os.pread(self._handle, size, at)
        if len(data) != size:
            raise StoreError(f"{self._name} has become shorter: somebody else writes to it, or the disk is ill.")
        return data

    def complete(self) -> None:
        """It has all that it will have: give it its name. Synced, and the folder, too."""
        if self._handle is None:
            return
        try:
            self._sync(self._handle)
            if self._path is not None and self.part is not None:
                with opened_folder(self._path.parent) as folder:
                    failpoint("growing.rename")
                    os.replace(self.part.name, self._path.name, src_dir_fd=folder, dst_dir_fd=folder)
                    os.fsync(folder)
        except OSError as error:
            raise StoreError(f"Cannot complete {self._name}: {error.strerror}. It can be read as it is.") from error

    def close(self) -> None:
        """Let go of it as it is."""
        if self._handle is not None:
            with suppress(OSError):
                os.fsync(self._handle)
            os.close(self._handle)
            self._handle = None

    def discard(self) -> None:
        """As if it had never been: nobody wants what is in it. Its folder goes with it if it was made for it."""
        self.close()
        if self._path is None or self.part is None or not self._begun:
            return
        for path in (self.part, self._path):
            path.unlink(missing_ok=True)
        if self._made_folder:
            with suppress(OSError):  # somebody else has put something there
                self._path.parent.rmdir()
