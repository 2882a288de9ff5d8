"""How things are drawn, by their kind. Any study's kinds are accepted: unknown ones get a colour of their own."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world import Shape


@dataclass(frozen=True, slots=True)
class Look:
    """A glyph (``disc``, ``cross``, ``dot``, ``box``) and its colour on light and on dark ground."""

    glyph: str
    light: str
    dark: str


_GREEN = ("#2e8b3d", "#63c174")
_RED = ("#d01c1c", "#ff6b6b")
_KNOWN = {
    ("plant", "crop", "leek", "cabbage", "tree", "bush", "lettuce", "vegetable"): ("disc", *_GREEN),
    ("stake", "marker", "pole", "beacon"): ("cross", *_RED),
    ("weed", "grass"): ("dot", "#7fa05a", "#8fae6c"),
    ("wall", "fence", "shelf", "table", "furniture"): ("box", "#5f6b78", "#93a1af"),
    ("person", "human", "walker", "pedestrian", "patient"): ("disc", "#b5489a", "#e58fd0"),
    ("rock", "stone", "boulder", "obstacle"): ("disc", "#77695a", "#b3a392"),
}
_OTHERS = (("#8a5a00", "#e0a83c"), ("#0072b2", "#5fb4e8"), ("#7b4fb5", "#b794e6"), ("#00797a", "#4cc3c4"))

LIMIT_WORDS = ("limit", "boundary", "perimeter", "field_limits", "arena")


def look_of(kind: str, *, solid: bool, shape: Shape, place: int) -> Look:
    """The look of bodies of a kind; ``place`` is the kind's place in its world, which picks a colour if unknown."""
    name = kind.lower()
    for words, (glyph, light, dark) in _KNOWN.items():
        if any(word in name for word in words):
            return Look("box" if shape is Shape.BOX and glyph == "disc" else glyph, light, dark)
    light, dark = _OTHERS[place % len(_OTHERS)]
    if not solid:
        return Look("dot", light, dark)
    return Look("box" if shape is Shape.BOX else "disc", light, dark)


def is_limit(region_kind: str, region_name: str) -> bool:
    """Whether a region bounds where the robot may go: such regions are drawn as a dotted line."""
    return any(word in f"{region_kind} {region_name}".lower() for word in LIMIT_WORDS)
