"""What others send and cannot be understood."""

from __future__ import annotations

from stressfield.errors import InputError


class MalformedError(InputError):
    """A text or message from outside is not what it should be; ``position`` is the place in the text, if known."""

    def __init__(self, message: str, *, position: int | None = None) -> None:
        self.position = position
        super().__init__(message if position is None else f"{message} (at byte {position})")
