"""The builds of the robot software, and its known faults as switches."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.errors import InputError, did_you_mean
from stressfield_studies.faults import Fault

OFFSET_M = 0.065
BIAS_M = 0.05
LOSS = 0.06
CLIP_M = (0.22, 0.12)


@dataclass(frozen=True, slots=True)
class Issues:
    """Which faults a build has. All off is the build ``fixed``."""

    clip: bool = False
    """Comes from the side at the height of the grasp, along the line of its fingers, and regards no neighbours."""
    offset: bool = False
    """The gripper is badly calibrated against the camera: it goes 65 mm beside the object."""
    bias: bool = False
    """The plane is estimated 5 cm too high."""
    lost: bool = False
    """The middleware loses 6 % of the goals and results: about 40 % of pick-and-place tasks lose one of their eight."""


BUILDS: dict[str, tuple[str, Issues]] = {
    "fixed": ("all that the robot can do", Issues()),
    "release": ("with all four faults", Issues(clip=True, offset=True, bias=True, lost=True)),
    "clip": ("fixed, but its approach clips objects", Issues(clip=True)),
    "offset": ("fixed, but it grasps beside the object", Issues(offset=True)),
    "bias": ("fixed, but it sees planes too high", Issues(bias=True)),
    "lost": ("fixed, but it loses action messages", Issues(lost=True)),
}
"""Name, title and faults of every build."""


def issues_of(build: str) -> Issues:
    """The faults of a build."""
    if build not in BUILDS:
        raise InputError(f"Unknown build {build!r}. Wanted: {', '.join(BUILDS)}.{did_you_mean(build, BUILDS)}")
    return BUILDS[build][1]


_YES = "yes"

FAULTS = (
    Fault(
        "clip", "The approach clips objects", "real", "clip", published=_YES, expected=True,
        note="the most frequent failure of the published grasps",
    ),
    Fault("offset", "The gripper closes beside the object", "real", "offset", published="?", expected=True),
    Fault("bias", "The plane is estimated 5 cm too high", "real", "bias", published="?", expected=True),
    Fault(
        "lost", "Goals and results of actions are lost", "real", "lost", published=_YES, expected=True,
        note="six of the fifteen published pick-and-place runs",
    ),
)  # fmt: skip
