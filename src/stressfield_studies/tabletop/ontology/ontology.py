"""The action ontology: which actions there are, and which properties judge each of them. Read from OWL, not from code.

==================  ==========  ==================  ======================================
object property     from        to                  meaning
==================  ==========  ==================  ======================================
performedIn         Action      CoordinateFrame     the frame in which the action is done
successProperty     Action      Property            what must hold after the action
hasParameter        Action      PropertyParameter   what a test of the action must choose
needsParameter      Property    PropertyParameter   what the property must know
==================  ==========  ==================  ======================================

Names are the last part of an IRI: ``http://actions#Pick`` and ``http://action#Pick`` are both ``Pick``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from stressfield import read_file
from stressfield.errors import InputError, did_you_mean
from stressfield_studies.tabletop.ontology.guard import BYTES_MAX

OWN = "actions.owl"


@dataclass(frozen=True, slots=True)
class ActionProperty:
    """A property of actions and the parameters it needs to be judged."""

    name: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action: in which frame it is done, what must hold afterwards, what a test chooses for it."""

    name: str
    frame: str | None
    properties: tuple[ActionProperty, ...]
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ontology:
    """All actions by name, in the order of the file. ``source`` says where they come from."""

    source: str
    actions: Mapping[str, Action]

    def action(self, name: str) -> Action:
        """The action of that name."""
        if name in self.actions:
            return self.actions[name]
        raise InputError(
            f"Unknown action {name!r}. {self.source} has: {', '.join(self.actions) or 'none'}."
            + did_you_mean(name, self.actions)
        )

    def success_properties(self, action: str) -> tuple[ActionProperty, ...]:
        """The properties that judge an action. An action that nothing judges cannot be tested."""
        found = self.action(action).properties
        if not found:
            raise InputError(f"{self.source} gives the action {action!r} no successProperty, so nothing can judge it.")
        return found

    def check_judged(self, action: str, judges: Collection[str]) -> None:
        """InputError unless each property of the action can be judged."""
        for prop in self.success_properties(action):
            if prop.name not in judges:
                raise InputError(
                    f"Unknown property {prop.name!r} of action {action!r} in {self.source}. There are judges for: "
                    f"{', '.join(sorted(judges)) or 'none'}.{did_you_mean(prop.name, judges)}"
                )

    def check_bound(self, action: str, bound: Collection[str]) -> None:
        """InputError unless each parameter of the action gets a value."""
        for parameter in self.action(action).parameters:
            if parameter not in bound:
                raise InputError(
                    f"The parameter {parameter!r} of action {action!r} in {self.source} is not bound. Bound are: "
                    f"{', '.join(sorted(bound)) or 'none'}. Add a table [{parameter}] to the configuration."
                    + did_you_mean(parameter, bound)
                )


def load_ontology(path: Path | str) -> Ontology:
    """The ontology of an OWL file (RDF/XML). All trouble with it is an InputError."""
    path = Path(path)
    data = read_file(path, what="the ontology", bytes_max=BYTES_MAX)
    return ontology_from_xml(data, name=f"The ontology {str(path)!r}")


def ontology_from_xml(data: bytes | str, *, name: str = "The ontology") -> Ontology:
    """The ontology of a text. Hostile input is refused before it is read."""
    from stressfield_studies.tabletop.ontology.graph import read_actions  # noqa: PLC0415 (rdflib is an extra)

    return Ontology(name, read_actions(data.encode() if isinstance(data, str) else data, name=name))


@cache
def own_ontology() -> Ontology:
    """Our ontology of the four actions."""
    data = (files("stressfield_studies.tabletop") / OWN).read_bytes()
    return ontology_from_xml(data, name="The ontology of the tabletop study")
