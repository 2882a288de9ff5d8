"""A user without a name, a home and a folder of their own, as in a container with read-only packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from campaigns import RIG
from row import Figure, Size

CODE = "from stressfield.cli import main; import sys; main(sys.argv[1:])"
USER = "12345"


def homeless(size: Size) -> Figure:
    """Every verb that needs no folder of results in a folder that cannot be written; then campaigns."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return Figure(True, "not tried", "needs root and setpriv")
    # Not below the rows' own folder, which others cannot enter. With the sticky bit, as /tmp has it.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        shared = Path(name)
        shared.chmod(0o1777)
        shutil.copy(RIG, shared / "rig.py")
        become = [setpriv, "--reuid", USER, "--regid", USER, "--clear-groups", "--inh-caps", "+dac_read_search"]
        become += ["--ambient-caps", "+dac_read_search", "env", "-u", "NUMBA_CACHE_DIR", "-u", "XDG_CACHE_HOME"]
        become += ["HOME=/nonexistent", f"TMPDIR={shared}", sys.executable, "-c", CODE]
        # compiling a whole study takes minutes on a busy machine; the kernels of a world take seconds
        studies = [] if size.quick else ["oz", "mana", "hospital", "tabletop"]
        runs = [["run", study, "--worlds", "1", "--repeats", "1", "--out", str(shared / study)] for study in studies]
        runs += [["run", str(shared / "rig.py"), "--build", "idle", "--worlds", "1", "--out", str(shared / "rig")]]
        runs += [[verb, str(shared / "rig")] for verb in ("results", "report", "verify", "resume")]
        commands = [["--help"], ["studies"], ["doctor"], ["generate", "oz", "--out", str(shared / "worlds")], *runs]
        failed = []
        for words in commands:
            done = subprocess.run(
                [*become, *words], cwd="/", capture_output=True, text=True, check=False, timeout=600.0
            )
            if done.returncode not in (0, 1) or "Traceback" in done.stderr:
                failed.append(f"{' '.join(words)}: {done.stderr[-200:]!r}")
        private = shared / f"stressfield-kernels-{USER}"
        kept = private.is_dir() and private.stat().st_mode & 0o077 == 0
    text = (
        f"{len(commands)} commands, {len(failed)} failed; compiled code {'in a private folder' if kept else 'NOT kept'}"
    )
    return Figure(not failed and kept, "; ".join([text, *failed[:2]]))
