"""MuJoCo itself: the only place that imports it, so that its absence is one clear message."""

from __future__ import annotations

from stressfield.errors import NotInstalledError

try:
    import mujoco
except ImportError as error:
    raise NotInstalledError(
        f"The MuJoCo simulator needs the package mujoco, which cannot be imported ({error}). "
        "Install it with: pip install 'stressfield[mujoco]'"
    ) from error

OLDEST = 4
if int(mujoco.__version__.split(".")[0]) < OLDEST:
    raise NotInstalledError(
        f"The MuJoCo simulator needs MuJoCo {OLDEST} or later, got {mujoco.__version__}. "
        "Install it with: pip install -U 'stressfield[mujoco]'"
    )


def _counted(message: str) -> None:
    """A warning of MuJoCo: it is in its counters, which are read after every tick (see health.py)."""
    del message


if mujoco.get_mju_user_warning() is None:
    # Without a handler MuJoCo prints warnings and writes them to a file MUJOCO_LOG.TXT wherever the process is.
    mujoco.set_mju_user_warning(_counted)

__all__ = ["mujoco"]
