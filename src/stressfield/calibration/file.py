"""``calibration.toml``: constants that an engineer accepted, and where each of them comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import tomli_w

from stressfield._files.disk import read_file, write_file
from stressfield._files.toml_text import parse_toml
from stressfield.errors import InputError
from stressfield.provenance import rig_version
from stressfield.scenario import Options, checked_options

if TYPE_CHECKING:
    from stressfield.calibration.calibration import CalibrationResult, Suggestion
    from stressfield.study import Study

FORMAT = 1
LARGEST_FILE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRecording:
    """A recording that a calibration was made from."""

    name: str
    sha256: str
    """Of what was read of it."""
    began: str
    """By the recording's own clock."""
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedConstant:
    """A constant, its interval, and what the world had before."""

    name: str
    value: float
    low: float
    high: float
    before: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationFile:
    """What stands in the file."""

    format: int = FORMAT
    study: str
    robot: str
    stressfield: str
    """Which version estimated it."""
    windows: int
    window_s: float
    held_out_error_before_m: float
    """Median over a window, of windows that were not used to estimate; after: with all suggestions."""
    held_out_error_after_m: float
    recordings: tuple[UsedRecording, ...] = field(default=())
    constants: tuple[AcceptedConstant, ...] = field(default=())


def write_calibration(
    path: Path, result: CalibrationResult, accepted: Sequence[Suggestion], *, overwrite: bool = False
) -> CalibrationFile:
    """Write what was accepted. InputError if there is a file already, unless it may be overwritten."""
    if path.exists() and not overwrite:
        raise InputError(f"{str(path)!r} is there already. Give another --out, or --overwrite.")
    content = CalibrationFile(
        study=result.study, robot=result.robot, stressfield=rig_version(), windows=result.windows,
        window_s=float(result.prediction.times_s[-1]),
        held_out_error_before_m=result.prediction.median_before_m,
        held_out_error_after_m=result.prediction.median_after_m,
        recordings=tuple(
            UsedRecording(name=each.name, sha256=each.digest, began=each.began, duration_s=each.duration_s)
            for each in result.recordings
        ),
        constants=tuple(
            AcceptedConstant(name=each.name, value=each.value, low=each.low, high=each.high, before=each.before)
            for each in accepted
        ),
    )  # fmt: skip
    write_file(path, tomli_w.dumps(msgspec.to_builtins(content)).encode())
    return content


def read_calibration(path: Path) -> CalibrationFile:
    """A calibration. InputError for what is none."""
    name = f"The calibration {str(path)!r}"
    try:
        found: dict[str, Any] = parse_toml(
            read_file(path, what="the calibration", bytes_max=LARGEST_FILE), bytes_max=LARGEST_FILE
        )
        content = msgspec.convert(found, CalibrationFile)
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError(f"{name} does not fit: {error}. Wanted a file that 'stressfield calibrate' wrote.") from None
    if content.format != FORMAT:
        raise InputError(f"{name} has format {content.format}, wanted {FORMAT}. Calibrate again.")
    if not content.constants:
        raise InputError(f"{name} has no constants: nothing was accepted. Accept some with 'stressfield calibrate'.")
    seen: set[str] = set()
    for each in content.constants:
        if each.name in seen:
            raise InputError(f"{name} has {each.name} twice. Leave one of them in it.")
        seen.add(each.name)
        for what in ("value", "low", "high", "before"):
            if not isfinite(getattr(each, what)):
                raise InputError(
                    f"{name} has {each.name} with {what} = {getattr(each, what)}. Wanted a finite number: mend it, or "
                    "calibrate again."
                )
    return content


def calibrated_options(path: Path | None, study: Study, options: Options, *, instead: bool = False) -> Options:
    """Options of a study with the constants of a calibration, if there is one.

    InputError if it is of another study, or if a constant is said twice; ``instead``: the calibration's is taken.
    """
    if path is None:
        return options
    content = read_calibration(path)
    if content.study != study.name:
        raise InputError(
            f"The calibration {str(path)!r} is of study {content.study!r}, not of {study.name!r}. Calibrate this one."
        )
    values = {each.name: each.value for each in content.constants}
    for name in values:
        if name in options and not instead:
            raise InputError(f"{name} is in --option and in the calibration {str(path)!r}. Say it once.")
    return checked_options({**options, **values}, study.options, study.name)
