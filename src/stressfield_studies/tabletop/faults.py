"""The four faults of the release, each looked for alone."""

from __future__ import annotations

from stressfield_studies.faults import Fault

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
