"""One guard of XML: limits of size, depth, count and entities, and only the error that was asked for."""

from __future__ import annotations

import pytest

from stressfield._files.xml_text import XmlLimits, parse_xml
from stressfield.errors import InputError, WorldError

SMALL = XmlLimits(bytes_max=200, elements_max=3, attributes_max=2, depth_max=2)
ENTITIES = XmlLimits(entities_max=2, entity_characters_max=10, expansion_max=30)


def test_elements_attributes_and_namespaces() -> None:
    root = parse_xml("<a x='1'>\n te<b/>xt <c xmlns='urn:u'>y</c><b/></a>", name="It")
    assert (root.tag, root.attributes, root.text) == ("a", {"x": "1"}, "text")
    assert [child.tag for child in root.children] == ["b", "{urn:u}c", "b"]
    assert len(root.all("b")) == 2
    assert root.first("{urn:u}c") is root.children[1]
    assert root.first("d") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<a>" + " " * 200 + "</a>", "It has more than 200 bytes"),
        ("<a><b><c/></b></a>", "nested more than 2 levels deep"),
        ("<a><b/><b/><b/></a>", "more than 3 elements or 2 attributes"),
        ("<a x='1' y='2' z='3'/>", "more than 3 elements or 2 attributes"),
        ("<!DOCTYPE a><a/>", "declares a DOCTYPE"),
        ("<a>&x;</a>", "undefined entity"),
        ("<a>", "It, line 1, column 4: not well-formed XML: no element found"),
        ("", "no element found"),
    ],
)
def test_limits(text: str, told: str) -> None:
    with pytest.raises(WorldError) as caught:
        parse_xml(text, name="It", limits=SMALL, error=WorldError)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("declared", "body", "told"),
    [
        ('<!ENTITY a "12345678901">', "", "of 11 characters (an entity bomb?)"),
        ('<!ENTITY a "1234567890">', "&a;" * 4, "would grow by 40 characters"),
        ('<!ENTITY a "1"><!ENTITY b "2"><!ENTITY c "3">', "", "declares more than 2 entities"),
        ('<!ENTITY a SYSTEM "file:///etc/passwd">', "&a;", "declares the external entity 'a'"),
        ('<!ENTITY % a "1">', "", "declares the parameter entity 'a'"),
    ],
)
def test_entities_where_they_are_allowed(declared: str, body: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_xml(f"<!DOCTYPE r [{declared}]><r>{body}</r>", name="It", limits=ENTITIES)
    assert told in str(caught.value)


def test_small_internal_entities_are_expanded() -> None:
    assert parse_xml('<!DOCTYPE r [<!ENTITY a "12">]><r>&a;3</r>', name="It", limits=ENTITIES).text == "123"
