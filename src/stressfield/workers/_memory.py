"""Memory that is used again and again: kept by the process instead of being given back and asked for anew.

The C library gives larger blocks back to the system when they are freed, and the system clears every page that it hands
out again. A run and its judging make and drop arrays of about a megabyte all the time: on machines where a page is
dear (virtual ones above all) more time goes into pages than into arithmetic. So a process of our own, which does the
like of it until it ends, keeps what it has: no more than it once needed at the same time.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

# numbers of <malloc.h> of the GNU C library
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_BLOCK_MAX = 32 << 20  # the largest that can be chosen: larger blocks are mapped one by one, and given back
_FREE_MAX = 256 << 20


def keep_memory() -> None:
    """From now on this process keeps up to 256 MB that it freed; nothing happens with another C library."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, _BLOCK_MAX)
        library.mallopt(_TRIM_THRESHOLD, _FREE_MAX)
