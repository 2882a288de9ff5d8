"""What a model says of the robots: topics, their types and fields; and notes on what is understood otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stressfield.bus import find_type
from stressfield.errors import InputError
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.sesame._document import Item, shown

PLAIN_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("double", "doubleencodedasstring", "float", "float32", "float64", "number"), "std_msgs/Float64"),
    **dict.fromkeys(("int", "int32", "int64", "integer", "long", "short"), "std_msgs/Int32"),
    **dict.fromkeys(("bool", "boolean"), "std_msgs/Bool"),
    "string": "std_msgs/String",
}
"""What carries the values of simulators other than ROS on the bus here, by their names in small letters."""
_VALUE = "data"
"""The field of these messages."""
_INBOUND = re.compile(r"(?<=[a-z0-9])_?IN$")
_TYPED = re.compile(r"([A-Za-z]\w{0,99})/(?:msg/)?([A-Za-z]\w{0,99})[./](.+)", re.DOTALL)
_PLACE = re.compile(r"\[([0-9]+|\*)\]")
_VARYING = re.compile(r"'[^']*'|[0-9][0-9.e+-]*")
_LONGEST_TOPIC = 255


class UnexpressedError(Exception):
    """The end of a sentence on why an element of the model has no like here."""


class IdleError(UnexpressedError):
    """Likewise, of an operation that does nothing: a test is the same without it."""


class Notes:
    """Sentences, each once. Those that differ in names and numbers alone are one, with how many there are."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def say(self, text: str) -> None:
        """One sentence."""
        self._first.setdefault(text, text)
        self._count.setdefault(text, 1)

    def say_alike(self, text: str) -> None:
        """One of many sentences that differ in names and numbers."""
        key = _VARYING.sub("#", text)
        self._first.setdefault(key, text)
        self._count[key] = self._count.get(key, 0) + 1

    @property
    def lines(self) -> list[str]:
        """All of them, in the order in which they were said first."""
        return [
            text if self._count[key] == 1 else f"{text} ({self._count[key]} such; this is the first.)"
            for key, text in self._first.items()
        ]


def different(name: str, taken: Iterable[str], *, longest: int, joint: str = " ({})") -> str:
    """The name, cut to a length, and with a number behind it if it is taken."""
    known = taken if isinstance(taken, set | dict) else set(taken)
    plain = name[:longest]
    made, number = plain, 1
    while made in known:
        number += 1
        suffix = joint.format(number)
        made = plain[: longest - len(suffix)] + suffix
    return made


@dataclass(slots=True)
class System:
    """Topics by the elements that declare them, and their types."""

    notes: Notes
    topics: dict[Item, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    """Topics that carry one value, of a simulator whose variables have no fields."""

    def read(self, mrs: Item | None) -> None:
        """The topics of the robots' description."""
        if mrs is None:
            return
        simulator = next((part.kind for part in mrs.below() if part.is_a("Simulator")), "sesame")
        for variable in mrs.parts("variables"):
            self._read_variable(variable, simulator.removesuffix("Simulator").lower() or "sesame")
        mrs.parts("propertyType")
        unknown = sorted({kind for kind in self.types.values() if find_type(kind, any_case=True) is None})
        for kind in unknown:
            self.notes.say(f"Type {kind}: no message here has it, so fields of its topics are not checked.")
        bare = [topic for topic in self.topics.values() if topic not in self.types]
        if bare:
            self.notes.say(f"Topic {bare[0]} has no type, so no topics and fields are checked.")

    def _read_variable(self, variable: Item, simulator: str) -> None:
        name = variable.text("name") or ""
        plain = _INBOUND.sub("", name)
        if plain != name:
            self.notes.say(f"Topic {name}: the man in the middle's inbound side; imported as {plain}.")
        if not plain or len(plain) > _LONGEST_TOPIC:
            self.notes.say(f"Topic {shown(name)}: wanted a name of 1 to {_LONGEST_TOPIC} characters; left out.")
            variable.told()
            return
        self.topics[variable] = plain
        found, lost = variable.targets("type", of="Type")
        if lost:
            self.notes.say(f"Topic {plain}: its type {shown(lost[0])} is not in the model.")
        kind = (found[0].text("name") or "").strip() if found else ""
        if kind:
            made = self._type(kind, simulator)
            known = self.types.setdefault(plain, made)
            if known != made:
                self.notes.say(f"Topic {plain} has two types; imported with {known}, not {made}.")
            elif kind.lower() in PLAIN_TYPES:
                self.plain.add(plain)

    def _type(self, kind: str, simulator: str) -> str:
        made = PLAIN_TYPES.get(kind.lower())
        if made is not None:
            self.notes.say(
                f"Type {kind} is not one of ROS: its topics carry {made} here, with the value in the field '{_VALUE}'."
            )
            return made
        words = [word for word in kind.split("/") if word]
        if "/" in kind and len(words) in (2, 3):
            return canonical("/".join(words))
        made = f"{simulator}/{'_'.join(words)}" if words else f"{simulator}/unnamed"
        self.notes.say(f"Type {kind} is not one of ROS, and neither a number nor a text: called {made} here.")
        return made

    def field(self, name: str, topic: str) -> str:
        """The path to a field of a topic's messages, as it is written here."""
        if topic in self.plain:
            return _VALUE
        text = _PLACE.sub(r".\1", name.strip())
        typed = _TYPED.fullmatch(text)
        prefix = "" if typed is None else f"{canonical(f'{typed[1]}/{typed[2]}')}."
        rest = (text if typed is None else typed[3]).replace("/", ".")
        message_type = find_type(self.types.get(topic, ""), any_case=True)
        # generated Python code has the message in a variable 'msg'; early files write fields in capitals
        spellings = dict.fromkeys((rest, rest.removeprefix("msg."), rest.lower(), rest.removeprefix("msg.").lower()))
        fault: InputError | None = None
        for spelling in spellings:
            try:
                path = FieldPath.parse(f"{prefix}{spelling}")
                if message_type is not None:
                    path.check(message_type)
            except InputError as error:
                fault = fault or error
            else:
                return f"{prefix}{path}"
        raise UnexpressedError(f"changes the field {shown(name)} ({fault})")


def canonical(ros_type: str) -> str:
    """The name of a type as our messages write it: ``geometry_msgs/twist`` is ``geometry_msgs/Twist``."""
    known = find_type(ros_type, any_case=True) if "/" in ros_type else None
    return ros_type if known is None else known.ros_type.replace("/msg/", "/")
