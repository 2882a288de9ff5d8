"""Looks at an OWL file before anything else does: refuses what would read other files or grow without bound.

An ontology may come from anywhere. Internal entities are fine (many editors write them), everything that reaches
outside the file, or makes a small file large, is refused before the first element is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat

from stressfield.errors import InputError

BYTES_MAX = 4_000_000
ELEMENTS_MAX = 50_000
ATTRIBUTES_MAX = 200_000
DEPTH_MAX = 64
ENTITIES_MAX = 200
ENTITY_CHARACTERS_MAX = 10_000
EXPANSION_MAX = 1_000_000
"""Characters that all references to entities may become together."""

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_ROOT = f"{RDF} RDF"
_REFERENCE = re.compile(r"&([^#&;\s][^&;\s]{0,200});")
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii"}
_PREFIXES = {
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "action": "http://actions#",
}


def checked_document(data: bytes, *, name: str) -> str:
    """The text of a harmless RDF/XML document. Individuals without a root, as papers print them, get one.

    Raises InputError, with line and column where there are any.
    """
    if len(data) > BYTES_MAX:
        raise InputError(f"{name} has more than {BYTES_MAX:,} bytes. Wanted an ontology, not a data set.")
    text = _decoded(data, name)
    shift = 0
    if _is_fragment(text):
        start = "<rdf:RDF" + "".join(f' xmlns:{prefix}="{iri}"' for prefix, iri in _PREFIXES.items()) + ">"
        shift = len(start)
        text = f"{start}{text}</rdf:RDF>"
    _Scan(text, name, shift).run()
    return text


def _decoded(data: bytes, name: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 (byte {error.start}). Wanted OWL as RDF/XML in UTF-8.") from None
    if "\0" in text:
        raise InputError(f"{name} is not text: it has a NUL byte. Wanted OWL as RDF/XML in UTF-8.")
    if not text.strip():
        raise InputError(f"{name} is empty. Wanted OWL as RDF/XML.")
    return text


def _is_fragment(text: str) -> bool:
    """Whether the first thing in it is an element that is no ``rdf:RDF``."""
    at = 0
    while True:
        at = _after_space(text, at)
        if not text.startswith("<!--", at):
            break
        end = text.find("-->", at + 4)
        if end < 0:
            return False
        at = end + 3
    found = re.compile(r"<([A-Za-z_][\w.:-]{0,200})").match(text, at)
    return found is not None and found[1].rpartition(":")[2] != "RDF"


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


class _Scan:
    """One pass of the plain XML parser, which counts and builds nothing."""

    def __init__(self, text: str, name: str, shift: int) -> None:
        self._text, self._name, self._shift = text, name, shift
        self._sizes: dict[str, int] = {}
        self._elements = self._attributes = self._depth = 0
        self._parser = parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = lambda *_: self._refuse("declares attributes in its DOCTYPE")
        parser.ElementDeclHandler = lambda *_: self._refuse("declares elements in its DOCTYPE")
        parser.NotationDeclHandler = lambda *_: self._refuse("declares a notation in its DOCTYPE")
        parser.EndDoctypeDeclHandler = self._expansion
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def run(self) -> None:
        """InputError if there is anything wrong with the document."""
        try:
            self._parser.Parse(self._text.encode(), True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(
                f"{self._place(error.lineno, error.offset)}: {reason}. Wanted well-formed RDF/XML."
            ) from None

    def _place(self, line: int, column: int) -> str:
        column = column - self._shift if line == 1 else column
        return f"{self._name}, line {line}, column {max(0, column) + 1}"

    def _refuse(self, what: str, *, wanted: str = "Wanted internal entities alone") -> NoReturn:
        where = self._place(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)
        raise InputError(f"{where}: refused, because it {what}. {wanted}.")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            self._refuse(f"is in the encoding {encoding!r}", wanted="Wanted UTF-8")

    def _doctype(self, _root: str, system: str | None, public: str | None, _internal: int) -> None:
        if system is not None or public is not None:
            self._refuse(f"has an external DTD {system or public!r}")

    def _entity(
        self,
        entity: str,
        is_parameter: int,
        value: str | None,
        _base: str | None,
        system: str | None,
        public: str | None,
        _notation: str | None,
    ) -> None:
        if is_parameter:
            self._refuse(f"declares the parameter entity {entity!r}")
        if value is None or system is not None or public is not None:
            self._refuse(f"declares the external entity {entity!r}")
        if len(self._sizes) >= ENTITIES_MAX:
            self._refuse(f"declares more than {ENTITIES_MAX} entities", wanted="Wanted fewer")
        if entity in self._sizes:
            return  # the first declaration counts
        size = self._size(value)
        if size > ENTITY_CHARACTERS_MAX:
            self._refuse(
                f"declares the entity {entity!r} of {size:,} characters (an entity bomb?)",
                wanted=f"Wanted at most {ENTITY_CHARACTERS_MAX:,}",
            )
        self._sizes[entity] = size

    def _size(self, value: str) -> int:
        """Characters that a text becomes once all references in it are replaced."""
        size = len(value)
        for reference in _REFERENCE.finditer(value):
            name = reference[1]
            if name in _BUILT_IN:
                continue
            if name not in self._sizes:
                self._refuse(f"refers to the entity {name!r} before it is declared")
            size += self._sizes[name] - len(reference[0])
        return size

    def _expansion(self) -> None:
        """The DOCTYPE is read, no element yet: how large would the document become?"""
        total = sum(self._sizes.get(reference[1], 0) for reference in _REFERENCE.finditer(self._text))
        if total > EXPANSION_MAX:
            self._refuse(
                f"would grow by {total:,} characters through its entities (an entity bomb?)",
                wanted=f"Wanted at most {EXPANSION_MAX:,}",
            )

    def _start(self, element: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        self._attributes += len(attributes)
        if self._elements == 1 and element != _ROOT:
            self._refuse(f"begins with <{element.rpartition(' ')[2]}>", wanted="Wanted rdf:RDF at its root")
        if self._depth > DEPTH_MAX:
            self._refuse(f"is nested more than {DEPTH_MAX} elements deep", wanted="Wanted a flatter one")
        if self._elements > ELEMENTS_MAX or self._attributes > ATTRIBUTES_MAX:
            self._refuse(
                f"has more than {ELEMENTS_MAX:,} elements or {ATTRIBUTES_MAX:,} attributes",
                wanted="Wanted an ontology, not a data set",
            )

    def _end(self, _element: str) -> None:
        self._depth -= 1


_BUILT_IN = {"amp", "lt", "gt", "quot", "apos"}
