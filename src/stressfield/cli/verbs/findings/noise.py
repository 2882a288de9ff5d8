"""``stressfield noise``: how far identical runs of a simulator drift apart."""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.calibration import calibrated_options, noise_floor
from stressfield.campaign import Plan, find_study
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    WHICH,
    AsJson,
    BuildName,
    CalibrationPath,
    Repeats,
    Seed,
    Sim,
    StudyName,
    StudyOption,
    Template,
)
from stressfield.cli.progress import step_progress
from stressfield.report.fidelity.calibration_page import noise_data, noise_screen
from stressfield.trace import Keep


def noise(
    study: StudyName,
    worlds: Annotated[int, typer.Option(help="How many worlds.", rich_help_panel=WHICH)] = 3,
    repeats: Repeats = 5,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    template: Template = None,
    option: StudyOption = None,
    calibration: CalibrationPath = None,
    as_json: AsJson = False,
) -> None:
    """Do identical runs again and say how far a simulator drifts apart in position, time and verdicts.

    All runs of a world have the same seed. Those of the simulators that come with stressfield are the same, bit for
    bit; one that is attached from outside has a noise floor, below which a difference says nothing.
    """
    found = find_study(study)
    plan = Plan(
        study=study, build=build or found.builds[0].name, seed=seed, worlds=worlds, repeats=repeats,
        template=found.template if template is None else template, keep=Keep.ALL.value,
        options=calibrated_options(calibration, found, found.read_options(option or ())),
        simulator=found.simulator_key(sim),
    )  # fmt: skip
    found.find_simulator(sim)()  # one that cannot be had says so at once
    with step_progress(f"noise of {found.name}") as progress:
        floor = noise_floor(plan, progress=progress)
    echo(dump_json(noise_data(floor)) if as_json else noise_screen(floor))
