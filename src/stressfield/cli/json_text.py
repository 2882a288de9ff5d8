"""JSON that any reader accepts."""

from __future__ import annotations

import json
import math
from typing import Any

from stressfield.plain_text import ACTED_ON


def json_text(data: Any) -> str:
    """Indented JSON; numbers that JSON does not know (NaN, infinity) become null."""
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
