"""What goes wrong: operations, activations, the condition language, testing spaces.

=============== ======================================================================================================
TestingSpace    everything that may go wrong; YAML with ``read_space``, ``space_to_yaml``, ``space_schema``
Operation       one disturbance: Blackhole, Loss, Delay, Jitter, Duplicate, Reorder, Throttle, Freeze; RandomValue,
                Offset, Scale, Noise, StuckAt, NotANumber; ShiftClock, Kill, Restart; Slowdown; Custom
Window          a time in which an operation acts
Conditional     start and end conditions between which it acts; ``Generated`` ones are made of a grammar
Condition       checked text over declared Variables: ``distance(robot0, human1) < 1.0 and battery(robot0) < 0.3``
FuzzTest        concrete operations that stay inside a space; ``sample`` and ``Sampler`` make, mutate and cross them
Disturber       puts the operations into a run
=============== ======================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.fuzz.activation import Conditional, Generated, Window
    from stressfield.fuzz.bound import FieldValues, Range
    from stressfield.fuzz.condition import Condition, Grammar, Term, Variable, Vocabulary, parse_condition
    from stressfield.fuzz.disturber import LOG, Disturber, null_relay
    from stressfield.fuzz.explanation import explain
    from stressfield.fuzz.field_path import FieldPath
    from stressfield.fuzz.operation import Operation
    from stressfield.fuzz.operations import (
        Blackhole,
        Circumstances,
        Custom,
        Delay,
        Duplicate,
        Freeze,
        Jitter,
        Kill,
        Loss,
        Noise,
        NotANumber,
        Offset,
        RandomOffset,
        RandomValue,
        Reorder,
        Restart,
        Scale,
        ShiftClock,
        Slowdown,
        StuckAt,
        Throttle,
        custom_operation,
    )
    from stressfield.fuzz.sampler import MutationRates, Sampler, sample
    from stressfield.fuzz.search import (
        FuzzTest,
        Metric,
        Nsga2,
        Objective,
        RandomTests,
        ResultSet,
        Search,
        SteadyNsga2,
        SweepTests,
        Termination,
    )
    from stressfield.fuzz.sesame import Frequency, Imported, read_sesame
    from stressfield.fuzz.size import SpaceCount, count
    from stressfield.fuzz.space import TestingSpace
    from stressfield.fuzz.space_file import (
        read_space,
        space_from_data,
        space_from_yaml,
        space_schema,
        space_to_data,
        space_to_yaml,
    )

__all__ = [
    "LOG",
    "Blackhole",
    "Circumstances",
    "Condition",
    "Conditional",
    "Custom",
    "Delay",
    "Disturber",
    "Duplicate",
    "FieldPath",
    "FieldValues",
    "Freeze",
    "Frequency",
    "FuzzTest",
    "Generated",
    "Grammar",
    "Imported",
    "Jitter",
    "Kill",
    "Loss",
    "Metric",
    "MutationRates",
    "Noise",
    "NotANumber",
    "Nsga2",
    "Objective",
    "Offset",
    "Operation",
    "RandomOffset",
    "RandomTests",
    "RandomValue",
    "Range",
    "Reorder",
    "Restart",
    "ResultSet",
    "Sampler",
    "Scale",
    "Search",
    "ShiftClock",
    "Slowdown",
    "SpaceCount",
    "SteadyNsga2",
    "StuckAt",
    "SweepTests",
    "Term",
    "Termination",
    "TestingSpace",
    "Throttle",
    "Variable",
    "Vocabulary",
    "Window",
    "count",
    "custom_operation",
    "explain",
    "null_relay",
    "parse_condition",
    "read_sesame",
    "read_space",
    "sample",
    "space_from_data",
    "space_from_yaml",
    "space_schema",
    "space_to_data",
    "space_to_yaml",
]

lazy_names(__name__)
