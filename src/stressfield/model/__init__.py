"""What may vary: a typed model of worlds and missions, and the genotypes chosen from it.

============  ========================================================================================
element       ``Element``: declare a model; an instance is a genotype with a ``descriptor``
parameter     ``real``, ``integer``, ``boolean``, ``choice``, ``sequence``, ``element``
constraint    ``@constraint("sentence")`` on a method of the element it is about
operators     ``r``, ``m``, ``M`` in descriptors, and how to add a letter
rejection     ``Rejections``: which constraint rejects how many candidates
leaves        ``parameters``, ``flat_values``: the model and a genotype as flat tables
template      ``template``, ``with_value``: descriptors and genotypes with chosen values, for sweeps
variation     ``mutate``, ``crossover``: new genotypes near old ones
distance      ``distance``: how different two genotypes are
grammar       ``to_ebnf``
diagram, svg  ``to_mermaid``, ``to_svg``
schema        ``to_json_schema``, ``to_json``, ``from_json``
strategy      ``to_strategy``: a Hypothesis strategy
============  ========================================================================================

How a descriptor is read: ``syntax`` (text to tree), ``binding`` (tree to draft), ``draft`` (draft to
genotype, by chance and rejection).
"""

from stressfield.model.blueprint import Blueprint
from stressfield.model.constraint import Constraint, constraint
from stressfield.model.diagram import to_mermaid
from stressfield.model.distance import distance
from stressfield.model.element import Element
from stressfield.model.grammar import to_ebnf
from stressfield.model.leaves import Leaf, flat_values, parameters
from stressfield.model.operators import CHANCE, OPERATORS, Operator
from stressfield.model.parameter import (
    Boolean,
    Choice,
    Integer,
    Nested,
    Parameter,
    Real,
    Sequence,
    boolean,
    choice,
    element,
    integer,
    real,
    sequence,
)
from stressfield.model.rejection import Acceptance, Rejections
from stressfield.model.schema import from_json, to_json, to_json_schema
from stressfield.model.strategy import to_strategy
from stressfield.model.svg import to_svg
from stressfield.model.template import template, with_value
from stressfield.model.variation import crossover, mutate

__all__ = [
    "CHANCE",
    "OPERATORS",
    "Acceptance",
    "Blueprint",
    "Boolean",
    "Choice",
    "Constraint",
    "Element",
    "Integer",
    "Leaf",
    "Nested",
    "Operator",
    "Parameter",
    "Real",
    "Rejections",
    "Sequence",
    "boolean",
    "choice",
    "constraint",
    "crossover",
    "distance",
    "element",
    "flat_values",
    "from_json",
    "integer",
    "mutate",
    "parameters",
    "real",
    "sequence",
    "template",
    "to_ebnf",
    "to_json",
    "to_json_schema",
    "to_mermaid",
    "to_strategy",
    "to_svg",
    "with_value",
]
