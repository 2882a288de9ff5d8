"""Diagram: a model as a class diagram, in Mermaid or as one standalone SVG file, laid out as a tree."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from stressfield.model.element import Element
from stressfield.model.parameter import Parameter, Sequence
from stressfield.model.paths import child_elements, family, type_text


def to_mermaid(model: type[Element]) -> str:
    """A ``classDiagram`` with attributes, compositions and constraints as notes."""
    lines = ["classDiagram", "    direction TB"]
    elements = family(model)
    for element in elements:
        lines += _class(element)
    for element in elements:
        for parameter, child in child_elements(element):
            lines.append(f"    {element.__name__} *-- {_many(parameter)}{child.__name__} : {parameter.name}")
    for element in elements:
        sentences = [_quotable(c.sentence) for c in element.__blueprint__.constraints]
        if sentences:
            lines.append(f'    note for {element.__name__} "{"<br>".join(sentences)}"')
    return "\n".join(lines) + "\n"


def _class(element: type[Element]) -> list[str]:
    held = [parameter for parameter, _ in child_elements(element)]
    own = [p for p in element.__blueprint__.parameters if p not in held]
    if not own:
        return [f"    class {element.__name__}"]
    attributes = [f"        {p.name}: {_attribute(p)}" for p in own]
    return [f"    class {element.__name__} {{", *attributes, "    }"]


def _attribute(parameter: Parameter) -> str:
    off = "" if parameter.vary else f" = {parameter.write(parameter.fit(parameter.default))}"
    text = f"{type_text(parameter)}{off}"
    # Mermaid takes parentheses for a method and braces for the end of the class.
    return text.translate(str.maketrans("(){}", "[][]"))


def _many(parameter: Parameter) -> str:
    if not isinstance(parameter, Sequence):
        return ""
    size = parameter.size_text.replace(" to ", "..")
    return f'"{_quotable(size)}" '


def _quotable(text: str) -> str:
    return text.replace('"', "'")


_FONT = 12.0
_CHAR = _FONT * 0.605  # width of a monospace character
_ROW = 20.0
_PAD = 14.0
_HEAD = 34.0
_GAP_X = 36.0
_GAP_Y = 76.0
_MARGIN = 28.0
_NOTE_COLUMNS = 46

_STYLE = """
    text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2933; }
    .title { font: 600 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #ffffff; }
    .type { fill: #52667a; }
    .off { fill: #9aa5b1; }
    .note { font: italic 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #7a4d00; }
    .label { fill: #52667a; }
    .paper { fill: #ffffff; }
    .outline { fill: none; stroke: #33526e; stroke-width: 1.3; }
    .rule { stroke: #c9b77f; stroke-width: 1; }
    .head { fill: #33526e; }
    .notes { fill: #fff7e0; }
    .edge { fill: none; stroke: #33526e; stroke-width: 1.4; }
    .diamond { fill: #33526e; }
"""


@dataclass(frozen=True, slots=True)
class _Box:
    """What stands in one class box, and how large it is."""

    title: str
    rows: tuple[tuple[str, str, bool], ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, element: type[Element]) -> _Box:
        held = [parameter for parameter, _ in child_elements(element)]
        own = [p for p in element.__blueprint__.parameters if p not in held]
        rows = tuple((p.name, type_text(p) + _default(p), p.vary) for p in own)
        sentences = [c.sentence for c in element.__blueprint__.constraints]
        notes = tuple(line for text in sentences for line in _wrapped(text))
        return cls(element.__name__, rows, notes)

    @property
    def name_width(self) -> float:
        return max((len(name) for name, _, _ in self.rows), default=0) * _CHAR

    @property
    def width(self) -> float:
        types = max((len(text) for _, text, _ in self.rows), default=0) * _CHAR
        notes = max((len(line) for line in self.notes), default=0) * 6.4
        return max(130.0, len(self.title) * 9.6, self.name_width + 16 + types, notes) + 2 * _PAD

    @property
    def body(self) -> float:
        return len(self.rows) * _ROW + 12 if self.rows else 0.0

    @property
    def height(self) -> float:
        return _HEAD + self.body + (len(self.notes) * 18.0 + 12 if self.notes else 0.0)


@dataclass(frozen=True, slots=True)
class _Node:
    """One use of an element in the tree; a second use is drawn as its name only."""

    box: _Box
    label: str
    children: tuple[_Node, ...]

    @property
    def below(self) -> float:
        return sum(child.span + _GAP_X for child in self.children) - _GAP_X if self.children else 0.0

    @property
    def span(self) -> float:
        """Width of the whole subtree."""
        return max(self.box.width, self.below)


@dataclass(frozen=True, slots=True)
class _Place:
    x: float
    y: float
    node: _Node
    below: tuple[_Place, ...]

    @property
    def box(self) -> _Box:
        return self.node.box

    @property
    def middle(self) -> float:
        return self.x + self.box.width / 2

    def all(self) -> Iterator[_Place]:
        yield self
        for place in self.below:
            yield from place.all()


def to_svg(model: type[Element]) -> str:
    """The class diagram: a box per element with its parameters and constraints, compositions below."""
    root = _node(model, "", set())
    places = list(_placed(root, _MARGIN, _tops(root)).all())
    width = max(p.x + p.box.width for p in places) + _MARGIN
    height = max(p.y + p.box.height for p in places) + _MARGIN
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"  <title>Model {escape(model.__name__)}</title>",
        f"  <style>{_STYLE}  </style>",
        '  <rect width="100%" height="100%" fill="#ffffff"/>',
        *(f"  {line}" for place in places for line in _edges(place)),
        *(f"  {line}" for place in places for line in _drawn(place)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _node(element: type[Element], label: str, seen: set[type[Element]]) -> _Node:
    if element in seen:
        return _Node(_Box(element.__name__, (), ()), label, ())
    seen.add(element)
    labels: dict[type[Element], list[str]] = {}
    for parameter, child in child_elements(element):
        labels.setdefault(child, []).append(_label(parameter))
    children = tuple(_node(child, ", ".join(names), seen) for child, names in labels.items())
    return _Node(_Box.of(element), label, children)


def _tops(root: _Node) -> list[float]:
    """The upper edge of each level: below the tallest box of the level above."""
    tops, level = [_MARGIN], [root]
    while level:
        tops.append(tops[-1] + max(node.box.height for node in level) + _GAP_Y)
        level = [child for node in level for child in node.children]
    return tops


def _placed(node: _Node, left: float, tops: list[float]) -> _Place:
    """The node centred above its children, its subtree beginning at ``left``."""
    middle = left + node.span / 2
    start = middle - node.below / 2
    below: list[_Place] = []
    for child in node.children:
        below.append(_placed(child, start, tops[1:]))
        start += child.span + _GAP_X
    return _Place(middle - node.box.width / 2, tops[0], node, tuple(below))


def _edges(parent: _Place) -> Iterator[str]:
    """A filled diamond at the parent, bent lines, and the parameter's name beside each child."""
    bottom = parent.y + parent.box.height
    x = parent.middle
    for child in parent.below:
        bend = child.y - 34
        end = x if abs(x - child.middle) < 12 else child.middle  # no jog for a hair's breadth
        yield f'<path class="edge" d="M {x:.1f} {bottom:.1f} V {bend:.1f} H {end:.1f} V {child.y:.1f}"/>'
        label = escape(child.node.label)
        yield f'<text class="label" x="{end + 8:.1f}" y="{child.y - 11:.1f}">{label}</text>'
    if parent.below:
        yield f'<path class="diamond" d="M {x:.1f} {bottom:.1f} l 6 9 l -6 9 l -6 -9 z"/>'


def _drawn(place: _Place) -> Iterator[str]:
    x, y, box = place.x, place.y, place.box
    frame = _HEAD + box.body
    yield _rect("paper", x, y, box.width, box.height)
    if box.notes:
        yield _rect("notes", x, y + frame, box.width, box.height - frame)
        yield _rect("notes", x, y + frame, box.width, 6, round_by=0)
    yield _rect("head", x, y, box.width, _HEAD)
    if box.rows or box.notes:
        yield _rect("head", x, y + _HEAD - 6, box.width, 6, round_by=0)
    if box.rows and box.notes:
        yield f'<path class="rule" d="M {x:.1f} {y + frame:.1f} h {box.width:.1f}"/>'
    yield _rect("outline", x, y, box.width, box.height)
    title = escape(box.title)
    yield f'<text class="title" text-anchor="middle" x="{place.middle:.1f}" y="{y + 22:.1f}">{title}</text>'
    column = x + _PAD + box.name_width + 16
    for i, (name, text, vary) in enumerate(box.rows):
        line = y + _HEAD + 20 + i * _ROW
        yield f'<text{"" if vary else _OFF} x="{x + _PAD:.1f}" y="{line:.1f}">{escape(name)}</text>'
        yield f'<text class="{"type" if vary else "off"}" x="{column:.1f}" y="{line:.1f}">{escape(text)}</text>'
    for i, text in enumerate(box.notes):
        line = y + frame + 20 + i * 18
        yield f'<text class="note" xml:space="preserve" x="{x + _PAD:.1f}" y="{line:.1f}">{escape(text)}</text>'


_OFF = ' class="off"'


def _rect(kind: str, x: float, y: float, width: float, height: float, *, round_by: int = 5) -> str:
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" {size} rx="{round_by}"/>'


def _label(parameter: Parameter) -> str:
    if not isinstance(parameter, Sequence):
        return parameter.name
    return f"{parameter.name} [{parameter.size_text.replace(' to ', '..')}]"


def _default(parameter: Parameter) -> str:
    return "" if parameter.vary else f" = {parameter.write(parameter.fit(parameter.default))}"


def _wrapped(sentence: str) -> list[str]:
    lines = textwrap.wrap(sentence, _NOTE_COLUMNS) or [""]
    return [f"• {lines[0]}", *(f"   {line}" for line in lines[1:])]
