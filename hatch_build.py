"""Compiles what is written in C when the package is installed or a wheel of it is made.

Where that cannot be done (no C compiler, no headers of Python), the package is installed without it: the same is done
in Python then, slower and with the same results. ``stressfield --version`` says so.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OPTIONS = ["-O3", "-fwrapv", "-Wall"]


class CompiledParts(BuildHookInterface[Any]):
    """Modules beside their sources: there an editable installation finds them, and a wheel takes them."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel say for which Python and system it is."""
        del version
        if self.target_name != "wheel":
            return
        from setuptools.errors import BaseError, CCompilerError  # noqa: PLC0415

        root = Path(self.root)
        try:
            built = compiled(root)
        except (BaseError, CCompilerError, OSError) as error:  # no compiler, no headers, or it cannot compile this
            sys.stderr.write(f"What is written in C was not compiled: {type(error).__name__}: {error}\n")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [str(module.relative_to(root)) for module in built]


def compiled(root: Path) -> list[Path]:
    """The compiled modules, all or none of them."""
    import numpy as np  # noqa: PLC0415  only where something is compiled
    from setuptools import Distribution, Extension  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    source_root = root / "src"
    for old in source_root.rglob("*.so"):  # of another Python, or of sources that have changed
        old.unlink()
    sources = sorted(source_root.rglob("*.c"))
    names = [".".join(source.relative_to(source_root).with_suffix("").parts) for source in sources]
    extensions = [
        Extension(
            name,
            [str(source)],
            include_dirs=[np.get_include()],
            extra_compile_args=OPTIONS,
            # so that it can be told when it was compiled from another one
            define_macros=[("SOURCE", f'"{hashlib.sha256(source.read_bytes()).hexdigest()}"')],
        )
        for name, source in zip(names, sources, strict=True)
    ]
    command = build_ext(Distribution({"name": "stressfield", "ext_modules": extensions}))
    with tempfile.TemporaryDirectory() as temporary:
        command.build_temp, command.build_lib = temporary, str(Path(temporary) / "lib")
        command.ensure_finalized()
        command.run()
        made = [Path(command.get_ext_fullpath(name)) for name in names]
        return [Path(shutil.copy(module, source.parent)) for module, source in zip(made, sources, strict=True)]
