"""TOML from strangers, read with limits on size, depth and numbers.

Python's own reader takes memory with the square of the parts of a dotted key: 200 kB of ``a.a.a.a`` fill a machine.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

DEEPEST = 40
"""Levels of nested tables and lists, and parts of a dotted key."""

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.|\\\Z)*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'  # texts of several lines
    r'|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|\#[^\n]*+'  # of one line, and comments
    r"|[][{}.=,\n]",
    re.DOTALL,
)


def parse_toml(data: str | bytes, *, bytes_max: int) -> dict[str, Any]:
    """The tables of a text. Whatever is wrong with it, only ValueError comes out, and says where."""
    if len(data) > bytes_max:
        raise ValueError(f"it has more than {bytes_max:,} bytes")
    try:
        text = data.decode() if isinstance(data, bytes) else data
        _check_depth(text)
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _check_depth(text: str) -> None:
    """Brackets that are open, and dots since the last mark between keys and values; those in texts do not count."""
    if text.count("[") + text.count("{") <= DEEPEST and max(map(_dots, text.split("\n"))) <= DEEPEST:
        return
    opened = dots = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == ".":
            dots += 1
        elif len(mark) == 1:
            dots = 0
            opened += (mark in "[{") - (mark in "]}")
        if max(opened, dots) >= DEEPEST:
            line = text.count("\n", 0, token.start()) + 1
            raise ValueError(f"it is nested more than {DEEPEST} levels deep (at line {line})")


def _dots(line: str) -> int:
    return line.count(".")
