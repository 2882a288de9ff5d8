"""Texts that robots and strangers wrote, made fit to be kept in a file and to be shown on a terminal."""

from __future__ import annotations

import re

LONGEST = 10_000
"""Characters of an error message that are kept: the beginning of it."""

_HALVES = re.compile("[\ud800-\udfff]")
ACTED_ON = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def keepable(text: str, *, most: int = LONGEST) -> str:
    """The text as any file can hold it: half characters (of undecodable file names) as escapes, and not too long."""
    left = len(text) - most
    kept = f"{text[:most]} ... and {left} more characters" if left > 0 else text
    return _HALVES.sub(_escape, kept)


def visible(text: str) -> str:
    """The text with all that a terminal would act on (colours, titles, cursor, direction of writing) as escapes."""
    return ACTED_ON.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
