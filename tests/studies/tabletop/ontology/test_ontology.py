"""Ontologies: what is read from them, and what is refused before it can do harm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stressfield.errors import InputError
from stressfield_studies.tabletop.ontology.ontology import load_ontology, ontology_from_xml, own_ontology
from stressfield_studies.tabletop.oracle import PROPERTY_JUDGES

LISTING_1 = """
<owl:NamedIndividual rdf:about="http://actions#Pick">
  <rdf:type rdf:resource="http://actions#Action"/>

  <action:performedIn rdf:resource="http://actions#BaseLink"/>

  <action:successProperty rdf:resource="http://actions#MovedAlongY"/>
  <action:successProperty rdf:resource="http://actions#OnSurface"/>
  <action:successProperty rdf:resource="http://actions#InHand"/>

  <action:hasParameter rdf:resource="http://actions#objectLocation"/>
  <action:hasParameter rdf:resource="http://actions#objectSurface"/>
  <action:hasParameter rdf:resource="http://actions#pickObject"/>
  <action:hasParameter rdf:resource="http://actions#surfaceObjects"/>
</owl:NamedIndividual>

<owl:NamedIndividual rdf:about="http://actions#OnSurface">
  <rdf:type rdf:resource="http://actions#Property"/>
  <action:needsParameter rdf:resource="http://actions#objectSurface"/>
  <action:needsParameter rdf:resource="http://actions#pickObject"/>
</owl:NamedIndividual>
"""
ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="http://actions#">'
END = "</rdf:RDF>"
PUBLIC = Path(__file__).parents[5] / "shared" / "data" / "ontology" / "actions.owl"


def doctype(declarations: str) -> str:
    return f"<!DOCTYPE rdf:RDF [{declarations}]>"


def refused(text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        ontology_from_xml(text, name="It")
    return str(caught.value)


def test_the_published_listing_loads_as_written() -> None:
    pick = ontology_from_xml(LISTING_1).action("Pick")
    assert pick.frame == "BaseLink"
    assert [one.name for one in pick.properties] == ["MovedAlongY", "OnSurface", "InHand"]
    assert [one.needs for one in pick.properties] == [(), ("objectSurface", "pickObject"), ()]
    assert pick.parameters == ("objectLocation", "objectSurface", "pickObject", "surfaceObjects")


def test_every_property_of_the_published_listing_can_be_judged() -> None:
    ontology_from_xml(LISTING_1).check_judged("Pick", PROPERTY_JUDGES)


def test_the_public_ontology_with_internal_entities_loads() -> None:
    if not PUBLIC.exists():
        pytest.skip("the public ontology is not beside this repository")
    ontology = load_ontology(PUBLIC)
    assert list(ontology.actions) == ["Pick", "Place", "MoveBase", "Throw", "Release", "SortRelease"]
    with pytest.raises(InputError, match=r"gives the action 'Throw' no successProperty, so nothing can judge it\."):
        ontology.success_properties("Throw")


def test_internal_entities_are_expanded() -> None:
    text = doctype('<!ENTITY n "http://actions#">') + ROOT + '<a:Action rdf:about="&n;Pick"/>' + END
    assert list(ontology_from_xml(text).actions) == ["Pick"]


def test_our_own_gives_five_three_five_and_four_properties() -> None:
    ontology = own_ontology()
    assert {name: len(action.properties) for name, action in ontology.actions.items()} == {
        "MoveTo": 5, "PerceivePlane": 3, "Pick": 5, "Place": 4,
    }  # fmt: skip
    for action in ontology.actions:
        ontology.check_judged(action, PROPERTY_JUDGES)


def test_unknown_action_property_and_unbound_parameter() -> None:
    ontology = ontology_from_xml(LISTING_1, name="It")
    with pytest.raises(InputError, match=r"Unknown action 'Pikc'\. It has: Pick\. Did you mean 'Pick'\?"):
        ontology.action("Pikc")
    with pytest.raises(InputError, match=r"Unknown property 'OnSurface' of action 'Pick' in It\..*mean 'OnSurfaces'\?"):
        ontology.check_judged("Pick", ["MovedAlongY", "OnSurfaces", "InHand"])
    with pytest.raises(
        InputError, match=r"'pickObject' of action 'Pick' in It is not bound.*Add a table \[pickObject\]"
    ):
        ontology.check_bound("Pick", ["objectLocation", "objectSurface"])


def test_a_property_may_need_only_what_its_action_has() -> None:
    text = LISTING_1.replace('<action:hasParameter rdf:resource="http://actions#pickObject"/>', "")
    assert "the property 'OnSurface' needs the parameter 'pickObject', which the action 'Pick'" in refused(text)


def test_names_must_be_of_one_kind_and_one_place() -> None:
    both = ROOT + '<a:Action rdf:about="http://actions#X"/><a:Property rdf:about="http://actions#X"/>' + END
    assert "'X' is used as Action and as Property" in refused(both)
    twice = ROOT + '<a:Action rdf:about="http://one#X"/><a:Action rdf:about="http://two#X"/>' + END
    assert "both 'http://one#X' and 'http://two#X' are called 'X'" in refused(twice)


def test_billion_laughs() -> None:
    bomb = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    assert "declares the entity 'l4' of 20,000 characters (an entity bomb?)" in refused(
        doctype(bomb) + ROOT + "&l9;" + END
    )


def test_quadratic_blowup() -> None:
    text = doctype(f'<!ENTITY big "{"x" * 9_000}">') + ROOT + "<a:b>" + "&big;" * 1_000 + "</a:b>" + END
    assert "would grow by 9,000,000 characters through its entities (an entity bomb?)" in refused(text)


def test_entities_in_attributes_count() -> None:
    text = doctype(f'<!ENTITY big "{"x" * 9_000}">') + ROOT + f'<a:b a:c="{"&big;" * 1_000}"/>' + END
    assert "an entity bomb?" in refused(text)


def test_entities_that_refer_to_each_other() -> None:
    text = doctype('<!ENTITY a "&b;"><!ENTITY b "&a;">') + ROOT + "&a;" + END
    assert "refers to the entity 'b' before it is declared" in refused(text)


def test_many_entities() -> None:
    text = doctype("".join(f'<!ENTITY e{i} "x">' for i in range(201))) + ROOT + END
    assert "declares more than 200 entities" in refused(text)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (doctype('<!ENTITY x SYSTEM "file:///etc/passwd">'), "declares the external entity 'x'"),
        (doctype('<!ENTITY x PUBLIC "p" "http://host/x">'), "declares the external entity 'x'"),
        (doctype('<!ENTITY % p "x"> %p;'), "declares the parameter entity 'p'"),
        (doctype('<!ENTITY % p SYSTEM "http://host/p"> %p;'), "declares the parameter entity 'p'"),
        ('<!DOCTYPE rdf:RDF SYSTEM "http://host/x.dtd">', "has an external DTD 'http://host/x.dtd'"),
        ('<!DOCTYPE rdf:RDF PUBLIC "p" "x.dtd">', "has an external DTD 'x.dtd'"),
        (doctype('<!ATTLIST a b CDATA "x">'), "declares attributes in its DOCTYPE"),
        (doctype("<!ELEMENT a ANY>"), "declares elements in its DOCTYPE"),
        (doctype('<!NOTATION n SYSTEM "x">'), "declares a notation in its DOCTYPE"),
        ('<?xml version="1.0" encoding="iso-8859-1"?>', "is in the encoding 'iso-8859-1'"),
    ],
)
def test_what_reaches_outside_is_refused(head: str, reason: str) -> None:
    assert reason in refused(head + ROOT + END)


def test_malformed_xml_names_line_and_column() -> None:
    assert refused(ROOT + "\n <a:b>\n </a:c>" + END).startswith(
        "It, line 3, column 4: not well-formed XML: mismatched tag."
    )
    assert refused("<owl:A>\n</owl:B>").startswith("It, line 2, column 3: not well-formed XML: mismatched tag.")
    assert refused("<owl:A></owl:B>").startswith("It, line 1, column 10: not well-formed XML: mismatched tag.")
    assert refused(ROOT + "<q:b/>" + END).startswith(
        f"It, line 1, column {len(ROOT) + 1}: not well-formed XML: unbound prefix."
    )
    assert "undefined entity" in refused(ROOT + "&nope;" + END)


def test_what_is_no_rdf() -> None:
    assert "It is not RDF/XML: Invalid node element URI" in refused(ROOT + "<rdf:li/>" + END)
    assert "Wanted rdf:RDF at its root" in refused("<?xml version='1.0'?><html/>")
    assert "It is empty" in refused(" \n")
    assert "syntax error" in refused("hello")


def test_limits_of_size_depth_and_count() -> None:
    assert "nested more than 64 levels deep" in refused(ROOT + "<a:b>" * 70 + "</a:b>" * 70 + END)
    assert "more than 50,000 elements" in refused(ROOT + "<a:b/>" * 50_001 + END)
    assert "more than 4,000,000 bytes" in refused(b"x" * 4_000_001)


@pytest.mark.parametrize("data", [b"\xff\xfe<\x00a\x00", b"<a>\x00</a>", b"\xff"])
def test_what_is_no_utf8(data: bytes) -> None:
    assert re.search("is not UTF-8|is not text", refused(data))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the ontology .*No such file"):
        load_ontology(tmp_path / "none.owl")
    with pytest.raises(InputError, match=r"Cannot read the ontology .*directory"):
        load_ontology(tmp_path)


def test_literals_that_are_no_numbers_do_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    number = '<a:c rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">' + "9" * 5_000 + "</a:c>"
    text = ROOT + f'<a:Action rdf:about="http://actions#Pick">{number}</a:Action>' + END
    assert list(ontology_from_xml(text).actions) == ["Pick"]
    assert not caplog.records
