"""What next: strategies propose which worlds to run (ask), and may learn from what came of them (tell).

================ =========================================================================
Strategy         the protocol: ``ask(n)`` and ``tell(results)``
Candidate        one proposal: a descriptor, operators allowed, and its place in the campaign
Evaluated        what came of a candidate
RandomStrategy   every world drawn from one template
SweepStrategy    every combination of chosen parameter values
PairwiseStrategy few worlds that show every pair of chosen values
Variation        the chosen values of one parameter: ``field.rows=1,2,3``
================ =========================================================================
"""

from stressfield.search.pairwise import PairwiseStrategy, covering_rows
from stressfield.search.random import RandomStrategy
from stressfield.search.strategy import STRATEGIES, Candidate, Evaluated, Strategy, make_strategy
from stressfield.search.sweep import SweepStrategy
from stressfield.search.variation import Variation, read_variations

__all__ = [
    "STRATEGIES",
    "Candidate",
    "Evaluated",
    "PairwiseStrategy",
    "RandomStrategy",
    "Strategy",
    "SweepStrategy",
    "Variation",
    "covering_rows",
    "make_strategy",
    "read_variations",
]
