"""Compiles what is written in C when the package is installed or a wheel of it is made.

Where that cannot be done (no C compiler, no headers of Python), the package is installed without it: the same is done
in Python then, slower and with the same results. ``stressfield --version`` says so.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src/stressfield/trace/_tape.c"
MODULE = "stressfield.trace._tape"
STRICT = ["-O3", "-fwrapv", "-Wall", "-Werror=implicit-function-declaration"]


class CompiledTape(BuildHookInterface[Any]):
    """The tape of the recorder, beside its source: there an editable installation finds it, and a wheel takes it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel say for which Python and system it is."""
        del version
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        try:
            built = compiled(root)
        except Exception as error:  # setuptools wraps some of what compilers do, not all
            sys.stderr.write(f"{SOURCE} was not compiled: {type(error).__name__}: {error}\n")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append(str(built.relative_to(root)))


def compiled(root: Path) -> Path:
    """The compiled module, beside its source."""
    import numpy as np  # noqa: PLC0415  only where something is compiled
    from setuptools import Distribution, Extension  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    extension = Extension(MODULE, [str(root / SOURCE)], include_dirs=[np.get_include()], extra_compile_args=STRICT)
    command = build_ext(Distribution({"name": "stressfield", "ext_modules": [extension]}))
    place = (root / SOURCE).parent
    for old in place.glob("_tape.*.so"):  # of another Python, or of a source that has changed
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        command.build_temp, command.build_lib = folder, str(Path(folder) / "lib")
        command.ensure_finalized()
        command.run()
        made = Path(command.get_ext_fullpath(MODULE))
        target = place / made.name
        target.write_bytes(made.read_bytes())
    return target
