"""A command with one option that takes several values in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand


class SeveralAtOnce(TyperCommand):
    """``--against a b c`` means ``--against a --against b --against c``: all words up to the next option."""

    several = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Spell it out, then go on as usual."""
        return super().parse_args(ctx, spelled_out(args, self.several))


def spelled_out(args: Sequence[str], option: str) -> list[str]:
    """The arguments with the option before each of its values."""
    spelled: list[str] = []
    inside = False
    for at, word in enumerate(args):
        if word == option:
            inside = True
            if at + 1 == len(args) or args[at + 1].startswith("-"):
                spelled.append(word)  # without a value: the usual message
        elif word.startswith("-"):
            inside = False
            spelled.append(word)
        else:
            spelled += [option, word] if inside else [word]
    return spelled
