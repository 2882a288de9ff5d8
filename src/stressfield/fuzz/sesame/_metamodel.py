"""SESAME's metamodel as data: every class with its features, and why a feature is not part of a testing space here.

A feature without a ``why`` is imported. What a file holds beside these is noted as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["text", "whole", "number", "flag", "word", "reference", "part"]


@dataclass(frozen=True, slots=True)
class Feature:
    """An attribute, a reference or a contained element. ``of`` is the class of the latter two, or the enumeration."""

    name: str
    kind: Kind
    of: str = ""
    default: str | None = None
    older: tuple[str, ...] = ()
    """Its names in other versions of the metamodel."""
    why: str = ""
    """Why it is not imported; a sentence for the notes."""


@dataclass(frozen=True, slots=True)
class MetaClass:
    """A class of the metamodel. ``group`` is the part of the metamodel that it belongs to."""

    name: str
    group: str
    parent: str | None
    own: tuple[Feature, ...]
    abstract: bool = False
    older: tuple[str, ...] = ()

    @property
    def features(self) -> Mapping[str, Feature]:
        """By name, inherited ones first; of a name twice, the one of the class itself."""
        return _FEATURES[self.name]

    def feature(self, name: str) -> Feature | None:
        """The feature of that name, or of that older name."""
        return _SPELT[self.name].get(name)

    def is_a(self, name: str) -> bool:
        """Whether it is that class or one that extends it."""
        return any(one.name == name for one in lineage(self.name))


def lineage(name: str) -> Iterator[MetaClass]:
    """A class and what it extends."""
    at: str | None = name
    while at is not None:
        found = CLASSES[at]
        yield found
        at = found.parent


def _text(name: str, *, default: str | None = None, older: tuple[str, ...] = (), why: str = "") -> Feature:
    return Feature(name, "text", default=default, older=older, why=why)


def _whole(name: str, default: int = 0, *, why: str = "") -> Feature:
    return Feature(name, "whole", default=str(default), why=why)


def _number(name: str, default: float = 0.0, *, why: str = "") -> Feature:
    return Feature(name, "number", default=str(default), why=why)


def _flag(name: str, default: bool = False, *, why: str = "") -> Feature:
    return Feature(name, "flag", default=str(default).lower(), why=why)


def _word(name: str, of: str, *, older: tuple[str, ...] = (), why: str = "") -> Feature:
    # a file leaves out the first literal: it is the default
    return Feature(name, "word", of, default=ENUMERATIONS[of][0], older=older, why=why)


def _ref(name: str, of: str, *, older: tuple[str, ...] = (), why: str = "") -> Feature:
    return Feature(name, "reference", of, older=older, why=why)


def _part(name: str, of: str, *, older: tuple[str, ...] = (), why: str = "") -> Feature:
    return Feature(name, "part", of, older=older, why=why)


ENUMERATIONS: Mapping[str, tuple[str, ...]] = {
    "ResultSetStatus": ("FINAL", "INTERMEDIATE"),
    "DimensionID": (
        "T1_TIME_MIDPOINT_MEAN",
        "T2_TIME_LENGTH_MEAN",
        "T3_TIME_MIDPOINT_VAR",
        "P1_PARAMETER_MEAN",
        "P2_PARAMETER_VARIANCE",
        "O1_FUZZRANGE_COUNT",
        "O2_DELAY_COUNT",
        "O3_DELETION_COUNT",
        "O0_TOTAL_COUNT",
    ),
    "OfflineOperationTime": ("PRE", "POST"),
    "MetricOptimisationDirection": ("HIGHEST", "LOWEST"),
    # the last six are of versions before the published one
    "BinaryComparisonOperation": (
        "LESS_THAN",
        "GREATER_THAN",
        "EQUALS",
        "EQUAL",
        "NOT_EQUAL",
        "LESS_THAN_OR_EQUAL",
        "LESS_THAN_OR_EQUAL_TO",
        "GREATER_THAN_OR_EQUAL",
        "GREATER_THAN_OR_EQUAL_TO",
    ),
    "BinaryLogicalOperation": ("AND", "OR"),
    "ParsingMethod": ("JSON", "CSV", "CUSTOM", "STRING"),
}

_CELLS = "Cells here are those of each operation's ranges and windows, not of means over a test's operations."
_BOOST = "NSGA-II here is not steered towards cells that were not visited."
_OFFLINE = "Nothing is done to files before or after a run here."
_STARTED = "The study says what is started for a run, and it is stopped with the run."
_SIMULATOR = "The simulator is chosen with --sim; one that runs already is joined as an ExternalSimulator."
_SENDERS = "Operations act on a topic, whoever sends and receives."

_space = "space"
_classes = [
    MetaClass(
        "TestingSpace",
        _space,
        None,
        (
            _text("name"),
            _part("metrics", "Metric"),
            _part("possibleFuzzingOperations", "FuzzingOperation", older=("possibleAttacks",)),
            _part("campaigns", "TestCampaign"),
            _part("mrs", "MRS"),
        ),
    ),
    MetaClass(
        "TestCampaign",
        _space,
        None,
        (
            _text("name"),
            _ref("metrics", "Metric"),
            _ref("conditionMetrics", "Metric"),
            _part("activationGeneration", "ActivationGenerationMethod"),
            _ref("includedOperations", "FuzzingOperation", older=("includedAttacks",)),
            _part("approach", "TestGenerationApproach"),
            _part("performedTests", "Test"),
            _part("resultSets", "CampaignResultSet"),
            _part("endTrigger", "ExecutionEndTrigger"),
            # before there were result sets
            _ref("finalResults", "Test"),
        ),
    ),
    MetaClass(
        "Test",
        _space,
        None,
        (
            _text("name"),
            _part("operations", "FuzzingOperation", older=("attacks",)),
            _part("metrics", "MetricInstance"),
            _ref("developedFrom", "Test"),
            _ref("parentCampaign", "TestCampaign", why="A test belongs to the search that it stands in."),
            _part("debugFlags", "TestDebuggingFlags"),
        ),
    ),
    MetaClass("TestDebuggingFlags", _space, None, (), abstract=True),
    MetaClass("PassiveMonitorOnly", _space, "TestDebuggingFlags", ()),
    MetaClass(
        "CampaignResultSet", _space, None, (_text("name"), _word("status", "ResultSetStatus"), _ref("results", "Test"))
    ),
    MetaClass("ExecutionEndTrigger", _space, None, (), abstract=True),
    MetaClass("TimeBasedEnd", _space, "ExecutionEndTrigger", (_whole("timeLimitSeconds"),)),
    MetaClass("ActivationGenerationMethod", "activation generation", None, (), abstract=True),
    MetaClass("TimeBasedActivationGenerationMethod", "activation generation", "ActivationGenerationMethod", ()),
    MetaClass(
        "ConditionBasedActivationGenerationMethod",
        "activation generation",
        "ActivationGenerationMethod",
        (_whole("conditionDepth", why="Conditions that a search generates have at most two comparisons."),),
    ),
    MetaClass("TestGenerationApproach", "approach", None, (), abstract=True),
    MetaClass("RandomTestGeneration", "approach", "TestGenerationApproach", ()),
    MetaClass("EvolutionaryAlgorithm", "approach", "TestGenerationApproach", (), abstract=True),
    MetaClass(
        "NSGAEvolutionaryAlgorithm",
        "approach",
        "EvolutionaryAlgorithm",
        (_whole("populationSize", 10), _whole("iterations", 200)),
    ),
    MetaClass(
        "NSGAWithCoverageCells",
        "approach",
        "NSGAEvolutionaryAlgorithm",
        (
            _whole("coveragePerCell", why="A cell counts as visited after one test."),
            _number("targetCoverageProportion"),
            _part("dimensionRecords", "DimensionInterval"),
            _part("coverageBoostingStrategy", "CoverageBoostingStrategy", why=_BOOST),
        ),
    ),
    MetaClass("CoverageBoostingStrategy", "approach", None, (), abstract=True),
    MetaClass(
        "FixedNSGACoverageBoostingStrategy",
        "approach",
        "CoverageBoostingStrategy",
        (
            _whole("useBoostingOnceEveryGenerations", 2, why=_BOOST),
            _whole("useBoostingOnceEveryIterations", 2, why=_BOOST),
        ),
    ),
    MetaClass(
        "LinearNSGACoverageBoostingStrategy",
        "approach",
        "CoverageBoostingStrategy",
        (
            _whole("useBoostingOnceEveryGenerations", 2, why=_BOOST),
            _whole("startingBoostingCount", why=_BOOST),
            _whole("endingBoostingCount", why=_BOOST),
            _whole("countDropEveryGeneration", why=_BOOST),
        ),
    ),
    MetaClass(
        "DimensionInterval",
        "approach",
        None,
        (
            _word("dimID", "DimensionID", why=_CELLS),
            _number("minValue", why=_CELLS),
            _number("maxValue", why=_CELLS),
            _whole("count"),
            _whole("extraData", -1, why=_CELLS),
        ),
    ),
    MetaClass(
        "RepeatedExecution", "approach", "TestGenerationApproach", (_ref("testToRepeat", "Test"), _whole("repeatCount"))
    ),
    MetaClass(
        "FuzzingOperation",
        "operations",
        None,
        (
            _text("name"),
            _whole("priority", why="Operations on one topic act in the order in which they are listed."),
            _part("activation", "Activation", older=("attackActivation",)),
            _ref("variableToAffect", "Variable", older=("topicToAttack",)),
            _flag("messagesFromAllComponenents", True, why=_SENDERS),
            _ref("fromNodes", "Node", why=_SENDERS),
            _flag("messagesToAllComponenents", True, why=_SENDERS),
            _ref("toNodes", "Node", why=_SENDERS),
            _ref("nodeToFuzz", "Node"),
            _flag("allPublishingVars"),
            _ref("publishingVars", "Variable"),
            _flag("allSubscribingVars"),
            _ref("subscribingVars", "Variable"),
            _ref("fromTemplate", "FuzzingOperation", older=("basedUpon",)),
            _ref("containingTest", "Test", why="An operation belongs to the test that it stands in."),
            _part(
                "recordedTimings",
                "FixedTimeActivation",
                why="Each run here records on /fuzz/active when an operation acted.",
            ),
            _whole("seed", why="Random numbers here come from the seed of the run and the operation's name."),
            _whole("sequenceNumInTest", why="Operations act in the order in which they are listed."),
            _number(
                "inclusionProbability", 1.0, why="Tests of a search take each operation with the same probability."
            ),
            _flag("includeInTiming", True, why="The fuzzing time here counts every operation."),
            _part("conditionConstraints", "ConditionConstraint"),
        ),
        abstract=True,
    ),
    MetaClass("NetworkFuzzingOperation", "operations", "FuzzingOperation", (), abstract=True),
    MetaClass("BlackholeNetworkOperation", "operations", "NetworkFuzzingOperation", ()),
    MetaClass(
        "LatencyNetworkOperation",
        "operations",
        "NetworkFuzzingOperation",
        (_part("latency", "DoubleRange"), _flag("randomised")),
    ),
    MetaClass(
        "PacketLossNetworkOperation", "operations", "NetworkFuzzingOperation", (_part("frequency", "DoubleRange"),)
    ),
    MetaClass("FuzzTestingOperation", "operations", "FuzzingOperation", (), abstract=True),
    MetaClass("ComponentOperation", "operations", "FuzzTestingOperation", ()),
    MetaClass("RandomValueFuzzingOperation", "operations", "ComponentOperation", (), abstract=True),
    MetaClass(
        "RandomValueFromSetOperation",
        "operations",
        "RandomValueFuzzingOperation",
        (_part("valueSet", "ValueSet"), _flag("isRelative")),
    ),
    MetaClass(
        "ComponentPropertyOperation",
        "operations",
        "FuzzTestingOperation",
        (_ref("propertyToAffect", "ComponentProperty"),),
    ),
    MetaClass(
        "ComponentSubPropertyOperation",
        "operations",
        "FuzzTestingOperation",
        (_ref("propertyToAffect", "ComponentProperty"), _ref("subProperty", "Type")),
    ),
    MetaClass("VariableOperation", "operations", "FuzzTestingOperation", (_ref("subParameters", "Parameter"),)),
    MetaClass(
        "CustomFuzzingOperation",
        "operations",
        "FuzzingOperation",
        (_part("params", "ValueSet"), _text("customProcessClass")),
    ),
    MetaClass(
        "OfflineFuzzingOperation",
        "operations",
        "FuzzingOperation",
        (_word("operationTime", "OfflineOperationTime", why=_OFFLINE),),
    ),
    MetaClass("CustomOfflineFuzzingOperation", "operations", "OfflineFuzzingOperation", ()),
    MetaClass("ValueSet", "value sets", None, (_text("propertyName"),)),
    MetaClass("ValueRange", "value sets", "ValueSet", (), abstract=True),
    MetaClass("IntRange", "value sets", "ValueRange", (_whole("lowerBound"), _whole("upperBound"))),
    MetaClass("DoubleRange", "value sets", "ValueRange", (_number("lowerBound"), _number("upperBound"))),
    MetaClass("PointRange", "value sets", "ValueRange", (_part("minPoint", "Point"), _part("maxPoint", "Point"))),
    MetaClass("Point", "value sets", None, (_number("x"), _number("y"), _number("z"))),
    MetaClass("StringSet", "value sets", "ValueSet", (_text("choices"),)),
    MetaClass("ExternalResourceSet", "value sets", "ValueSet", (_text("location"),)),
    MetaClass("Activation", "activation", None, (), abstract=True),
    MetaClass(
        "FixedTimeActivation",
        "activation",
        "Activation",
        (_number("startTime"), _number("endTime")),
        older=("AttackFixedTime",),
    ),
    MetaClass(
        "ConditionBasedActivation",
        "activation",
        "Activation",
        (_part("starting", "Condition"), _part("ending", "Condition"), _whole("maximumActivations", 1)),
    ),
    MetaClass(
        "ConditionBasedTimeLimited",
        "activation",
        "Activation",
        (_part("starting", "Condition"), _number("length"), _whole("maximumActivations", 1)),
    ),
    MetaClass(
        "Condition",
        "conditions",
        None,
        (_text("name", why="Conditions here have no names."), _part("c", "ConditionElement")),
    ),
    MetaClass("ConditionElement", "conditions", None, (), abstract=True),
    MetaClass(
        "CompositeCondition",
        "conditions",
        "ConditionElement",
        (
            _part("left", "ConditionElement"),
            _word("binop", "BinaryLogicalOperation", older=("op", "operator")),
            _part("right", "ConditionElement"),
        ),
    ),
    MetaClass(
        "BasicCondition",
        "conditions",
        "ConditionElement",
        (
            _part("left", "ConditionVariable"),
            _word("bincomp", "BinaryComparisonOperation"),
            _part("right", "ConditionExpr"),
        ),
    ),
    MetaClass("ConditionExpr", "conditions", None, (), abstract=True),
    MetaClass(
        "ConditionInteger",
        "conditions",
        "ConditionExpr",
        (_number("value"),),
        older=("ConditionDouble", "ConditionReal"),
    ),
    MetaClass("ConditionVariable", "conditions", "ConditionExpr", (_ref("metric", "Metric"),)),
    MetaClass("ConditionConstraint", "conditions", None, (), abstract=True),
    MetaClass("ContainsVariable", "conditions", "ConditionConstraint", (_ref("metric", "Metric"),)),
    MetaClass("ContainsInteger", "conditions", "ConditionConstraint", (_whole("minValue"), _whole("maxValue"))),
    MetaClass(
        "Metric",
        "metrics",
        None,
        (
            _text("name"),
            _word("dir", "MetricOptimisationDirection"),
            _ref("relatedVariables", "Variable", older=("relatedTopics",)),
            _part("valueIfNotReceived", "MetricDefault", older=("default",)),
            _part(
                "initValue",
                "MetricDefault",
                why="A condition on a variable of which nothing was heard yet is not true here, whatever its value.",
            ),
            _flag("useInOptimisation"),
        ),
        abstract=True,
    ),
    MetaClass("MetricDefault", "metrics", None, (_number("defaultVal"),)),
    MetaClass("VariableMetric", "metrics", "Metric", (_ref("chosenVariables", "Variable", older=("chosenVariable",)),)),
    MetaClass("PropertyMetric", "metrics", "Metric", (_ref("property", "ComponentProperty"),)),
    MetaClass(
        "StreamMetric",
        "metrics",
        "Metric",
        (
            _part("streams", "SimStream", why="A metric here is a function of a recorded run, with all its topics."),
            _part("res", "StreamResult", why="Metrics here are stored with their runs."),
        ),
    ),
    MetaClass("SimStream", "metrics", None, (), abstract=True),
    MetaClass("InputStream", "metrics", "SimStream", ()),
    MetaClass("OutputStream", "metrics", "SimStream", ()),
    MetaClass("StreamResult", "metrics", None, (), abstract=True),
    MetaClass(
        "FileStreamResult",
        "metrics",
        "StreamResult",
        (_text("filename", why="Metrics here are stored with their runs."),),
    ),
    MetaClass("SpecialMetric", "metrics", "StreamMetric", (), abstract=True),
    MetaClass("DirectMessageGenerationMetric", "metrics", "StreamMetric", (), abstract=True),
    MetaClass("StartEndTimingMetric", "metrics", "DirectMessageGenerationMetric", ()),
    MetaClass("FuzzingOperationTimesMetric", "metrics", "SpecialMetric", (), older=("AttackTimesMetric",)),
    MetaClass("MetricInstance", "metrics", None, (_ref("metric", "Metric"), _part("result", "Result"))),
    MetaClass("Result", "metrics", None, (_text("name"), _number("value"))),
    MetaClass(
        "MRS",
        "system",
        None,
        (
            _part("variables", "Variable", older=("topics",)),
            _text("launchFileLocation", why=_STARTED),
            _whole("launchDelaySeconds", 40, why="A run here begins when the robots are ready."),
            _text("customTerminateFileLocation", why=_STARTED),
            _text("recordFileLocation", why="Every run here is recorded."),
            _part("nodes", "Node", why="Nodes here are those of the study."),
            _part("simulator", "Simulator", why=_SIMULATOR),
            _part("propertyType", "Type"),
        ),
    ),
    MetaClass(
        "Node",
        "system",
        None,
        (
            _text("name", why="Nodes here are those of the study."),
            _ref("subscriber", "Variable", why="Nodes here are those of the study."),
            _ref("publisher", "Variable", why="Nodes here are those of the study."),
            _ref(
                "properties",
                "ComponentProperty",
                why="Nodes here have no properties; they have parameters of their own.",
            ),
        ),
    ),
    # its successor tells variables that are topics from others
    MetaClass("Variable", "system", None, (_text("name"), _ref("type", "Type")), older=("EventBasedVariable",)),
    MetaClass("ComponentProperty", "system", None, (_text("name"), _ref("type", "Type"))),
    MetaClass(
        "Type",
        "system",
        None,
        (
            _text("name", why="No topic is of this type."),
            _word("parsingMethod", "ParsingMethod", why="Messages here are typed: nothing is parsed."),
            _part("parameters", "Parameter", why="The fields of a message are those of its type."),
        ),
    ),
    MetaClass(
        "Parameter",
        "system",
        None,
        (_text("name"), _part("subparameters", "Parameter"), _ref("type", "Type")),
    ),
    MetaClass("Simulator", "system", None, (), abstract=True),
]
_address = (_text("hostname", why=_SIMULATOR), _text("port", why=_SIMULATOR))
_classes += [
    MetaClass("ROSSimulator", "system", "Simulator", _address),
    MetaClass("MOOSSimulator", "system", "Simulator", _address),
    MetaClass(
        "TTSSimulator",
        "system",
        "Simulator",
        (
            *_address,
            _number("stepSizeMillis", 20.0, why=_SIMULATOR),
            _flag("useStepping", why=_SIMULATOR),
            _flag("useGUI", why=_SIMULATOR),
        ),
    ),
]

CLASSES: Mapping[str, MetaClass] = MappingProxyType({one.name: one for one in _classes})
_FEATURES = {
    one.name: {feature.name: feature for ancestor in reversed([*lineage(one.name)]) for feature in ancestor.own}
    for one in _classes
}
_SPELT = {
    name: {spelling: feature for feature in features.values() for spelling in (feature.name, *feature.older)}
    for name, features in _FEATURES.items()
}
_OLDER = {older: one for one in _classes for older in one.older}


def find_class(name: str) -> MetaClass | None:
    """The class of that name: ``RandomValueFromSetOperation``, or ``RandomValueFromSetAttack`` as older files say."""
    found = CLASSES.get(name) or _OLDER.get(name)
    return found or CLASSES.get(f"{name.removesuffix('Attack')}Operation" if name.endswith("Attack") else "")
