"""The condition language: ``distance(robot0, human1) < 1.0 and battery(robot0) < 0.3``.

=============== ======================================================================================================
Variable        something a condition can speak of, read from topics; a Vocabulary holds all that are declared
Condition       checked text, true, false or unknown of what was observed; ``parse_condition`` makes it
Grammar         makes, mutates and crosses conditions out of Terms
=============== ======================================================================================================
"""

from stressfield.fuzz.condition.condition import Condition, Observed, Point, parse_condition, parse_term
from stressfield.fuzz.condition.grammar import Grammar
from stressfield.fuzz.condition.vocabulary import Term, Variable, Vocabulary

__all__ = [
    "Condition",
    "Grammar",
    "Observed",
    "Point",
    "Term",
    "Variable",
    "Vocabulary",
    "parse_condition",
    "parse_term",
]
