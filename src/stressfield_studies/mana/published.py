"""The published results of the `mana` study, by series.

After T. Sotiropoulos, J. Guiochet, F. Ingrand and H. Waeselynck, "Virtual worlds for testing robot navigation: a study
on the difficulty level", EDCC 2016.
"""

from __future__ import annotations

from stressfield_studies.mana.series import Published

SOURCE = "Published in: Sotiropoulos, Guiochet, Ingrand, Waeselynck, EDCC 2016 (Table I, Figures 7 to 9 and 12)"

TREES = Published(
    runs=570,
    hours=23.9,
    easy_until=5.0,
    very_difficult_from=7.5,  # inferred: the text says "above 7 %", and the next configuration by 0.5 is 7.5 %
    note="challenging from 5 to 7 %, very difficult above 7 %",
)
BUILDINGS = Published(
    runs=900,
    hours=48.5,
    easy_until=19.0,
    never_very_difficult=True,
    note="easy and challenging mixed above 19 %; placement saturated at 28.25 %",
)
GROUND = {
    2: Published(runs=375, hours=16.7, very_difficult_from=5.5),
    4: Published(runs=300, hours=14.6, very_difficult_from=3.5, note="levels are mixed in between"),
    6: Published(runs=200, hours=8.2, very_difficult_from=2.5),
}
TREES_FAULTY = Published(
    mean_collisions={"easy": 3.82, "challenging": 9.75, "very difficult": 9.25},
    note="far more collisions than among buildings, at all levels",
)
BUILDINGS_FAULTY = Published(note="no collision in most of the easy configurations")
