"""What every test may rely on."""

from __future__ import annotations

import signal

# A shell that begins something in the background has it ignore Ctrl-C, and so do all its children: the tests of what
# Ctrl-C does would wait for it in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
