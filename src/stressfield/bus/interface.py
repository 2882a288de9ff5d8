"""Interfaces: message types made from the text of ``.msg``, ``.srv`` and ``.action`` files.

Recordings and ROS graphs carry such text, too: the type itself, then the types it is made of, parted by rules of ``=``.
A class made here is a :class:`~stressfield.bus.message.Message` like those written by hand: CDR, JSON, field paths and
type hashes all follow from its fields.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus import messages as _standard  # noqa: F401  registers the standard types
from stressfield.bus.message import PRIMITIVES, Field, Message, Ros, definition, find_type, short_name, zero_of
from stressfield.errors import InputError, did_you_mean

NO_MEMBER = "structure_needs_at_least_one_member"
"""The field that ROS 2 gives to a message without any, so that it has a byte to send."""

DEEPEST = 40
"""Messages inside messages: real ones have fewer than ten levels, and a text may say that a type contains itself."""

LONGEST_TEXT = 1 << 20

_RULE = re.compile(r"^={10,}\s*$", re.MULTILINE)
_NAME = re.compile(r"MSG:\s*(\S+)\s*\n?")
_LINE = re.compile(r"(?P<type>[A-Za-z][\w/]*)(?:<=(?P<longest>\d+))?(?P<array>\[(?:<=)?\d*\])?\s+(?P<rest>.+)")
_FIELD = re.compile(r"(?P<name>[A-Za-z]\w*)(?:\s+(?P<default>.+))?")
_CONSTANT = re.compile(r"(?P<name>[A-Za-z]\w*)\s*=\s*(?P<value>.+)")
_FULL_NAME = re.compile(r"[A-Za-z]\w*(/(msg|srv|action))?/[A-Za-z]\w*")
_ROS1_TIMES = {"time": "builtin_interfaces/msg/Time", "duration": "builtin_interfaces/msg/Duration"}


@dataclass(frozen=True, slots=True)
class Service:
    """A service: what is asked and what is answered. ``name`` is for instance ``std_srvs/srv/Trigger``."""

    name: str
    request: type[Message]
    response: type[Message]


@dataclass(frozen=True, slots=True)
class Action:
    """An action, with the services and the topic that ROS 2 makes of it."""

    name: str
    goal: type[Message]
    result: type[Message]
    feedback: type[Message]
    send_goal: Service
    get_result: Service
    feedback_message: type[Message]


class Interfaces:
    """Types by name: those added as text, then those of stressfield's own classes.

    ``interfaces.message("my_msgs/msg/Gauge")``, ``.service("std_srvs/srv/Trigger")``, ``.action(...)``.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._made: dict[str, type[Message]] = {}

    def add_text(self, name: str, text: str) -> None:
        """The text of one interface, perhaps with those it is made of behind it. InputError if it contradicts another.

        ``name`` is that of a message, a service or an action: ``pkg/msg/Name``, ``pkg/srv/Name``, ``pkg/action/Name``.
        """
        if len(text) > LONGEST_TEXT:
            raise InputError(
                f"The definition of {name!r:.100} has {len(text)} characters; wanted at most {LONGEST_TEXT}."
            )
        own, *others = _RULE.split(text)
        parts = {full_name(name): own}
        for other in others:
            found = _NAME.match(other.lstrip())
            if found is None:
                raise InputError(
                    f"The definition of {name!r:.100} has a part without a name: {other.strip()[:60]!r}. "
                    "Wanted 'MSG: package/Name' below each rule of '='."
                )
            parts[full_name(found[1])] = other.lstrip()[found.end() :]
        for full, part in parts.items():
            known = self._texts.get(full)
            if known is not None and _bare(known) != _bare(part):
                raise InputError(
                    f"There are two different definitions of {full}. Wanted one; see which package is old."
                )
            self._texts[full] = part

    def add_folder(self, folder: Path) -> int:
        """All interface files below a folder, as packages lie there: ``my_msgs/msg/Gauge.msg``. Tells how many."""
        if not folder.is_dir():
            raise InputError(f"There is no folder {folder}. Wanted one with packages such as my_msgs/msg/Gauge.msg.")
        count = 0
        for path in sorted(path for kind in ("msg", "srv", "action") for path in folder.rglob(f"*.{kind}")):
            kind = path.suffix[1:]
            if path.parent.name != kind:
                raise InputError(f"{path} does not lie in a folder {kind!r} of its package, as ROS wants it.")
            try:
                text = path.read_text()
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"Cannot read {path}: {error}.") from error
            self.add_text(f"{path.parent.parent.resolve().name}/{kind}/{path.stem}", text)
            count += 1
        if not count:
            raise InputError(f"No interface file is below {folder}. Wanted for instance my_msgs/msg/Gauge.msg.")
        return count

    def message(self, name: str) -> type[Message]:
        """The class of a message type. InputError with what is known if there is none."""
        return self._message(full_name(name), ())

    def service(self, name: str) -> Service:
        """A service by its name."""
        full = full_name(name, "srv")
        request, response = self._parts(full, 2, "a request and a response")
        return Service(full, self._class(f"{full}_Request", request), self._class(f"{full}_Response", response))

    def action(self, name: str) -> Action:
        """An action by its name."""
        full = full_name(name, "action")
        texts = self._parts(full, 3, "a goal, a result and feedback")
        suffixes = ("Goal", "Result", "Feedback")
        goal, result, feedback = (
            self._class(f"{full}_{suffix}", text) for suffix, text in zip(suffixes, texts, strict=True)
        )
        identity = "unique_identifier_msgs/UUID goal_id\n"
        self._texts.setdefault("unique_identifier_msgs/msg/UUID", "uint8[16] uuid\n")

        def service(suffix: str, request: str, response: str) -> Service:
            part = f"{full}_{suffix}"
            asked = self._class(f"{part}_Request", identity + request)
            return Service(part, asked, self._class(f"{part}_Response", response))

        stamp = "builtin_interfaces/Time stamp\n"
        return Action(
            full,
            goal,
            result,
            feedback,
            service("SendGoal", f"{full}_Goal goal\n", f"bool accepted\n{stamp}"),
            service("GetResult", "", f"int8 status\n{full}_Result result\n"),
            self._class(f"{full}_FeedbackMessage", f"{identity}{full}_Feedback feedback\n"),
        )

    def _parts(self, full: str, count: int, told: str) -> list[str]:
        """The parts of a service or an action, parted by lines of three dashes."""
        if full not in self._texts:
            raise self._unknown(full)
        parts = re.split(r"^---\s*$", self._texts[full], flags=re.MULTILINE)
        if len(parts) != count:
            raise InputError(f"{full} has {len(parts)} parts; wanted {count}, {told}, with '---' between them.")
        return parts

    def _class(self, full: str, text: str) -> type[Message]:
        self._texts[full] = text
        return self._message(full, ())

    def _message(self, full: str, owners: tuple[str, ...]) -> type[Message]:
        if full in self._made:
            return self._made[full]
        if full in owners or len(owners) > DEEPEST:
            raise InputError(f"The message type {full} contains itself: {' > '.join([*owners[-5:], full])}.")
        text = self._texts.get(full)
        if text is None:
            known = find_type(full)
            if known is None:
                raise self._unknown(full, owners)
            return known
        made = self._built(full, text, (*owners, full))
        # The class written by hand is taken where it says the same: it has the methods that robots and studies use.
        own = find_type(full)
        self._made[full] = own if own is not None and definition(own) == definition(made) else made
        return self._made[full]

    def _built(self, full: str, text: str, owners: tuple[str, ...]) -> type[Message]:
        constants: dict[str, Any] = {}
        fields: list[tuple[str, Any, Any]] = []
        for line in _statements(text):
            found = _LINE.fullmatch(line)
            if found is None:
                raise _bad_line(full, line)
            constant = _CONSTANT.fullmatch(found["rest"])
            if constant is not None and not found["array"]:
                constants[constant["name"]] = _literal(found["type"], constant["value"], full, line)
            else:
                fields.append(self._field(full, found, line, owners))
        names = [name for name, _, _ in fields]
        double = next((name for name in names if names.count(name) > 1 or name in constants), None)
        if double is not None:
            raise InputError(f"{full} has two fields called {double!r}; wanted names that differ.")
        if not fields:
            fields.append((NO_MEMBER, Annotated[int, Ros("uint8")], msgspec.field(default=0)))
        kept = {name: value for name, value in constants.items() if not hasattr(Message, name)}
        namespace = {**kept, "ros_type": full, "from_definition": True}
        name = full.rpartition("/")[2]
        made = msgspec.defstruct(name, fields, bases=(Message,), namespace=namespace, frozen=True, eq=False, gc=False)
        assert issubclass(made, Message)
        return made

    def _field(self, full: str, found: re.Match[str], line: str, owners: tuple[str, ...]) -> tuple[str, Any, Any]:
        """A field as msgspec wants it: name, annotation, default."""
        named = _FIELD.fullmatch(found["rest"])
        if named is None:
            raise _bad_line(full, line)
        base, array = found["type"], found["array"] or ""
        longest = f"<={found['longest']}" if found["longest"] else ""
        if base == "wstring":
            raise InputError(
                f"{full}.{named['name']} is a wstring, which vendors of ROS 2 encode differently: not read."
            )
        if base in PRIMITIVES or base == "string":
            annotation = _annotation(base, longest, array)
            field = Field(named["name"], base, None, _size(array))
        else:
            nested = self._message(_relative(base, full), owners)
            field = Field(named["name"], short_name(nested.ros_type), nested, _size(array))
            items = tuple[nested, ...]  # type: ignore[valid-type]
            annotation = Annotated[items, Ros(f"{field.base}{array}")] if array else nested
        default = zero_of(field) if named["default"] is None else _default(field, named["default"], full, line)
        if isinstance(default, np.ndarray):
            return named["name"], annotation, msgspec.field(default_factory=default.copy)
        return named["name"], annotation, msgspec.field(default=default)

    def _unknown(self, full: str, owners: tuple[str, ...] = ()) -> InputError:
        known = sorted(self._texts)
        where = f" (a part of {owners[-1]})" if owners else ""
        return InputError(
            f"Unknown type {full!r}{where}.{did_you_mean(full, known)} Wanted its definition beside the others, or one "
            "of stressfield's own."
        )


def message_from_text(name: str, text: str) -> type[Message]:
    """The class of a message type from its text and those behind it; stressfield's own class if it says the same."""
    interfaces = Interfaces()
    interfaces.add_text(name, text)
    return interfaces.message(name)


def full_name(name: str, kind: str = "msg") -> str:
    """``geometry_msgs/msg/Pose`` for ``geometry_msgs/Pose``; InputError for what is no name of a type."""
    if not _FULL_NAME.fullmatch(name):
        raise InputError(f"{name[:100]!r} is not the name of a type. Wanted for instance 'geometry_msgs/{kind}/Pose'.")
    package, _, rest = name.partition("/")
    return name if "/" in rest else f"{package}/{kind}/{rest}"


def _relative(base: str, owner: str) -> str:
    """The full name of a type as it is written inside another one's definition."""
    if base in _ROS1_TIMES:
        return _ROS1_TIMES[base]
    if base == "Header":
        return "std_msgs/msg/Header"
    return full_name(base if "/" in base else f"{owner.partition('/')[0]}/{base}")


def _statements(text: str) -> Iterator[str]:
    """Lines that say something: without comments, which in a text constant are none."""
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("string") and "=" in bare and "#" in bare and not bare.startswith("string<="):
            # ROS takes all that follows the equals sign of a text for its value, comment and all.
            yield bare
            continue
        bare = _without_comment(bare)
        if bare:
            yield bare


def _without_comment(line: str) -> str:
    quote = ""
    for place, sign in enumerate(line):
        if sign in "'\"":
            quote = "" if sign == quote else quote or sign
        elif sign == "#" and not quote:
            return line[:place].strip()
    return line


def _bare(text: str) -> list[str]:
    return [" ".join(line.split()) for line in _statements(text)]


def _size(array: str) -> int | None:
    if not array:
        return None
    inside = array[1:-1]
    return 0 if inside.startswith("<=") or not inside else int(inside)


def _annotation(base: str, longest: str, array: str) -> Any:
    ros = Ros(f"{base}{longest}{array}")
    python: Mapping[str, type] = {"string": str, "bool": bool, "float32": float, "float64": float}
    plain = python.get(base, int)
    if not array:
        return Annotated[plain, ros]
    if base == "string" or _size(array):
        return Annotated[tuple[plain, ...], ros]  # type: ignore[valid-type]
    return Annotated[NDArray[np.dtype(PRIMITIVES[base]).type], ros]  # type: ignore[misc]


def _default(field: Field, text: str, full: str, line: str) -> Any:
    value = _literal(field.base, text, full, line)
    if field.size is None:
        return value
    if field.base == "string" or field.size:
        return tuple(value)
    return np.array(value, np.dtype(PRIMITIVES[field.base]))


def _literal(base: str, text: str, full: str, line: str) -> Any:
    """A value as interface files write it: numbers and texts as in Python, ``true`` and ``false`` in any case."""
    if base == "string" and text[:1] not in {"'", '"', "["}:
        return text.strip()
    plain = re.sub(r"\b(true|false)\b", lambda found: found[1].capitalize(), text.strip(), flags=re.IGNORECASE)
    try:
        value = ast.literal_eval(plain)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise _bad_line(full, line) from None
    if base.startswith("float") and isinstance(value, int):
        return float(value)
    return bool(value) if base == "bool" and isinstance(value, int) else value


def _bad_line(full: str, line: str) -> InputError:
    return InputError(f"The definition of {full} has a line that is none: {line[:80]!r}. Wanted 'float64[3] position'.")
