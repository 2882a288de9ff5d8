"""SESAME's metamodel as data: every class with its features, and why a feature is not part of a testing space here.

A feature without a reason is imported. What a file holds beside these is noted as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

Kind: TypeAlias = Literal["text", "whole", "number", "flag", "word", "reference", "part"]


@dataclass(frozen=True, slots=True)
class Feature:
    """An attribute, a reference or a contained element. ``of`` is the class of the latter two, or the enumeration."""

    name: str
    kind: Kind
    of: str
    default: str | None
    older: tuple[str, ...]
    """Its names in other versions of the metamodel."""
    why: str
    """Why it is not imported, a sentence for the notes; empty if it is."""


@dataclass(frozen=True, slots=True)
class MetaClass:
    """A class of the metamodel. ``group`` is the part of the metamodel that it belongs to."""

    name: str
    group: str
    parent: str | None
    own: tuple[Feature, ...]
    abstract: bool
    older: tuple[str, ...]

    @property
    def features(self) -> Mapping[str, Feature]:
        """By name, inherited ones first."""
        return _FEATURES[self.name]

    def feature(self, name: str) -> Feature | None:
        """The feature of that name, in any version of the metamodel."""
        return _SPELT[self.name].get(name)

    def is_a(self, name: str) -> bool:
        """Whether it is that class or one that extends it."""
        return any(known.name == name for known in lineage(self.name))


def lineage(name: str) -> Iterator[MetaClass]:
    """A class and what it extends."""
    at: str | None = name
    while at is not None:
        found = CLASSES[at]
        yield found
        at = found.parent


def find_class(name: str) -> MetaClass | None:
    """The class of that name: ``RandomValueFromSetOperation``, or ``RandomValueFromSetAttack`` as older files say."""
    found = CLASSES.get(name) or _OLDER.get(name)
    return found or CLASSES.get(f"{name.removesuffix('Attack')}Operation" if name.endswith("Attack") else "")


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
"""The literals of enumerations. A file leaves out the first: it is the default."""

_REASONS: Mapping[str, str] = {
    "@cells": "Cells here are those of each operation's ranges and windows, not of means over a test's operations.",
    "@boost": "NSGA-II here is not steered towards cells that were not visited.",
    "@offline": "Nothing is done to files before or after a run here.",
    "@started": "The study says what is started for a run, and it is stopped with the run.",
    "@simulator": "The simulator is chosen with --sim; one that runs already is joined as an ExternalSimulator.",
    "@senders": "Operations act on a topic, whoever sends and receives.",
    "@nodes": "Nodes here are those of the study.",
    "@stored": "Metrics here are stored with their runs.",
    "@unheard": "A condition on a variable of which nothing was heard yet is not true here, whatever its value.",
    "@properties": "Components here have no properties.",
    "@fields": "The fields of a message are those of its type.",
}

# A line is a class or, if indented, a feature: its type, <> a contained element, -> a reference. '= x' is its default,
# 'also' its names in other versions, and '--' why it is not imported ('@x': one of the reasons above).
_TABLE = """
[space]
TestingSpace
  name text
  metrics <> Metric
  possibleFuzzingOperations <> FuzzingOperation also possibleAttacks
  campaigns <> TestCampaign
  mrs <> MRS
TestCampaign
  name text
  metrics -> Metric
  conditionMetrics -> Metric
  activationGeneration <> ActivationGenerationMethod
  includedOperations -> FuzzingOperation also includedAttacks
  approach <> TestGenerationApproach
  performedTests <> Test
  resultSets <> CampaignResultSet
  endTrigger <> ExecutionEndTrigger
  finalResults -> Test
Test
  name text
  operations <> FuzzingOperation also attacks
  metrics <> MetricInstance
  developedFrom -> Test
  parentCampaign -> TestCampaign -- A test belongs to the search that it stands in.
  debugFlags <> TestDebuggingFlags
abstract TestDebuggingFlags
PassiveMonitorOnly extends TestDebuggingFlags
CampaignResultSet
  name text
  status word ResultSetStatus
  results -> Test
abstract ExecutionEndTrigger
TimeBasedEnd extends ExecutionEndTrigger
  timeLimitSeconds whole
[activation generation]
abstract ActivationGenerationMethod
TimeBasedActivationGenerationMethod extends ActivationGenerationMethod
ConditionBasedActivationGenerationMethod extends ActivationGenerationMethod
  conditionDepth whole -- Conditions that a search generates have at most two comparisons.
[approach]
abstract TestGenerationApproach
RandomTestGeneration extends TestGenerationApproach
abstract EvolutionaryAlgorithm extends TestGenerationApproach
NSGAEvolutionaryAlgorithm extends EvolutionaryAlgorithm
  populationSize whole = 10
  iterations whole = 200
NSGAWithCoverageCells extends NSGAEvolutionaryAlgorithm
  coveragePerCell whole -- A cell counts as visited after one test.
  targetCoverageProportion number
  dimensionRecords <> DimensionInterval
  coverageBoostingStrategy <> CoverageBoostingStrategy -- @boost
abstract CoverageBoostingStrategy
FixedNSGACoverageBoostingStrategy extends CoverageBoostingStrategy
  useBoostingOnceEveryGenerations whole = 2 -- @boost
  useBoostingOnceEveryIterations whole = 2 -- @boost
LinearNSGACoverageBoostingStrategy extends CoverageBoostingStrategy
  useBoostingOnceEveryGenerations whole = 2 -- @boost
  startingBoostingCount whole -- @boost
  endingBoostingCount whole -- @boost
  countDropEveryGeneration whole -- @boost
DimensionInterval
  dimID word DimensionID -- @cells
  minValue number -- @cells
  maxValue number -- @cells
  count whole
  extraData whole = -1 -- @cells
RepeatedExecution extends TestGenerationApproach
  testToRepeat -> Test
  repeatCount whole
[operations]
abstract FuzzingOperation
  name text
  priority whole -- Operations on one topic act in the order in which they are listed.
  activation <> Activation also attackActivation
  variableToAffect -> Variable also topicToAttack
  messagesFromAllComponenents flag = true -- @senders
  fromNodes -> Node -- @senders
  messagesToAllComponenents flag = true -- @senders
  toNodes -> Node -- @senders
  nodeToFuzz -> Node
  allPublishingVars flag
  publishingVars -> Variable
  allSubscribingVars flag
  subscribingVars -> Variable
  fromTemplate -> FuzzingOperation also basedUpon
  containingTest -> Test -- An operation belongs to the test that it stands in.
  recordedTimings <> FixedTimeActivation -- Each run here records on /fuzz/active when an operation acted.
  seed whole -- Random numbers here come from the seed of the run and the operation's name.
  sequenceNumInTest whole -- Operations act in the order in which they are listed.
  inclusionProbability number = 1.0 -- Tests of a search take each operation with the same probability.
  includeInTiming flag = true -- The fuzzing time here counts every operation.
  conditionConstraints <> ConditionConstraint
abstract NetworkFuzzingOperation extends FuzzingOperation
BlackholeNetworkOperation extends NetworkFuzzingOperation
LatencyNetworkOperation extends NetworkFuzzingOperation
  latency <> DoubleRange
  randomised flag
PacketLossNetworkOperation extends NetworkFuzzingOperation
  frequency <> DoubleRange
abstract FuzzTestingOperation extends FuzzingOperation
ComponentOperation extends FuzzTestingOperation
abstract RandomValueFuzzingOperation extends ComponentOperation
RandomValueFromSetOperation extends RandomValueFuzzingOperation
  valueSet <> ValueSet
  isRelative flag
ComponentPropertyOperation extends FuzzTestingOperation
  propertyToAffect -> ComponentProperty
ComponentSubPropertyOperation extends FuzzTestingOperation
  propertyToAffect -> ComponentProperty
  subProperty -> Type
VariableOperation extends FuzzTestingOperation
  subParameters -> Parameter
CustomFuzzingOperation extends FuzzingOperation
  params <> ValueSet
  customProcessClass text
OfflineFuzzingOperation extends FuzzingOperation
  operationTime word OfflineOperationTime -- @offline
CustomOfflineFuzzingOperation extends OfflineFuzzingOperation
[value sets]
ValueSet
  propertyName text
abstract ValueRange extends ValueSet
IntRange extends ValueRange
  lowerBound whole
  upperBound whole
DoubleRange extends ValueRange
  lowerBound number
  upperBound number
PointRange extends ValueRange
  minPoint <> Point
  maxPoint <> Point
Point
  x number
  y number
  z number
StringSet extends ValueSet
  choices text
ExternalResourceSet extends ValueSet
  location text
[activation]
abstract Activation
FixedTimeActivation extends Activation also AttackFixedTime
  startTime number
  endTime number
ConditionBasedActivation extends Activation
  starting <> Condition
  ending <> Condition
  maximumActivations whole = 1
ConditionBasedTimeLimited extends Activation
  starting <> Condition
  length number
  maximumActivations whole = 1
[conditions]
Condition
  name text -- Conditions here have no names.
  c <> ConditionElement
abstract ConditionElement
CompositeCondition extends ConditionElement
  left <> ConditionElement
  binop word BinaryLogicalOperation also op operator
  right <> ConditionElement
BasicCondition extends ConditionElement
  left <> ConditionVariable
  bincomp word BinaryComparisonOperation
  right <> ConditionExpr
abstract ConditionExpr
ConditionInteger extends ConditionExpr also ConditionDouble ConditionReal
  value number
ConditionVariable extends ConditionExpr
  metric -> Metric
abstract ConditionConstraint
ContainsVariable extends ConditionConstraint
  metric -> Metric
ContainsInteger extends ConditionConstraint
  minValue whole
  maxValue whole
[metrics]
abstract Metric
  name text
  dir word MetricOptimisationDirection
  relatedVariables -> Variable also relatedTopics
  valueIfNotReceived <> MetricDefault also default
  initValue <> MetricDefault -- @unheard
  useInOptimisation flag
MetricDefault
  defaultVal number
VariableMetric extends Metric
  chosenVariables -> Variable also chosenVariable
PropertyMetric extends Metric
  property -> ComponentProperty
StreamMetric extends Metric
  streams <> SimStream -- A metric here is a function of a recorded run, with all its topics.
  res <> StreamResult -- @stored
abstract SimStream
InputStream extends SimStream
OutputStream extends SimStream
abstract StreamResult
FileStreamResult extends StreamResult
  filename text -- @stored
abstract SpecialMetric extends StreamMetric
abstract DirectMessageGenerationMetric extends StreamMetric
StartEndTimingMetric extends DirectMessageGenerationMetric
FuzzingOperationTimesMetric extends SpecialMetric also AttackTimesMetric
MetricInstance
  metric -> Metric
  result <> Result
Result
  name text
  value number
[system]
MRS
  variables <> Variable also topics
  launchFileLocation text -- @started
  launchDelaySeconds whole = 40 -- A run here begins when the robots are ready.
  customTerminateFileLocation text -- @started
  recordFileLocation text -- Every run here is recorded.
  nodes <> Node -- @nodes
  simulator <> Simulator -- @simulator
  propertyType <> Type
Node
  name text -- @nodes
  subscriber -> Variable -- @nodes
  publisher -> Variable -- @nodes
  properties -> ComponentProperty -- Nodes here have no properties; they have parameters of their own.
Variable also EventBasedVariable
  name text
  type -> Type
ComponentProperty
  name text -- @properties
  type -> Type -- @properties
Type
  name text -- No topic is of this type.
  parsingMethod word ParsingMethod -- Messages here are typed: nothing is parsed.
  parameters <> Parameter -- @fields
Parameter
  name text -- @fields
  subparameters <> Parameter -- @fields
  type -> Type -- @fields
abstract Simulator
ROSSimulator extends Simulator
  hostname text -- @simulator
  port text -- @simulator
MOOSSimulator extends Simulator
  hostname text -- @simulator
  port text -- @simulator
TTSSimulator extends Simulator
  hostname text -- @simulator
  port text -- @simulator
  stepSizeMillis number = 20.0 -- @simulator
  useStepping flag -- @simulator
  useGUI flag -- @simulator
"""


def _read_classes(table: str) -> Iterator[MetaClass]:
    group, head = "", ""
    features: list[Feature] = []
    for line in (*table.splitlines(), "[end]"):
        if line.startswith("  "):
            features.append(_read_feature(line))
            continue
        if head:
            yield _read_class(head, group, tuple(features))
        features, head = [], "" if line.startswith("[") else line
        group = line.strip("[]") if line.startswith("[") else group


def _read_class(head: str, group: str, features: tuple[Feature, ...]) -> MetaClass:
    head, _, older = head.partition(" also ")
    name, _, parent = head.removeprefix("abstract ").partition(" extends ")
    return MetaClass(name, group, parent or None, features, head.startswith("abstract "), tuple(older.split()))


def _read_feature(line: str) -> Feature:
    line, _, why = line.partition(" -- ")
    line, _, older = line.partition(" also ")
    line, _, default = line.partition(" = ")
    name, kind, *of = line.split()
    kind = {"->": "reference", "<>": "part"}.get(kind, kind)
    if kind == "word":
        default = ENUMERATIONS[of[0]][0]
    return Feature(
        name, cast("Kind", kind), of[0] if of else "", default or None, tuple(older.split()), _REASONS.get(why, why)
    )


CLASSES: Mapping[str, MetaClass] = {known.name: known for known in _read_classes(_TABLE)}
_FEATURES = {
    name: {feature.name: feature for known in reversed([*lineage(name)]) for feature in known.own} for name in CLASSES
}
_SPELT = {
    name: {spelling: feature for feature in features.values() for spelling in (feature.name, *feature.older)}
    for name, features in _FEATURES.items()
}
_OLDER = {older: known for known in CLASSES.values() for older in known.older}
