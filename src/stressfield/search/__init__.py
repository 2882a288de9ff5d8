"""What next: strategies propose what to run (ask), and may learn from what came of it (tell). One file per strategy.

A strategy is described by one small struct, which stands in ``campaign.toml``; ``make(setting)`` gives the strategy.

================ =========================================================================
RandomWorlds     every world drawn from one template
SweepWorlds      every combination of chosen parameter values: ``field.rows=1,2,3``
PairwiseWorlds   few worlds that show every pair of chosen values
ListedWorlds     worlds from given templates in turn
ChosenWorlds     worlds of another campaign, as they are there
FieldRecordings  recordings from the field, which are judged and not run
OwnStrategy      a class or function of yours: ``corners.py:Corners``
ListedTests      tests that a testing space lists
SpaceSearch      tests that a search of a testing space proposes, as its approach says
================ =========================================================================

What they are made of:

=================== ======================================================================
Strategy, Learner   the protocol: ``ask(n)``, and ``tell(results)`` for those that learn
Candidate           one proposal: a descriptor, operators allowed, and its disturbances
Evaluated           what came of a candidate
Setting             what a strategy is made for
Nsga2Strategy       evolves sets of disturbances, worlds, or both, towards several metrics
SteadyNsga2Strategy the same without generations: a new test as soon as the oldest is done
RandomTestStrategy  draws tests independently: what evolution has to beat
SweepTestStrategy   one test for each cell of the space
Objectives          metrics and directions as numbers that are to be low
Cells, CellCoverage operation x target x parameter step x time step, and which were entered
front, hypervolume  what no other point dominates, and how much it dominates itself
=================== ======================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.search.cells import CellCoverage, Cells
    from stressfield.search.front import front, hypervolume
    from stressfield.search.listed import ChosenWorld, ChosenWorlds, ListedWorlds
    from stressfield.search.nsga2 import Nsga2Strategy
    from stressfield.search.objectives import Objectives
    from stressfield.search.own import OwnStrategy
    from stressfield.search.pairwise import PairwiseWorlds, covering_rows
    from stressfield.search.random import RandomWorlds
    from stressfield.search.random_tests import RandomTestStrategy
    from stressfield.search.recordings import FieldRecordings
    from stressfield.search.space_search import ListedTests, OfSpace, SpaceSearch, search_of
    from stressfield.search.steady_nsga2 import SteadyNsga2Strategy
    from stressfield.search.strategy import Candidate, Evaluated, Learner, OfWorlds, Setting, Strategy
    from stressfield.search.sweep import SweepWorlds, Variation, VaryingWorlds, read_variations
    from stressfield.search.sweep_tests import SweepTestStrategy

__all__ = [
    "Candidate",
    "CellCoverage",
    "Cells",
    "ChosenWorld",
    "ChosenWorlds",
    "Evaluated",
    "FieldRecordings",
    "Learner",
    "ListedTests",
    "ListedWorlds",
    "Nsga2Strategy",
    "Objectives",
    "OfSpace",
    "OfWorlds",
    "OwnStrategy",
    "PairwiseWorlds",
    "RandomTestStrategy",
    "RandomWorlds",
    "Setting",
    "SpaceSearch",
    "SteadyNsga2Strategy",
    "Strategy",
    "SweepTestStrategy",
    "SweepWorlds",
    "Variation",
    "VaryingWorlds",
    "covering_rows",
    "front",
    "hypervolume",
    "read_variations",
    "search_of",
]

lazy_names(__name__)
