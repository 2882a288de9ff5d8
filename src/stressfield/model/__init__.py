"""What may vary: a typed model of worlds and missions, and the genotypes chosen from it.

==============  ======================================================================================
element         ``Element``: declare a model; an instance is a genotype with a ``descriptor``
parameter       ``real``, ``integer``, ``boolean``, ``choice``, ``sequence``, ``element``
files           ``worlds``: a choice among files
constraint      ``@constraint("sentence")`` on a method of the element it is about; ``Rejections`` count
descriptor      ``r``, ``m``, ``M`` in descriptors, and how to add a letter
paths           ``parameters``, ``flat_values``, ``template``, ``with_value``: models and genotypes as tables
variation       ``mutate``, ``crossover``: new genotypes near old ones; ``distance`` between two
world_genes     ``WorldGenes``: makes and varies genotypes inside a template
simplification  simpler genotypes in place of one that fails
grammar         ``to_ebnf``
diagram         ``to_mermaid``, ``to_svg``
schema          ``to_json_schema``, ``to_json``, ``from_json``
strategy        ``to_strategy``: a Hypothesis strategy
==============  ======================================================================================

How a descriptor is read: ``_syntax`` (text to tree), ``descriptor`` (tree to draft), ``_draft`` (draft to
genotype, by chance and rejection).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.model.constraint import Acceptance, Constraint, Rejections, constraint
    from stressfield.model.descriptor import CHANCE, OPERATORS, Operator
    from stressfield.model.diagram import to_mermaid, to_svg
    from stressfield.model.element import Blueprint, Element
    from stressfield.model.files import File, Files, worlds
    from stressfield.model.grammar import to_ebnf
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
    from stressfield.model.paths import Leaf, flat_values, parameters, template, with_value
    from stressfield.model.schema import fitted_json, from_json, to_json, to_json_schema
    from stressfield.model.strategy import to_strategy
    from stressfield.model.variation import crossover, distance, mutate
    from stressfield.model.world_genes import WorldGenes

__all__ = [
    "CHANCE",
    "OPERATORS",
    "Acceptance",
    "Blueprint",
    "Boolean",
    "Choice",
    "Constraint",
    "Element",
    "File",
    "Files",
    "Integer",
    "Leaf",
    "Nested",
    "Operator",
    "Parameter",
    "Real",
    "Rejections",
    "Sequence",
    "WorldGenes",
    "boolean",
    "choice",
    "constraint",
    "crossover",
    "distance",
    "element",
    "fitted_json",
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
    "worlds",
]

lazy_names(__name__)
