"""Compiled functions that may call each other across files.

numba keeps compiled code on disk, where :mod:`stressfield._kernel_cache` lets it. It compiles a function again when the
function's file has changed. But the compiled code holds all that the function calls, and numba does not notice when one
of those has changed in another file: the old code would run on. Here, a function is compiled again when any file of
kernels has changed. Under which names the code is kept stays numba's own affair: a function's old code is overwritten
by its new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core.caching import FunctionCache

from stressfield._kernel_cache import prepare

FILES = "_*_kernels.py"
"""How files of kernels are named, anywhere in this package."""

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function when it is first called, or load it from the cache.

    ``nogil`` lets other threads run meanwhile. With the error model of numpy a division by zero gives infinity or NaN,
    as it does in arrays: checking each division would cost more than the division.
    """
    dispatcher: Any = njit(nogil=True, error_model="numpy")(function)
    if prepare().folder is not None:
        dispatcher._cache = _KernelCache(function)  # what njit(cache=True) does, with a cache of our own
    compiled: Function = dispatcher
    return compiled


class _KernelCache(FunctionCache):
    """numba's cache, whose stamp says what all kernels were when the code was compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        # No public way exists to say of what else a function is made; a test notices if numba changes this one.
        self._cache_file._source_stamp = stamp(Path(__file__).parent)


@cache
def stamp(folder: Path) -> str:
    """A hash of all files of kernels in a folder and below it."""
    found = hashlib.sha256()
    for file in sorted(folder.rglob(FILES)):
        found.update(f"{file.relative_to(folder)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()
