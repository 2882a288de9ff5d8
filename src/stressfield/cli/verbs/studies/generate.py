"""``stressfield generate``: worlds as files, without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.cli.echo import echo
from stressfield.cli.options import StudyName
from stressfield.errors import InputError
from stressfield.plugins import find_study
from stressfield.seeds import seed_of
from stressfield.sim.mujoco import export_mjcf
from stressfield.world import export_world


def generate(
    study: StudyName,
    descriptor: Annotated[str, typer.Argument(help="Descriptor; operators r, m, M allowed.")] = "r",
    out: Annotated[Path, typer.Option("--out", "--sdf", help="Folder to write to.")] = Path("worlds"),
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    count: Annotated[int, typer.Option(help="How many worlds; more than one are written to numbered folders.")] = 1,
    gazebo: Annotated[
        str, typer.Option(help="The Gazebo that the SDF is for: sim (Harmonic and later) or classic (Gazebo 11).")
    ] = "sim",
    map_resolution_m: Annotated[
        float, typer.Option("--map-resolution", help="Side of a cell of map.yaml and map.pgm in metres; 0 for no map.")
    ] = 0.05,
    mjcf: Annotated[bool, typer.Option("--mjcf", help="Write each world for MuJoCo as well.")] = False,
) -> None:
    """Write worlds as SDF with their terrain image and mission."""
    if count < 1:
        raise InputError(f"Cannot generate {count} worlds. Wanted at least 1.")
    found = find_study(study)
    found.model.check_descriptor(descriptor)
    for index in range(count):
        scenario = found.scenario(descriptor, seed=seed_of(seed, "world", index))
        folder = out if count == 1 else out / f"{index:04d}"
        make_folder(folder)
        write_file(folder / "descriptor.txt", f"{scenario.descriptor}\n".encode())
        paths = export_world(
            scenario.world, scenario.mission, folder, gazebo=gazebo, map_resolution_m=map_resolution_m or None
        )
        if mjcf:
            paths = (*paths, export_mjcf(scenario.world, folder))
        echo(f"{scenario.descriptor}\n  {', '.join(str(path) for path in paths)}")
