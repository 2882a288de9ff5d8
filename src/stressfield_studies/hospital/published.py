"""What was published of one test with conditions and its copy with windows, in figures computed from its repeats.

The repeats are in ``condbased-res-805.txt`` and ``timebased-res-805.txt`` of SESAME's simulationBasedTesting
(test 805 of its disinfection study: a robot with an ultraviolet lamp, and a person to be kept out of its light). Of the
29 repeats with windows three carry 100000 as their fuzzing time, one of these 1000000 as a metric too, and all their
other values are those of the repeat before: they were not measured, and are left out here.
"""

from __future__ import annotations

from dataclasses import dataclass

REPEATS_SOURCE = "SESAME simulationBasedTesting, test 805, condbased-res-805.txt and timebased-res-805.txt"


@dataclass(frozen=True, slots=True)
class PublishedMeasure:
    """Mean and standard deviation over repeats with conditions and with windows, and how they compare.

    ``p``: Mann-Whitney, two-sided. ``p_spread``: Brown-Forsythe.
    """

    name: str
    conditions_mean: float
    conditions_sd: float
    windows_mean: float
    windows_sd: float
    p: float
    p_spread: float


CONDITION_REPEATS = 30
WINDOW_REPEATS = 26
"""Without the three that were not measured."""
EXPOSED_CONDITIONS, EXPOSED_WINDOWS = 30, 26
"""Repeats in which the person got more light than allowed (``uvExposureForHuman`` above 0): all of them."""

PUBLISHED_MEASURES = (
    PublishedMeasure("fuzzingOperationTimes", 196.913, 0.8131, 1904.97, 0.0, 1.52e-11, 7.18e-07),
    PublishedMeasure("uvExposureForHuman", 7.8667, 0.1372, 7.9254, 0.1188, 0.0904, 0.272),
    PublishedMeasure("uvDisinfectionSurface", 5.5507, 0.0591, 5.5246, 0.0917, 0.401, 0.108),
    PublishedMeasure("uvDisinfectionSurf_s1", 13.0973, 0.2578, 13.0485, 0.3033, 0.421, 0.797),
    PublishedMeasure("uvDisinfectionSurf_s2", 0.905, 0.0222, 0.9069, 0.0181, 0.72, 0.396),
    PublishedMeasure("uvDisinfectionSurf_s3", 0.946, 0.0549, 0.9685, 0.0849, 0.526, 0.247),
)
PUBLISHED_NOTE = (
    "The published windows end at 1000 s and are counted in full, 917.7 s and 987.3 s, however long the run was; the "
    "times of conditions were measured. So the published ratio of ten is one of nominal to measured times. None of the "
    "other metrics is significantly less variable with conditions."
)
