"""Looks at an OWL file before anything else does: refuses what would read other files or grow without bound.

An ontology may come from anywhere. Internal entities are fine (many editors write them), everything that reaches
outside the file, or makes a small file large, is refused before the first element is read.
"""

from __future__ import annotations

import re

from stressfield import XmlLimits, parse_xml
from stressfield.errors import InputError

BYTES_MAX = 4_000_000
LIMITS = XmlLimits(
    bytes_max=BYTES_MAX,
    elements_max=50_000,
    attributes_max=200_000,
    depth_max=64,
    entities_max=200,
    entity_characters_max=10_000,
    expansion_max=1_000_000,
)
"""An ontology, not a data set."""

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_ROOT = f"{{{RDF}}}RDF"
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
    root = parse_xml(text, name=name, limits=LIMITS, added=shift)
    if root.tag != _ROOT:
        raise InputError(f"{name} begins with <{root.tag.rpartition('}')[2]}>. Wanted rdf:RDF at its root.")
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
