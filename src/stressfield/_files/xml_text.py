"""XML from strangers, read safely into plain elements, by a parser of ``defusedxml`` with limits of our own.

Without more, a document type is refused, and with it every entity. Where internal entities are allowed (many editors of
ontologies write them), everything that reaches outside the file, or makes a small file large, is refused before the
first element is read.
"""

# ruff: noqa: ARG002 (the handlers have the signatures of the parser)
from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast
from xml.parsers import expat

from defusedxml.ElementTree import DefusedXMLParser, ParseError

from stressfield.errors import InputError

_REFERENCE = re.compile(r"&([^#&;\s][^&;\s]{0,200});")
_BUILT_IN = {"amp", "lt", "gt", "quot", "apos"}
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii"}


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlLimits:
    """How large a document may be. Without entities (the default) it may have no document type at all."""

    bytes_max: int = 64 * 1024 * 1024
    elements_max: int = 1_000_000
    attributes_max: int = 4_000_000
    depth_max: int = 64
    entities_max: int = 0
    entity_characters_max: int = 10_000
    expansion_max: int = 1_000_000
    """Characters that all references to entities may become together."""


@dataclass(slots=True)
class XmlElement:
    """An XML element. Names of other namespaces look like ``{urn:stressfield}kind``."""

    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)
    children: list[XmlElement] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, trimmed."""
        return "".join(self.parts).strip()

    def first(self, tag: str) -> XmlElement | None:
        """The first child of that name."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> list[XmlElement]:
        """All children of that name, in order."""
        return [child for child in self.children if child.tag == tag]


def parse_xml(
    data: bytes | str,
    *,
    name: str,
    limits: XmlLimits | None = None,
    error: type[InputError] = InputError,
    added: int = 0,
) -> XmlElement:
    """The root element. Whatever is wrong, only ``error`` comes out, and says where; ``name`` is its word for the file.

    A text (not bytes) is UTF-8 whatever it declares, so it may declare nothing else. ``added`` is how many characters
    the caller put in front of it, in its first line: places in messages are those of the original.
    """
    limits = limits or XmlLimits()
    size = len(data)
    if size > limits.bytes_max:
        raise error(f"{name} has more than {limits.bytes_max:,} bytes.")
    reader = _Reader(data, name, limits, error, added)
    try:
        reader.feed(data)
        root: Any = reader.close()
    except ParseError as problem:
        line, column = problem.position
        reason = expat.ErrorString(problem.code)
        raise error(f"{reader.place(line, column)}: not well-formed XML: {reason}.") from None
    except (ValueError, LookupError) as problem:
        raise error(f"{name} is in an encoding that cannot be read ({problem}). Save it as UTF-8.") from None
    return cast("XmlElement", root)


class _Tree:
    """Receives the elements from the parser, and counts them."""

    def __init__(self, reader: _Reader, limits: XmlLimits) -> None:
        self._reader, self._limits = reader, limits
        self._elements = self._attributes = 0
        self._open: list[XmlElement] = []
        self._root: XmlElement | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        limits = self._limits
        self._elements += 1
        self._attributes += len(attributes)
        if len(self._open) >= limits.depth_max:
            self._reader.refuse(f"is nested more than {limits.depth_max} levels deep", wanted="Wanted a flatter one")
        if self._elements > limits.elements_max or self._attributes > limits.attributes_max:
            self._reader.refuse(
                f"has more than {limits.elements_max:,} elements or {limits.attributes_max:,} attributes",
                wanted="Wanted a smaller one",
            )
        element = XmlElement(tag, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def end(self, _tag: str) -> None:
        self._open.pop()

    def data(self, text: str) -> None:
        self._open[-1].parts.append(text)

    def close(self) -> XmlElement:
        assert self._root is not None
        return self._root


class _Reader(DefusedXMLParser):
    """The parser, with handlers that refuse in our words and count what internal entities become."""

    def __init__(self, data: bytes | str, name: str, limits: XmlLimits, error: type[InputError], added: int) -> None:
        super().__init__(
            target=_Tree(self, limits),
            encoding="utf-8" if isinstance(data, str) else None,
            forbid_dtd=True,
            forbid_entities=True,
            forbid_external=True,
        )
        self._data, self._name, self._limits, self._refusal, self._added = data, name, limits, error, added
        self._sizes: dict[str, int] = {}
        handlers: Any = self.parser
        handlers.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        handlers.XmlDeclHandler = self._declaration
        handlers.AttlistDeclHandler = lambda *_: self.refuse("declares attributes in its DOCTYPE")
        handlers.ElementDeclHandler = lambda *_: self.refuse("declares elements in its DOCTYPE")
        handlers.NotationDeclHandler = lambda *_: self.refuse("declares a notation in its DOCTYPE")
        handlers.EndDoctypeDeclHandler = self._check_expansion

    def place(self, line: int, column: int) -> str:
        """Where in the file, for people."""
        column = column - self._added if line == 1 else column
        return f"{self._name}, line {line}, column {max(0, column) + 1}"

    def refuse(self, what: str, *, wanted: str = "Wanted internal entities alone") -> NoReturn:
        """An error that says what the document does and what is wanted."""
        place = self.place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
        raise self._refusal(f"{place}: refused, because it {what}. {wanted}.")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if isinstance(self._data, str) and encoding is not None and encoding.lower() not in _ENCODINGS:
            self.refuse(f"is in the encoding {encoding!r}", wanted="Wanted UTF-8")

    def defused_start_doctype_decl(
        self, name: str, sysid: str | None, pubid: str | None, has_internal_subset: int
    ) -> None:
        if self._limits.entities_max == 0:
            self.refuse("declares a DOCTYPE, which can smuggle entities", wanted="Remove the declaration")
        if sysid is not None or pubid is not None:
            self.refuse(f"has an external DTD {sysid or pubid!r}")

    def defused_entity_decl(
        self,
        name: str,
        is_parameter_entity: int,
        value: str | None,
        base: str | None,
        sysid: str | None,
        pubid: str | None,
        notation_name: str | None,
    ) -> None:
        if is_parameter_entity:
            self.refuse(f"declares the parameter entity {name!r}")
        if value is None or sysid is not None or pubid is not None:
            self.refuse(f"declares the external entity {name!r}")
        if len(self._sizes) >= self._limits.entities_max:
            self.refuse(f"declares more than {self._limits.entities_max} entities", wanted="Wanted fewer")
        if name in self._sizes:
            return  # the first declaration counts
        size = self._size(value)
        if size > self._limits.entity_characters_max:
            self.refuse(
                f"declares the entity {name!r} of {size:,} characters (an entity bomb?)",
                wanted=f"Wanted at most {self._limits.entity_characters_max:,}",
            )
        self._sizes[name] = size

    def defused_unparsed_entity_decl(
        self, name: str, base: str | None, sysid: str | None, pubid: str | None, notation_name: str | None
    ) -> None:
        self.refuse(f"declares the external entity {name!r}")

    def defused_external_entity_ref_handler(
        self, context: str, base: str | None, sysid: str | None, pubid: str | None
    ) -> None:
        self.refuse(f"refers to {sysid or pubid!r} outside of it")

    def _size(self, value: str) -> int:
        """Characters that a text becomes once all references in it are replaced."""
        size = len(value)
        for reference in _REFERENCE.finditer(value):
            name = reference[1]
            if name in _BUILT_IN:
                continue
            if name not in self._sizes:
                self.refuse(f"refers to the entity {name!r} before it is declared")
            size += self._sizes[name] - len(reference[0])
        return size

    def _check_expansion(self) -> None:
        """The DOCTYPE is read, no element yet: how large would the document become?"""
        text = self._data if isinstance(self._data, str) else self._data.decode(errors="replace")
        total = sum(self._sizes.get(reference[1], 0) for reference in _REFERENCE.finditer(text))
        if total > self._limits.expansion_max:
            self.refuse(
                f"would grow by {total:,} characters through its entities (an entity bomb?)",
                wanted=f"Wanted at most {self._limits.expansion_max:,}",
            )
