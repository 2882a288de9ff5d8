"""A small file for every class and attribute of SESAME's metamodel, of which nothing is dropped silently.

A file says in comments what must become of it: ``yaml:`` is part of the imported space, ``note:`` of a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

import pytest
from defusedxml.ElementTree import fromstring

from stressfield._files.xml_text import parse_xml
from stressfield.errors import InputError
from stressfield.fuzz import space_from_yaml, space_to_yaml
from stressfield.fuzz.sesame import sesame_from_xml
from stressfield.fuzz.sesame._document import Document, Item
from stressfield.fuzz.sesame._metamodel import CLASSES, ENUMERATIONS, MetaClass

HERE = Path(__file__).parent
FILES = {path.stem: path for path in sorted(HERE.glob("*/*.model"))}
SPEC = HERE.parents[2] / ".." / "shared" / "spec" / "sesame-metamodel.md"
EXPECTED = re.compile(r"<!-- (yaml|no yaml|note): (.*?) -->")
OLD_LITERALS = 6
"""Of comparisons, which only files of earlier versions have."""


def needs_file(cls: MetaClass) -> bool:
    """Abstract classes cannot be in a file; those with features have one nevertheless, with a class that extends it."""
    return not cls.abstract or bool(cls.own)


@pytest.mark.parametrize("cls", [cls for cls in CLASSES.values() if needs_file(cls)], ids=lambda cls: cls.name)
def test_every_class_has_a_file_with_all_its_attributes(cls: MetaClass) -> None:
    assert cls.name in FILES, f"There is no {cls.name}.model in a folder of {HERE.name}."
    assert FILES[cls.name].parent.name == cls.group.replace(" ", "_")
    found = [item for item in items(FILES[cls.name]) if item.is_a(cls.name)]
    assert found
    for feature in cls.own:
        assert any(item.given(feature.name) for item in found), f"No {cls.name} in its file says {feature.name}."


def test_every_file_is_of_a_class() -> None:
    assert {name for name, cls in CLASSES.items() if needs_file(cls)} == set(FILES)


def test_every_literal_is_in_a_file() -> None:
    text = "\n".join(path.read_text() for path in FILES.values())
    for name, literals in ENUMERATIONS.items():
        known = literals[:-OLD_LITERALS] if name == "BinaryComparisonOperation" else literals
        # the first one is the default, which is left out
        assert [literal for literal in known[1:] if f'"{literal}"' not in text] == []


@pytest.mark.parametrize("name", FILES)
def test_what_becomes_of_it(name: str) -> None:
    text = FILES[name].read_text()
    imported = sesame_from_xml(text.encode())
    yaml, notes = space_to_yaml(imported.space), "\n".join(imported.notes)
    assert space_from_yaml(yaml) == imported.space
    expected = EXPECTED.findall(text)
    assert expected
    for where, told in expected:
        if where == "no yaml":
            assert told not in yaml
        else:
            assert told in (yaml if where == "yaml" else notes), f"{yaml}\n{notes}"


MEANS_THE_SAME = {
    # what a campaign does that says nothing about activations
    "activationGeneration T:TimeBasedActivationGenerationMethod",
}


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_dropped_silently(name: str) -> None:
    """Whatever is taken away from a file changes the space or the notes, or the file cannot be read any more."""
    text = FILES[name].read_text()
    whole = outcome(text)
    silent = [what for what, damaged in without_one_thing(text) if outcome(damaged) == whole]
    assert [what for what in silent if what not in MEANS_THE_SAME] == []


def without_one_thing(text: str) -> Iterator[tuple[str, str]]:
    """The text without an attribute or an element, for each that there is, but not inside of what is left out."""
    root = fromstring(text)
    gone = [note for note in sesame_from_xml(text.encode()).notes if "left out." in note or "Imported without" in note]
    for owner in not_below(root, lambda element: any(f"'{element.get('name')}'" in note for note in gone)):
        for key in list(owner.attrib):
            # the version of XMI and identifiers say nothing by themselves
            if not key.startswith("{http://www.omg.org/XMI}"):
                value = owner.attrib.pop(key)
                yield f"{owner.tag}@{key}={value}", written(root)
                owner.attrib[key] = value
        for at, child in enumerate(list(owner)):
            owner.remove(child)
            yield f"{child.tag} {child.get('{http://www.w3.org/2001/XMLSchema-instance}type')}", written(root)
            owner.insert(at, child)


def not_below(root: Element, hidden: Callable[[Element], bool]) -> Iterator[Element]:
    yield root
    for child in root:
        if not hidden(child):
            yield from not_below(child, hidden)


def written(root: Element) -> str:
    return tostring(root, encoding="unicode")


def outcome(text: str) -> object:
    try:
        imported = sesame_from_xml(text.encode())
    except InputError as error:
        return str(error)
    return imported.space, imported.notes


def items(path: Path) -> Iterator[Item]:
    for root in Document.of(parse_xml(path.read_bytes(), name=path.name)).roots:
        yield from root.below()


@pytest.mark.skipif(not SPEC.exists(), reason=f"the description of the metamodel is not at {SPEC}")
def test_the_table_has_all_that_the_description_has() -> None:
    rows = [line.split("|")[2:4] for line in SPEC.read_text().splitlines() if line.startswith("|")][2:]
    # what is in parentheses is a remark; beside features there are names of classes, too, with two capitals at least
    named = [re.findall(r"\b[A-Z]\w+(?:\.\.\.)?", re.sub(r"\([^)]*\)", "", row[0])) for row in rows]
    classes = {word for words in named for word in words}
    classes |= {word for row in rows for word in re.findall(r"\b[A-Z][a-z]+[A-Z]\w+", row[1])}
    assert len(classes) > 50
    known = {*CLASSES, *ENUMERATIONS}
    lacking = {
        word
        for word in classes
        if word not in known and not (word.endswith("...") and any(name.startswith(word[:-3]) for name in known))
    }
    assert lacking == set()
    features = {name for cls in CLASSES.values() for name in cls.features}
    told = {word for row in rows for word in re.findall(r"\b([a-z]+[A-Z]\w*|[a-z]\w*(?=[*<=]|->))", row[1])}
    assert told - features == set()


def test_the_page_tells_what_becomes_of_every_class() -> None:
    page = (HERE.parents[2] / "docs" / "how-to" / "disturb.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    told = {word for row in rows for word in re.findall(r"\w+", row.split("|")[1])}
    assert [name for name in FILES if name not in told] == []
