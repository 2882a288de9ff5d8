"""A model file (XMI) as elements of the metamodel: values checked, references followed, and nothing forgotten.

An Item remembers what was asked of it. What nobody asked for is a leftover, and becomes a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, nan

from stressfield._files.xml_text import XmlElement
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.sesame._metamodel import CLASSES, ENUMERATIONS, Feature, MetaClass, find_class

_XMI = "{http://www.omg.org/XMI}"
_ID = f"{_XMI}id"
_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_KNOWN = frozenset({_ID, f"{_XMI}version", _TYPE, "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"})
_WHOLE = re.compile(r"[+-]?[0-9]+(\.0*)?")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,9})?")
_SPECIAL = {"NaN": nan, "Infinity": inf, "+Infinity": inf, "-Infinity": -inf}
_STEP = re.compile(r"@?([A-Za-z_][A-Za-z0-9_]{0,99})(?:\.([0-9]{1,9}))?")
_LONG = 2**63
MOST: Mapping[str, int] = {
    "metrics": 2000,
    "possibleFuzzingOperations": 2000,
    "possibleAttacks": 2000,
    "campaigns": 2000,
    "variables": 10_000,
    "topics": 10_000,
    "operations": 1000,
    "attacks": 1000,
}
"""Elements of a name that one element may hold: what is done to them grows faster than their number."""
_SHOWN = 80


class Item:
    """An element of a model. ``cls`` is None if the metamodel has no such class, or none such element there."""

    __slots__ = ("_asked", "_document", "_element", "_parts", "cls", "index", "parent", "path", "used")

    def __init__(
        self, element: XmlElement, document: Document, parent: Item | None, cls: MetaClass | None, *, index: int = 0
    ) -> None:
        tag = local(element.tag)
        self._element, self._document, self.parent, self.cls = element, document, parent, cls
        self.path: str = tag if parent is None else f"{parent.path}/{tag}"
        self.index = index
        self.used = parent is None
        self._asked: set[str] = set()
        self._parts: dict[str, list[Item]] = {}
        for child in element.children:
            name = local(child.tag)
            siblings = self._parts.setdefault(name, [])
            if len(siblings) >= MOST.get(name, len(element.children)):
                raise InputError(f"{self.place} has more than {MOST[name]:,} {name}. Wanted a smaller model.")
            kind = None if "href" in child.attributes else self._class_of(child, name)
            siblings.append(Item(child, document, self, kind, index=len(siblings)))
        self._check()
        document.add(self)

    @property
    def kind(self) -> str:
        """The name of its class in the metamodel; of one that is not there, the name in the file."""
        return self._element.attributes.get(_TYPE, "").rpartition(":")[2] if self.cls is None else self.cls.name

    @property
    def id(self) -> str | None:
        """Its identifier, if it has one."""
        return self._element.attributes.get(_ID)

    @property
    def place(self) -> str:
        """Where it is, for people: ``campaigns.0/performedTests.3``."""
        if self.parent is None:
            return local(self._element.tag)
        own = f"{local(self._element.tag)}.{self.index}"
        return own if self.parent.parent is None else f"{self.parent.place}/{own}"

    def is_a(self, name: str) -> bool:
        """Whether it is of that class or one that extends it."""
        return self.cls is not None and self.cls.is_a(name)

    def given(self, name: str) -> bool:
        """Whether the file says anything here. Does not count as having asked for it."""
        return any(
            spelling in self._element.attributes or spelling in self._parts for spelling in self._spellings(name)
        )

    def text(self, name: str) -> str | None:
        """An attribute, or None if it is not there."""
        for spelling in self._spellings(name):
            if spelling in self._element.attributes:
                self._asked.add(spelling)
                return self._element.attributes[spelling]
        return None

    def texts(self, name: str) -> list[str]:
        """An attribute that may be there many times: XMI has an element for each."""
        single = self.text(name)
        several = [part.all_text() for part in self.parts(name)]
        return several if single is None else [single, *several]

    def all_text(self) -> str:
        """What stands between its tags."""
        self._asked.add("")
        return self._element.text

    def number(self, name: str) -> float:
        """A number or its default. It may be infinite or not a number: files may say so."""
        text = self._value(name)
        return _parse_number(text) if text is not None else 0.0

    def whole(self, name: str) -> int:
        """A whole number or its default."""
        return int(float(self._value(name) or 0)) if "." in (self._value(name) or "") else int(self._value(name) or 0)

    def flag(self, name: str) -> bool:
        """True or false."""
        return self._value(name) == "true"

    def word(self, name: str) -> str:
        """A literal of an enumeration; its first one if nothing is said."""
        return self._value(name) or ""

    def parts(self, name: str) -> list[Item]:
        """The elements inside of that name."""
        found = [part for spelling in self._spellings(name) for part in self._parts.get(spelling, ())]
        for part in found:
            part.used = True
        return found

    def part(self, name: str) -> Item | None:
        """The first element inside of that name. The metamodel allows no second; if there is one it is a leftover."""
        for spelling in self._spellings(name):
            for part in self._parts.get(spelling, ()):
                part.used = True
                return part
        return None

    def targets(self, name: str, *, of: str) -> tuple[list[Item], list[str]]:
        """The elements of class ``of`` that a reference leads to, and the words that lead to none."""
        found: list[Item] = []
        lost: list[str] = []
        for word in self._words(name):
            target = self._document.find(word)
            if target is not None and target.is_a(of):
                found.append(target)
            else:
                lost.append(word)
        return found, lost

    def told(self) -> None:
        """Whatever is in it was spoken of: nothing of it is a leftover."""
        waiting = [self]
        while waiting:
            item = waiting.pop()
            item.used = True
            item._asked |= {"", *item._element.attributes}
            waiting.extend(part for parts in item._parts.values() for part in parts)

    def below(self) -> Iterator[Item]:
        """It and everything inside."""
        waiting = [self]
        while waiting:
            item = waiting.pop()
            yield item
            waiting.extend(part for parts in item._parts.values() for part in parts)

    def leftovers(self) -> Iterator[tuple[str, str, str]]:
        """All that nobody asked for: where, an example, and why it is not imported."""
        if not self.used:
            values = [value for name, value in self._element.attributes.items() if name not in _KNOWN]
            names = ", ".join(local(name) for name in self._element.attributes if name not in _KNOWN)
            kind = self._element.attributes.get(_TYPE, "").rpartition(":")[2]
            example = " ".join(part for part in (kind, *values, self._element.text) if part) or self.id or kind
            yield self.path, example, self._why(names)
        else:
            for name, value in self._element.attributes.items():
                if name not in self._asked and name not in _KNOWN:
                    yield f"{self.path}@{local(name)}", value, self._why_not(name)
            if self._element.text and "" not in self._asked:
                yield f"{self.path} (text)", self._element.text, ""
        for parts in self._parts.values():
            for part in parts:
                yield from part.leftovers()

    def _why(self, names: str) -> str:
        """Of an element: what it says, and why that is not imported."""
        feature = None
        if self.parent is not None and self.parent.cls is not None:
            feature = self.parent.cls.feature(local(self._element.tag))
        reason = "The metamodel has no such element." if feature is None else feature.why
        if self.cls is None and feature is not None:
            reason = f"The metamodel has no class {self.kind!r}." if self.kind else reason
        return f"It says {names}. {reason}" if names else reason

    def _why_not(self, name: str) -> str:
        if self.cls is None:
            return ""
        feature = self.cls.feature(name)
        return f"The metamodel has no such feature of {self.cls.name}." if feature is None else feature.why

    def _spellings(self, name: str) -> tuple[str, ...]:
        feature = None if self.cls is None else self.cls.features.get(name)
        return (name,) if feature is None else (name, *feature.older)

    def _value(self, name: str) -> str | None:
        text = self.text(name)
        feature = None if self.cls is None else self.cls.features.get(name)
        return text if text is not None else None if feature is None else feature.default

    def _words(self, name: str) -> list[str]:
        words = (self.text(name) or "").split()
        for part in self.parts(name):
            href = part.text("href")
            words += [] if href is None else [href]
        return words

    def _class_of(self, child: XmlElement, name: str) -> MetaClass | None:
        feature = None if self.cls is None else self.cls.feature(name)
        kind = child.attributes.get(_TYPE, "").rpartition(":")[2]
        if feature is None or feature.kind != "part":
            return None
        if not kind:
            declared = CLASSES[feature.of]
            # of an abstract class the file must say which one it is
            return None if declared.abstract else declared
        found = find_class(kind)
        if found is not None and not found.is_a(feature.of):
            raise InputError(f"{self.place}, {name}: got a {kind}, wanted a {feature.of}.")
        return found

    def _check(self) -> None:
        """InputError for a value that is not of its type, whether or not it is imported."""
        if self.cls is None:
            return
        for name, value in self._element.attributes.items():
            feature = self.cls.feature(name)
            if feature is not None and feature.kind in _CHECKS:
                told = _CHECKS[feature.kind](value, feature)
                if told:
                    raise InputError(f"{self.place}, {name}: got {value[:40]!r}, wanted {told}")


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


def _parse_number(text: str) -> float:
    text = text.strip()
    return _SPECIAL[text] if text in _SPECIAL else float(text)


def _whole_fault(value: str, _feature: Feature) -> str:
    text = value.strip()
    fits = _WHOLE.fullmatch(text) is not None and len(text) < 40 and -_LONG <= int(text.split(".")[0]) < _LONG
    return "" if fits else "a whole number."


def _number_fault(value: str, _feature: Feature) -> str:
    text = value.strip()
    return "" if text in _SPECIAL or (len(text) < 400 and _NUMBER.fullmatch(text)) else "a finite number."


def _flag_fault(value: str, _feature: Feature) -> str:
    return "" if value in ("true", "false") else "true or false."


def _word_fault(value: str, feature: Feature) -> str:
    words = ENUMERATIONS[feature.of]
    return "" if value in words else f"one of {', '.join(words)}.{did_you_mean(value, words)}"


_CHECKS: Mapping[str, Callable[[str, Feature], str]] = {
    "whole": _whole_fault,
    "number": _number_fault,
    "flag": _flag_fault,
    "word": _word_fault,
}


@dataclass(slots=True)
class Document:
    """All elements of a file, and what references lead to: identifiers, and paths such as ``//@campaigns.0``."""

    roots: list[Item] = field(default_factory=list)
    _by_id: dict[str, Item] = field(default_factory=dict)
    _found: dict[str, Item | None] = field(default_factory=dict)

    @classmethod
    def of(cls, element: XmlElement) -> Document:
        """The elements of a file. Several may stand side by side in one of XMI's own."""
        document = cls()
        several = element.tag == f"{_XMI}XMI"
        for root in element.children if several else [element]:
            document.roots.append(Item(root, document, None, CLASSES.get(local(root.tag))))
        return document

    def add(self, item: Item) -> None:
        """Take note of an element's identifier."""
        if item.id is None:
            return
        if item.id in self._by_id:
            raise InputError(f"{item.place}: the identifier {item.id[:60]!r} occurs twice. Wanted different ones.")
        self._by_id[item.id] = item

    def find(self, word: str) -> Item | None:
        """What a reference leads to; None if that is nothing, or in another file."""
        if word not in self._found:
            name = word.removeprefix("#")
            self._found[word] = self._by_id.get(name) or (self._walked(name) if name.startswith("/") else None)
        return self._found[word]

    def _walked(self, path: str) -> Item | None:
        """``//@campaigns.0/@performedTests.3`` from the first root, ``/1/@metrics.0`` from the second."""
        _, root, *steps = path.split("/", 66)  # the parser allows no deeper nesting
        if not (root == "" or (root.isdecimal() and len(root) < 9)) or int(root or 0) >= len(self.roots):
            return None
        item = self.roots[int(root or 0)]
        for step in steps if steps != [""] else []:
            found = _STEP.fullmatch(step)
            siblings = [] if found is None else item._parts.get(found[1], [])
            at = int(found[2] or 0) if found is not None else 0
            if at >= len(siblings):
                return None
            item = siblings[at]
        return item


def shown(text: str) -> str:
    """A text in a note: not too long, and in quotes."""
    return repr(text[:_SHOWN])
