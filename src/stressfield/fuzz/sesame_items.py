"""Elements of a SESAME model file (XMI), which remember what was asked of them, so that nothing is dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from stressfield._files.xml_text import XmlElement
from stressfield.errors import InputError

_ID = "{http://www.omg.org/XMI}id"
_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_VERSION = "{http://www.omg.org/XMI}version"


class Item:
    """An element. ``take`` and ``children`` accept the older names of an attribute or element as alternatives."""

    def __init__(self, element: XmlElement, path: str) -> None:
        self._element = element
        self._path = path
        self._taken = {_ID, _TYPE, _VERSION}
        self.items = [Item(child, f"{path}/{local(child.tag)}") for child in element.children]
        self._used = False

    @property
    def kind(self) -> str:
        """Its type without package: ``RandomValueFromSetOperation``."""
        return self._element.attributes.get(_TYPE, "").rpartition(":")[2]

    @property
    def id(self) -> str | None:
        """Its identifier."""
        return self._element.attributes.get(_ID)

    @property
    def tag(self) -> str:
        """Its name without namespace."""
        return local(self._element.tag)

    def take(self, *names: str) -> str | None:
        """An attribute, or None if it is not there."""
        for name in names:
            if name in self._element.attributes:
                self._taken.add(name)
                return self._element.attributes[name]
        return None

    def number(self, name: str) -> float | None:
        """A numeric attribute, or None if it is not there."""
        text = self.take(name)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{self._path}, {name}: got {text[:40]!r}, wanted a finite number.")
        return value

    def children(self, *names: str) -> list[Item]:
        """The elements inside of that name."""
        found = [one for one in self.items if one.tag in names]
        for one in found:
            one._used = True
        return found

    def child(self, *names: str) -> Item | None:
        """The first element inside of that name."""
        return next(iter(self.children(*names)), None)

    def leftovers(self) -> Iterator[tuple[str, str]]:
        """Everything below that nobody asked for: where, and an example of what."""
        for name, value in self._element.attributes.items():
            if name not in self._taken:
                yield f"{self._path}@{local(name)}", value
        if self._element.text:
            yield f"{self._path} (text)", self._element.text
        for one in self.items:
            if one._used:
                yield from one.leftovers()
            else:
                yield one._path, " ".join(one._element.attributes.values()) or one.kind


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]
