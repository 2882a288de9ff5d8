"""Testing spaces from SESAME's own model files (XMI), with a list of all that they hold and we cannot express.

Both vocabularies are read: ``possibleFuzzingOperations`` and the older ``possibleAttacks``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from stressfield._files.disk import read_file
from stressfield._files.xml_text import parse_xml
from stressfield.errors import InputError
from stressfield.fuzz.condition.vocabulary import IDENTIFIER, Term, Variable
from stressfield.fuzz.operations import Loss
from stressfield.fuzz.search import Metric
from stressfield.fuzz.sesame._elements import Frequency, Item, ModelNames, local
from stressfield.fuzz.sesame._searches import constants_of, read_operation, read_search
from stressfield.fuzz.space import TestingSpace

LARGEST_FILE = 32 * 1024 * 1024
LIVE_METRIC = "/metric/"
"""Where a metric that conditions speak of is expected, as a Float64, if the model gives it no topic."""

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
    element = parse_xml(data, name=name)
    if local(element.tag) != "TestingSpace":
        raise InputError(f"{name} holds a {local(element.tag)!r}, wanted a TestingSpace.")
    try:
        return _read(Item(element, "TestingSpace"), frequency)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _read(root: Item, frequency: Frequency) -> Imported:
    names = ModelNames(frequency=frequency)
    names.read_topics(root.child("mrs"))
    metrics = [metric for element in root.children("metrics") if (metric := _metric(element, names)) is not None]
    operations = {}
    for at, element in enumerate(root.children("possibleFuzzingOperations", "possibleAttacks")):
        label = element.take("name") or f"operation {at + 1}"
        try:
            operations[element.id or label] = read_operation(element, names, name=label)
        except InputError as error:
            names.notes.append(f"Operation {label!r} {error}: left out.")
    if any(isinstance(operation, Loss) for operation in operations.values()):
        names.notes.append(_FREQUENCY[frequency])
    campaigns = root.children("campaigns")
    grammar = _grammar(campaigns, names)
    used = {name for _, ids in grammar for name in ids}
    variables = tuple(_variable(metric, names) for metric in metrics if metric.name in used)
    space = TestingSpace(
        name=root.take("name") or "imported",
        topics=names.types if len(names.types) == len(set(names.topics.values())) else {},
        variables=variables,
        grammar=tuple(term for term, _ in grammar if term is not None),
        operations=tuple(operations.values()),
        metrics=tuple(metrics),
    ).check()
    for at, campaign in enumerate(campaigns):
        space = read_search(space, campaign, names, operations, place=at)
    missing = [
        f"Metric {metric}: {len(tests)} tests have no value, or the number for 'nothing received' (for instance "
        f"{tests[0]}); it is missing in their results."
        for metric, tests in names.missing.items()
    ]
    return Imported(space.check(), (*names.notes, *missing, *_leftover_notes(root)))


def _metric(item: Item, names: ModelNames) -> Metric | None:
    name = item.take("name") or ""
    if not re.fullmatch(IDENTIFIER, name) or item.id is None:
        names.notes.append(f"Metric {name!r}: wanted an identifier and a name of letters and digits; left out.")
        return None
    names.metrics[item.id] = name
    direction = (item.take("dir") or "HIGHEST").lower()
    if direction not in ("highest", "lowest"):
        names.notes.append(f"Metric {name}: direction {direction!r} is unknown; imported as highest.")
        direction = "highest"
    related = (item.take("relatedVariables", "relatedTopics") or "").split()
    topics = tuple(names.topics[identifier] for identifier in related if identifier in names.topics)
    if len(topics) < len(related):
        names.notes.append(f"Metric {name}: refers to {len(related) - len(topics)} topics that are not in the model.")
    sentinel = item.child("valueIfNotReceived", "default")
    value = None if sentinel is None else sentinel.number("defaultVal")
    if value is not None:
        names.nothing[name] = value
        names.notes.append(f"Metric {name}: {value} stands for 'nothing received' there; here it is missing.")
    static = item.kind in ("FuzzingOperationTimesMetric", "AttackTimesMetric")
    if item.kind not in ("StreamMetric", "FuzzingOperationTimesMetric", "AttackTimesMetric"):
        names.notes.append(f"Metric {name}: type {item.kind!r} is unknown; imported as a stream metric.")
    return Metric(
        name=name,
        kind="static" if static else "stream",
        direction="lowest" if direction == "lowest" else "highest",
        topics=topics,
    )


def _grammar(campaigns: list[Item], names: ModelNames) -> list[tuple[Term | None, set[str]]]:
    """Terms of the metrics that conditions may use, with the ranges of the numbers they were compared with."""
    found: list[tuple[Term | None, set[str]]] = []
    for campaign in campaigns:
        constants, used = constants_of(campaign, names)
        listed = [
            names.metrics[identifier]
            for identifier in (campaign.take("conditionMetrics") or "").split()
            if identifier in names.metrics
        ]
        for name in dict.fromkeys((*listed, *sorted(used))):
            if any(name in ids for _, ids in found):
                continue
            if not constants:
                names.notes.append(f"Condition metric {name}: no range is given; not part of the grammar.")
                found.append((None, {name}))
                continue
            low, high = min(constants), max(constants)
            names.notes.append(
                f"Condition metric {name}: no range is given; taken from the numbers in its campaign's tests, "
                f"{low:g} to {high:g}."
            )
            found.append((Term(term=name, low=low, high=high), {name}))
    return found


def _variable(metric: Metric, names: ModelNames) -> Variable:
    if metric.topics:
        names.notes.append(
            f"Variable {metric.name}: how it is computed is not in the model; counted messages of its topics."
        )
        return Variable(name=metric.name, topics=metric.topics, take="count")
    topic = LIVE_METRIC + metric.name
    names.notes.append(
        f"Variable {metric.name}: the model gives no topic for it; read from {topic}, where the robots must tell it."
    )
    names.topics[topic], names.types[topic] = topic, "std_msgs/Float64"
    return Variable(name=metric.name, topics=(topic,), path="data")


def _leftover_notes(root: Item) -> list[str]:
    groups: dict[str, list[str]] = {}
    for path, value in root.leftovers():
        groups.setdefault(path, []).append(value)
    return [
        f"Not expressed: {path.removeprefix('TestingSpace/')} ({len(values)}x, for instance {values[0][:80]!r})."
        for path, values in groups.items()
    ]
