"""What every test may rely on."""

from __future__ import annotations

import gc
import os
import signal

# A shell that begins something in the background has it ignore Ctrl-C, and so do all its children: the tests of what
# Ctrl-C does would wait for it in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Six thousand tests and all that they import are half a million objects, and none of them is garbage. Looking through
# them again and again takes a third of the time in which tests are collected.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is looked for again, among what tests make, and sessions that tests begin are of ours alone.

    Each of those would spend two seconds on importing plugins of others, which none of them uses.
    """
    os.environ["PYTEST_ADDOPTS"] = "-p no:schemathesis -p no:hypothesispytest"
    gc.collect()
    gc.freeze()
    gc.enable()
