"""Testing spaces from SESAME's own model files (XMI), with a list of all that they hold and we cannot express.

The whole metamodel is known, in both vocabularies: ``possibleFuzzingOperations`` and the older ``possibleAttacks``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from stressfield._files.disk import read_file
from stressfield._files.xml_text import XmlLimits, parse_xml
from stressfield.errors import InputError
from stressfield.fuzz.operations import AnyOperation, Loss
from stressfield.fuzz.sesame._document import Document, Item, local, shown
from stressfield.fuzz.sesame._metrics import MetricReader
from stressfield.fuzz.sesame._operations import Frequency, OperationReader
from stressfield.fuzz.sesame._searches import SearchReader, check_acyclic
from stressfield.fuzz.sesame._system import Notes, System, UnexpressedError, different
from stressfield.fuzz.space import TestingSpace

LARGEST_FILE = 32 * 1024 * 1024
LIMITS = XmlLimits(bytes_max=LARGEST_FILE, elements_max=500_000, attributes_max=2_000_000)
"""The largest file of the authors, a thousand tests with conditions, has 60,000 elements."""
_LONGEST_OPERATION = 90
_LONGEST_LABEL = 200

_FREQUENCY = {
    Frequency.LOST: (
        "Packet loss: 'frequency' is read as the share that is lost, as the text of D6.2 has it; its generated code "
        "passes that share. For tests that were run by that code, take the other reading: --frequency passed."
    ),
    Frequency.PASSED: (
        "Packet loss: 'frequency' is read as the share that comes through, as the generated code of D6.2 does; its "
        "text says that this share is lost (--frequency lost)."
    ),
}


@dataclass(frozen=True, slots=True)
class Imported:
    """A testing space, and everything of the file that is not in it or was understood in a particular way."""

    space: TestingSpace
    notes: tuple[str, ...]


def read_sesame(path: Path, *, frequency: Frequency = Frequency.LOST) -> Imported:
    """The testing space, searches and performed tests of a ``.model`` file. Raises only InputError.

    ``frequency`` says what the number of a packet loss means: the share that is lost, or the share that comes through.
    """
    label = f"Model file {str(path)!r}"
    data = read_file(path, what="the model file", bytes_max=LARGEST_FILE)
    return sesame_from_xml(data, name=label, frequency=frequency)


def sesame_from_xml(data: bytes, *, name: str = "The model file", frequency: Frequency = Frequency.LOST) -> Imported:
    """The testing space of a model file's bytes."""
    element = parse_xml(data, name=name, limits=LIMITS)
    try:
        document = Document.of(element)
        spaces = [root for root in document.roots if root.is_a("TestingSpace")]
        if len(spaces) != 1:
            held = ", ".join(dict.fromkeys(local(child.tag) for child in (element, *element.children[:3])))
            got = f"{len(spaces)} testing spaces" if spaces else f"a {local(element.tag)!r}"
            more = "" if spaces else f" (with {held})" if "," in held else ""
            raise InputError(f"holds {got}{more}, wanted a TestingSpace.")
        return _Import(document, spaces[0], frequency).done()
    except InputError as error:
        joint = " " if str(error).startswith("holds") else ": "
        raise InputError(f"{name}{joint}{error}") from None


class _Import:
    def __init__(self, document: Document, root: Item, frequency: Frequency) -> None:
        self.notes = Notes()
        self.document, self.root, self.frequency = document, root, frequency
        self.system = System(self.notes)
        self.metrics = MetricReader(self.system)

    def done(self) -> Imported:
        root = self.root
        self.system.read(root.part("mrs"))
        self.metrics.read(root.parts("metrics"))
        operations, campaigns = root.parts("possibleFuzzingOperations"), root.parts("campaigns")
        terms, used = self.metrics.grammar(operations, campaigns)
        variables = tuple(
            self.metrics.variable(metric) for metric in self.metrics.metrics.values() if metric.name in used
        )
        system = self.system
        complete = all(topic in system.types for topic in system.topics.values())
        space = TestingSpace(
            name=(root.text("name") or "imported")[:_LONGEST_LABEL],
            topics=dict(system.types) if complete else {},
            variables=variables,
            grammar=terms,
            metrics=tuple(self.metrics.metrics.values()),
        ).check()
        reader = OperationReader(system, self.frequency, self.metrics.names)
        templates, lost = self._templates(space, reader, operations)
        space = msgspec.structs.replace(space, operations=tuple(templates.values())).check()
        searches = SearchReader(reader, self.metrics, templates, lost, self.notes)
        space = searches.read(space, campaigns)
        return Imported(space.check(), (*self.notes.lines, *_missing(searches.missing), *self._leftovers()))

    def _templates(
        self, space: TestingSpace, reader: OperationReader, items: Sequence[Item]
    ) -> tuple[dict[Item, AnyOperation], dict[Item, UnexpressedError]]:
        """The operations of the space, each checked, and why others are not in it."""
        names = {item: item.text("name") or item.place for item in items}
        origins = {item: item.targets("fromTemplate", of="FuzzingOperation")[0] for item in items}
        for item, found in origins.items():
            if found:
                origin = names.get(found[0], found[0].place)
                self.notes.say_alike(f"Operation {names[item]!r} is made from {origin!r}: here each stands by itself.")
        # editors let an operation be its own template: that means nothing, and real files have it
        others = {item: [origin for origin in found if origin is not item] for item, found in origins.items()}
        check_acyclic(others, "Operation", "made from", names)
        made: dict[Item, AnyOperation] = {}
        lost: dict[Item, UnexpressedError] = {}
        taken: set[str] = set()
        for item in items:
            given = item.text("name") or f"operation {item.index + 1}"
            label = different(given, taken, longest=_LONGEST_OPERATION)
            if label != given:
                self.notes.say(f"Operation {shown(given)} is called {label!r} here: names must differ, and be short.")
            try:
                operation = reader.read(item, name=label, concrete=False)
                space.check_operation(operation)
            except UnexpressedError as reason:
                self.notes.say(f"Operation {label!r} {reason}: left out.")
                lost[item] = type(reason)(str(reason))
                item.told()
            except InputError as error:
                self.notes.say(f"{error} The operation is left out.")
                lost[item] = UnexpressedError("is made from an operation that is left out")
                item.told()
            else:
                made[item] = operation
                taken.add(label)
                self._constraints(item, label)
        if any(isinstance(operation, Loss) for operation in made.values()):
            self.notes.say(_FREQUENCY[self.frequency])
        return made, lost

    def _constraints(self, item: Item, label: str) -> None:
        """What generated conditions must contain: said, because a search here generates them of the whole grammar."""
        for constraint in item.parts("conditionConstraints"):
            if constraint.is_a("ContainsInteger"):
                told = f"a number from {constraint.whole('minValue')} to {constraint.whole('maxValue')}"
            elif constraint.is_a("ContainsVariable"):
                found, lost = constraint.targets("metric", of="Metric")
                names = [self.metrics.metrics[metric].name for metric in found if metric in self.metrics.metrics]
                told = f"the metric {names[0] if names else lost[0] if lost else 'none'}"
            else:
                told = f"what a {constraint.kind!r} says"
                constraint.told()
            self.notes.say(
                f"Operation {label!r}: generated conditions must contain {told} there; here any term of the grammar."
            )

    def _leftovers(self) -> list[str]:
        groups: dict[tuple[str, str], list[str]] = {}
        for item in self.document.roots:
            for path, value, why in item.leftovers():
                groups.setdefault((path, why), []).append(value)
        return [
            f"Not expressed: {path.removeprefix('TestingSpace/')} ({len(values)}x, for instance {shown(values[0])})."
            + (f" {why}" if why else "")
            for (path, why), values in groups.items()
        ]


def _missing(tests: Mapping[str, Sequence[str]]) -> list[str]:
    return [
        f"Metric {metric}: {len(names)} tests have no value, or the number for 'nothing received' (for instance "
        f"{names[0]}); it is missing in their results."
        for metric, names in tests.items()
    ]
