"""SDF files against the description of the format that libsdformat ships for every version, element by element.

libsdformat itself accepts elements that it does not know, and no libsdformat of Gazebo 11 can be had everywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, parse

FOLDER = Path("/usr/share/sdformat12")
NUMBERS = {"double": 1, "float": 1, "int": 1, "unsigned int": 1, "vector2d": 2, "vector2i": 2, "vector3": 3, "pose": 6}
COLOUR = "color"
FREE = ("plugin",)
"""What may hold anything."""


@cache
def described(version: str, file: str) -> Element:
    """The description in one file."""
    return parse(FOLDER / version / file).getroot()


def complaints(text: str, version: str) -> list[str]:
    """Elements, attributes and values that the version does not know, and required ones that are missing."""
    root = fromstring(text)
    if root.get("version") != version:
        return [f"version {root.get('version')}, wanted {version}"]
    return list(_of(root, described(version, "root.sdf"), version, root.tag))


def _of(element: Element, description: Element, version: str, where: str) -> list[str]:
    if element.tag in FREE:
        return []
    found = [f"{where}: value {element.text!r}" for _ in range(not _fits(element, description))]
    attributes = {child.get("name"): child for child in description.findall("attribute")}
    found += [f"{where}: attribute {name}" for name in element.attrib if name not in attributes and "}" not in name]
    found += [
        f"{where}: no attribute {name}"
        for name, child in attributes.items()
        if child.get("required") == "1" and name not in element.attrib and child.get("default", "").startswith("__")
    ]
    children = {child.get("name"): child for child in description.findall("element")}
    for include in description.findall("include"):
        file = str(include.get("filename"))
        if (FOLDER / version / file).exists():  # a file or two are missing from Debian's package
            inner = described(version, file)
            children[inner.get("name")] = inner
    if any(child.get("copy_data") for child in description.findall("element")):
        return found
    for child in element:
        if not isinstance(child.tag, str) or "}" in child.tag:
            continue
        place = f"{where}/{child.tag}"
        if child.tag in children:
            found += _of(child, children[child.tag], version, place)
        else:
            found.append(f"{place}: not in SDF {version}")
    return found


def _fits(element: Element, description: Element) -> bool:
    kind, words = description.get("type", ""), (element.text or "").split()
    try:
        if kind in NUMBERS:
            return len([float(word) for word in words]) == NUMBERS[kind]
        if kind == COLOUR:
            return len([float(word) for word in words]) in (3, 4)
    except ValueError:
        return False
    return kind != "bool" or (len(words) == 1 and words[0] in ("true", "false", "0", "1"))
