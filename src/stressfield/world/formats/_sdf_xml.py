"""XML from strangers, read safely: no document types, no entities, bounded size, depth and count."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from stressfield.errors import WorldError

DEPTH_MAX = 64
ELEMENTS_MAX = 1_000_000


@dataclass(slots=True)
class Element:
    """One XML element. Names of other namespaces look like ``urn:stressfield}kind``."""

    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, trimmed."""
        return "".join(self.parts).strip()

    def first(self, tag: str) -> Element | None:
        """The first child of that name."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> list[Element]:
        """All children of that name, in order."""
        return [child for child in self.children if child.tag == tag]


class _Builder:
    """Receives the parser's events and keeps the limits."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.root: Element | None = None
        self.open: list[Element] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > ELEMENTS_MAX or len(self.open) >= DEPTH_MAX:
            raise WorldError(f"{self.name} is too large: more than {ELEMENTS_MAX} elements or {DEPTH_MAX} levels deep.")
        element = Element(tag, attributes)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _tag: str) -> None:
        self.open.pop()

    def text(self, data: str) -> None:
        self.open[-1].parts.append(data)

    def doctype(self, *_: object) -> None:
        raise WorldError(f"{self.name} declares a DOCTYPE, which can smuggle entities. Remove the declaration.")


def parse_xml(data: bytes, *, name: str) -> Element:
    """The root element; ``name`` is what errors call the file."""
    builder = _Builder(name)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.StartDoctypeDeclHandler = builder.doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise WorldError(
            f"{name} is not well-formed XML: {reason} at line {error.lineno}, column {error.offset}."
        ) from None
    except (ValueError, LookupError) as error:
        raise WorldError(f"{name} is in an encoding that cannot be read ({error}). Save it as UTF-8.") from None
    if builder.root is None:
        raise WorldError(f"{name} holds no XML element.")
    return builder.root
