"""JSON from strangers, read with limits on size, depth and numbers; and written so that any reader accepts it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import msgspec

from stressfield._files.plain_text import ACTED_ON
from stressfield.errors import MalformedError

MAX_BYTES = 8 * 1024 * 1024
"""The longest message that is read."""

MAX_DEPTH = 32
"""How deep lists and objects may be nested: ROS messages are rarely deeper than six."""

_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]')
_PLACE = re.compile(r"\(byte (\d+)\)")


def parse_json(text: str | bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> Any:
    """The value of a JSON text. Whatever is wrong with it, only MalformedError comes out."""
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise MalformedError(f"A text is not Unicode: {error.reason}.", position=error.start) from error
    if len(data) > max_bytes:
        raise MalformedError(f"A message has {len(data)} bytes; wanted at most {max_bytes}.")
    if data.count(b"[") + data.count(b"{") > max_depth:
        _check_depth(data, max_depth)
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        found = _PLACE.search(str(error))
        reason = _PLACE.sub("", str(error)).strip().removeprefix("JSON is malformed: ")
        raise MalformedError(f"Not JSON: {reason}", position=int(found[1]) if found else None) from error


def dump_json(data: Any) -> str:
    """Indented JSON; numbers that JSON does not know (NaN, infinity) become null, control characters escapes."""
    text = json.dumps(_plain(data), indent=1, ensure_ascii=False, allow_nan=False)
    return ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def _check_depth(data: bytes, max_depth: int) -> None:
    depth = 0
    for match in _STRUCTURE.finditer(data):
        mark = match[0]
        if mark in (b"[", b"{"):
            depth += 1
            if depth > max_depth:
                raise MalformedError(f"JSON is nested deeper than {max_depth} levels.", position=match.start())
        elif mark in (b"]", b"}"):
            depth -= 1
