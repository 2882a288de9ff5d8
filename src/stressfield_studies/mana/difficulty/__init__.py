"""How difficult a world is, seen after its runs.

========================= ==============================================================
difficulty_levels         easy, challenging or very difficult (`Difficulty`, `Level`)
item_response             a score for each world that predicts runs (`ItemResponse`)
calibration               are the predictions true? (`Calibration`)
spread, relation          how far apart runs of one world get (`Spread`)
rises, harder, unrelated  is a published trend seen in our runs? (`Trend`)
========================= ==============================================================
"""

from stressfield_studies.mana.difficulty.levels import ConfigurationRuns, Difficulty, Level, difficulty_levels
from stressfield_studies.mana.difficulty.score import (
    Calibration,
    ItemResponse,
    ItemWorld,
    ReliabilityBin,
    WorldScore,
    calibration,
    item_response,
)
from stressfield_studies.mana.difficulty.spread import Spread, TrackedRun, distance_at, largest_at, relation, spread
from stressfield_studies.mana.difficulty.trend import Trend, harder, least_when_easy, rises, unrelated

__all__ = [
    "Calibration",
    "ConfigurationRuns",
    "Difficulty",
    "ItemResponse",
    "ItemWorld",
    "Level",
    "ReliabilityBin",
    "Spread",
    "TrackedRun",
    "Trend",
    "WorldScore",
    "calibration",
    "difficulty_levels",
    "distance_at",
    "harder",
    "item_response",
    "largest_at",
    "least_when_easy",
    "relation",
    "rises",
    "spread",
    "unrelated",
]
