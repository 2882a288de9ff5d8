"""The command line: one file per verb.

Exit codes: 0 clean, 1 findings, 2 bad input, 3 trouble of the rig or its machine, 130 stopped by Ctrl-C.
"""

from stressfield.cli.main import main

__all__ = ["main"]
