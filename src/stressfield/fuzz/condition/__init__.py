"""The condition language: ``distance(robot0, human1) < 1.0 and battery(robot0) < 0.3``.

=============== ======================================================================================================
Variable        something a condition can speak of, read from topics; a Vocabulary holds all that are declared
Condition       checked text, true, false or unknown of what was observed; ``parse_condition`` makes it
Expression      what a condition is made of: Binary, Unary, names and numbers
Grammar         makes, mutates and crosses conditions out of Terms
=============== ======================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.fuzz.condition._parser import parse_expression
    from stressfield.fuzz.condition.condition import Condition, Observed, Point, parse_condition, parse_term
    from stressfield.fuzz.condition.expression import Binary, Expression, Unary
    from stressfield.fuzz.condition.grammar import Grammar
    from stressfield.fuzz.condition.vocabulary import Term, Variable, Vocabulary

__all__ = [
    "Binary",
    "Condition",
    "Expression",
    "Grammar",
    "Observed",
    "Point",
    "Term",
    "Unary",
    "Variable",
    "Vocabulary",
    "parse_condition",
    "parse_expression",
    "parse_term",
]

lazy_names(__name__)
