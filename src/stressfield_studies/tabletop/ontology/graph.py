"""From RDF/XML to actions, by way of rdflib."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeAlias
from xml.sax import SAXException, SAXParseException

from stressfield.errors import InputError, NotInstalledError
from stressfield_studies.tabletop.ontology.guard import RDF, checked_document
from stressfield_studies.tabletop.ontology.ontology import Action, ActionProperty

Said: TypeAlias = tuple[str, str, str]
"""Subject, predicate, object."""

ACTION, PROPERTY, PARAMETER, FRAME = "Action", "Property", "PropertyParameter", "CoordinateFrame"
RELATIONS = {
    "performedIn": (ACTION, FRAME),
    "successProperty": (ACTION, PROPERTY),
    "hasParameter": (ACTION, PARAMETER),
    "needsParameter": (PROPERTY, PARAMETER),
}
BASE = "http://actions"
TYPE = f"{RDF}type"


def read_actions(data: bytes, *, name: str) -> dict[str, Action]:
    """The actions of a document by name, in its order."""
    facts = _Facts(_said(checked_document(data, name=name), name), name)
    actions = [name for name, kind in facts.kinds.items() if kind == ACTION]
    return {action: facts.action(action) for action in actions}


def _said(text: str, name: str) -> list[Said]:
    """All triples, in the order of the document: a graph has none of its own, but readers of a report expect one."""
    try:
        from rdflib import Graph  # noqa: PLC0415 (an optional extra)
        from rdflib.exceptions import ParserError  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalledError(
            "Ontologies need rdflib, which is not installed. Next: pip install 'stressfield[tabletop]'."
        ) from error
    said: dict[Said, None] = {}

    class Listening(Graph):
        def add(self, triple: Any) -> Self:
            said[(str(triple[0]), str(triple[1]), str(triple[2]))] = None
            super().add(triple)
            return self

    try:
        with _quiet():
            Listening().parse(data=text, format="xml", publicID=BASE)
    except SAXParseException as error:
        place = f"{name}, line {error.getLineNumber()}, column {(error.getColumnNumber() or 0) + 1}"
        raise InputError(f"{place}: {error.getMessage()}. Wanted RDF/XML.") from None
    except (ParserError, SAXException, ValueError, AssertionError) as error:
        raise InputError(f"{name} is not RDF/XML: {_reason(error)}.") from None
    return list(said)


@contextmanager
def _quiet() -> Iterator[None]:
    """rdflib logs literals that it cannot turn into numbers; ontologies of actions do not depend on any."""
    logger = logging.getLogger("rdflib.term")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _reason(error: Exception) -> str:
    """rdflib says ``SYSTEM ID:LINE:COLUMN: reason``."""
    text = str(error) or type(error).__name__
    _, _, reason = text.partition(": ")
    return (reason or text).rstrip(".")


def local_name(iri: str) -> str:
    """The last part of an IRI: after ``#``, ``/`` or, in ``action:Pick``, the colon."""
    for mark in ("#", "/", ":"):
        if mark in iri:
            return iri.rpartition(mark)[2]
    return iri


class _Facts:
    """What is said about actions, properties and parameters. Kinds follow from types and from the relations."""

    def __init__(self, said: list[Said], name: str) -> None:
        self._name = name
        self._iris: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.related: dict[tuple[str, str], list[str]] = {}
        for subject, predicate, thing in said:
            relation = local_name(predicate)
            if predicate == TYPE and local_name(thing) in {ACTION, PROPERTY, PARAMETER, FRAME}:
                self._kind(subject, local_name(thing))
            elif relation in RELATIONS:
                domain, range_ = RELATIONS[relation]
                owner, other = self._kind(subject, domain), self._kind(thing, range_)
                self.related.setdefault((owner, relation), []).append(other)

    def action(self, name: str) -> Action:
        """One action with all that belongs to it."""
        frames = self.related.get((name, "performedIn"), [])
        if len(frames) > 1:
            raise InputError(
                f"{self._name}: the action {name!r} is performed in {' and '.join(frames)}. Wanted one frame."
            )
        parameters = tuple(self.related.get((name, "hasParameter"), ()))
        properties = []
        for prop in self.related.get((name, "successProperty"), []):
            needs = tuple(self.related.get((prop, "needsParameter"), ()))
            missing = [need for need in needs if need not in parameters]
            if missing:
                raise InputError(
                    f"{self._name}: the property {prop!r} needs the parameter {missing[0]!r}, which the action "
                    f"{name!r} does not have. It has: {', '.join(parameters) or 'none'}."
                )
            properties.append(ActionProperty(prop, needs))
        return Action(name, frames[0] if frames else None, tuple(properties), parameters)

    def _kind(self, iri: str, kind: str) -> str:
        name = local_name(iri)
        if not name:
            raise InputError(f"{self._name}: {iri!r} has no name after its last '#' or '/'.")
        if self._iris.setdefault(name, iri) != iri:
            raise InputError(f"{self._name}: both {self._iris[name]!r} and {iri!r} are called {name!r}. Rename one.")
        before = self.kinds.setdefault(name, kind)
        if before != kind:
            raise InputError(f"{self._name}: {name!r} is used as {before} and as {kind}. Wanted one of them.")
        return name
