"""How far the simulation is from the field: constants estimated from recordings, and what identical runs differ by.

==================== ==================================================================================
calibrate            suggestions from recordings, with intervals and what they do not tell
CalibrationResult    what came of it: `Suggestion`, `Untold`, and the `PredictionError` before and after
write_calibration    what was accepted, as ``calibration.toml`` (`CalibrationFile`)
calibrated_options   the options of runs with such a file
noise_floor          how far identical runs of a simulator drift apart: a `NoiseFloor`
==================== ==================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.calibration.calibration import CalibrationResult, PredictionError, Suggestion, calibrate
    from stressfield.calibration.estimate import ConfidenceInterval, Untold
    from stressfield.calibration.file import (
        CalibrationFile,
        calibrated_options,
        read_calibration,
        write_calibration,
    )
    from stressfield.calibration.noise import NoiseFloor, noise_floor

__all__ = [
    "CalibrationFile",
    "CalibrationResult",
    "ConfidenceInterval",
    "NoiseFloor",
    "PredictionError",
    "Suggestion",
    "Untold",
    "calibrate",
    "calibrated_options",
    "noise_floor",
    "read_calibration",
    "write_calibration",
]

lazy_names(__name__)
