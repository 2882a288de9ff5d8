"""YAML from strangers, read safely into plain data, and written so that it reads back exactly.

Only maps with text keys, lists, texts, numbers, true, false and null. No tags, no anchors and aliases, bounded size and
depth. Plain words are read as in YAML 1.2: ``on`` and ``no`` are texts, ``1e-3`` is a number.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from stressfield.errors import InputError

LARGEST_TEXT = 4_000_000
DEEPEST_NESTING = 40
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}


def parse_yaml(text: str | bytes, *, name: str) -> Any:
    """The plain data of one YAML document; ``name`` is what errors call it. Raises only InputError."""
    import yaml  # noqa: PLC0415  slow to import, and few commands read YAML

    if len(text) > LARGEST_TEXT:
        raise InputError(f"{name} is too large: wanted at most {LARGEST_TEXT // 1_000_000} MB.")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(name)
    try:
        if isinstance(text, bytes):
            text = text.decode()
        for event in yaml.parse(text, Loader=loader):
            builder.add(type(event).__name__, event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise InputError(f"{name} is not YAML: {error.problem or error.context}{place}.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{name} is not YAML: {str(error).splitlines()[0] if str(error) else 'unreadable'}.") from None
    return builder.root()


def dump_yaml(data: Any) -> str:
    """YAML text of plain data, without anchors, in the order given."""
    import yaml  # noqa: PLC0415  as above

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
            super().increase_indent(flow, False)

    def text(dumper: Any, value: str) -> Any:
        style = None if _plain(value) == value and value.isprintable() else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    def real(dumper: Any, value: float) -> Any:
        digits = repr(value)
        # 1e-06 is a text for readers of YAML 1.1
        shown = digits if "." in digits else digits.replace("e", ".0e", 1)
        return dumper.represent_scalar("tag:yaml.org,2002:float", shown)

    def items(dumper: Any, value: list[Any]) -> Any:
        flow = bool(value) and len(value) <= 6 and all(isinstance(item, str | int | float) for item in value)
        return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow or not value)

    Dumper.add_representer(str, text)
    Dumper.add_representer(float, real)
    Dumper.add_representer(list, items)
    written: str = yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)
    return written


def _plain(word: str) -> Any:
    """What a word without quotes means."""
    if word in _WORDS:
        return _WORDS[word]
    if _INTEGER.fullmatch(word):
        return int(word)
    if _REAL.fullmatch(word):
        value = float(word)
        return value if isfinite(value) else word
    return word


class _Builder:
    """Receives the parser's events one by one; nothing in it calls itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.documents = 0
        self.result: list[Any] = []
        self.open: list[dict[str, Any] | list[Any]] = []
        self.keys: list[str | None] = []

    def root(self) -> Any:
        if not self.result:
            raise InputError(f"{self.name} is empty. Wanted a YAML document.")
        return self.result[0]

    def add(self, kind: str, event: Any) -> None:
        if kind == "AliasEvent" or getattr(event, "anchor", None) is not None:
            raise self._fault("anchors and aliases (& and *) are not allowed. Write it out", event)
        if kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                raise self._fault("there is a second document. Wanted one", event)
        elif kind == "ScalarEvent":
            self._value(self._scalar(event), event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            if event.tag is not None:
                raise self._fault(f"the tag {event.tag!r} is not allowed. Remove it", event)
            if len(self.open) >= DEEPEST_NESTING:
                raise self._fault(f"nested too deeply. Wanted at most {DEEPEST_NESTING} levels", event)
            made: dict[str, Any] | list[Any] = {} if kind == "MappingStartEvent" else []
            self._value(made, event)
            self.open.append(made)
            self.keys.append(None)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self.open.pop()
            self.keys.pop()

    def _scalar(self, event: Any) -> Any:
        if event.tag is not None:
            raise self._fault(f"the tag {event.tag!r} is not allowed. Remove it", event)
        return _plain(event.value) if event.implicit[0] else event.value

    def _value(self, value: Any, event: Any) -> None:
        if not self.open:
            self.result.append(value)
            return
        owner = self.open[-1]
        if isinstance(owner, list):
            owner.append(value)
        elif self.keys[-1] is None:
            if not isinstance(value, str):
                raise self._fault(f"the key {_shown(value)} is not a text. Put it in quotes", event)
            if value in owner:
                raise self._fault(f"the key {value!r} occurs twice", event)
            self.keys[-1] = value
        else:
            owner[self.keys[-1]] = value
            self.keys[-1] = None

    def _fault(self, message: str, event: Any) -> InputError:
        return InputError(f"{self.name}, line {event.start_mark.line + 1}: {message}.")


def _shown(value: Any) -> str:
    return repr(value)[:40]
