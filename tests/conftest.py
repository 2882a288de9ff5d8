"""What every test may rely on."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator

import pytest

# A shell that begins something in the background has it ignore Ctrl-C, and so do all its children: the tests of what
# Ctrl-C does would wait for it in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nobody looks for garbage meanwhile: six thousand tests and all that they import are half a million objects, none
    of which is garbage, and looking through them again and again takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What is there now stays; and sessions that tests begin are of ours alone.

    Each of those would spend two seconds on importing plugins of others, which none of them uses.
    """
    os.environ["PYTEST_ADDOPTS"] = "-p no:schemathesis -p no:hypothesispytest"
    gc.collect()
    gc.freeze()
