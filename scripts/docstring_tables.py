"""Docstrings are read in terminals, too: their tables, roles and ``::`` blocks are made Markdown for the site."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

ESCAPED = "\\|"
_ROLE = re.compile(r":(?:class|func|meth|mod|data|attr|exc):`~?([^`]+)`")
_RULE = re.compile(r"^=+(?: +=+)+$")
_BLOCK = re.compile(r"^(.*[^:\s])?::$")


class DocstringTables(Extension):
    """Changes every docstring before it is rendered."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for every module, class, function and attribute, when it is loaded."""
        if obj.docstring is not None:
            obj.docstring.value = markdown_of(obj.docstring.value)


def markdown_of(text: str) -> str:
    """The same as Markdown."""
    lines = _ROLE.sub(r"`\1`", text).splitlines()
    made: list[str] = []
    while lines:
        line = lines.pop(0)
        if _RULE.match(line.strip()):
            made += _table(line.strip(), lines)
        elif (block := _BLOCK.match(line)) and (not lines or not lines[0].strip()):
            made += [f"{block[1]}:" if block[1] else "", "", *_code(lines)]
        else:
            made.append(line)
    return "\n".join(made)


def _table(rule: str, lines: list[str]) -> list[str]:
    """A table between rules; its second column may go on in the next lines."""
    rows: list[list[str]] = []
    width = len(rule.split(maxsplit=1)[0])
    while lines and not _RULE.match((line := lines.pop(0)).strip()):
        if not line.strip():
            continue
        # a name that is too long for its column ends at the next gap
        split = re.match(rf"^(.{{{width}}}\S*) +(.*)$", line) if line[:1].strip() else None
        if split is None and rows:
            rows[-1][1] += f" {line.strip()}"
        else:
            rows.append([split[1].strip(), split[2].strip()] if split else [line.strip(), ""])
    cells = [f"| {_name(name)} | {words.replace('|', ESCAPED)} |" for name, words in rows]
    return ["", "| name | is |", "| --- | --- |", *cells, ""]


def _name(text: str) -> str:
    return text if "`" in text else f"`{text}`"


def _code(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines.pop(0)
    inside: list[str] = []
    while lines and (not lines[0].strip() or lines[0].startswith("    ")):
        inside.append(lines.pop(0)[4:])
    return ["```python", *"\n".join(inside).rstrip().splitlines(), "```", ""]
