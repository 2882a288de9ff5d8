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

Of a testing space (``search_strategy`` makes the one that a campaign asks for):

=================== ======================================================================
Nsga2Strategy       evolves sets of disturbances, worlds, or both, towards several metrics
FuzzRandomStrategy  draws tests independently: what evolution has to beat
FuzzSweepStrategy   one test for each cell of the space
Objectives          metrics and directions as numbers that are to be low
Cells, CellCoverage operation x target x parameter step x time step, and which were entered
front, hypervolume  what no other point dominates, and how much it dominates itself
=================== ======================================================================
"""

from stressfield.search.cells import CellCoverage, Cells
from stressfield.search.front import front, hypervolume
from stressfield.search.fuzz_random import FuzzRandomStrategy
from stressfield.search.fuzz_sweep import FuzzSweepStrategy
from stressfield.search.nsga2 import Nsga2Strategy
from stressfield.search.objectives import Objectives
from stressfield.search.pairwise import PairwiseStrategy, covering_rows
from stressfield.search.random import RandomStrategy
from stressfield.search.searching import SEARCHES, SearchStrategy, search_strategy
from stressfield.search.strategy import STRATEGIES, Candidate, Evaluated, Strategy, make_strategy
from stressfield.search.sweep import SweepStrategy
from stressfield.search.variation import Variation, read_variations

__all__ = [
    "SEARCHES",
    "STRATEGIES",
    "Candidate",
    "CellCoverage",
    "Cells",
    "Evaluated",
    "FuzzRandomStrategy",
    "FuzzSweepStrategy",
    "Nsga2Strategy",
    "Objectives",
    "PairwiseStrategy",
    "RandomStrategy",
    "SearchStrategy",
    "Strategy",
    "SweepStrategy",
    "Variation",
    "covering_rows",
    "front",
    "hypervolume",
    "make_strategy",
    "read_variations",
    "search_strategy",
]
