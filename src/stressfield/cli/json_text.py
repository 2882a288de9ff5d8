"""JSON that any reader accepts."""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(data: Any) -> str:
    """Indented JSON; numbers that JSON does not know (NaN, infinity) become null."""
    return json.dumps(_plain(data), indent=1, ensure_ascii=False, allow_nan=False)


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
