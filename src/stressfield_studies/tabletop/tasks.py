"""The tasks: which actions are asked for, in order."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError, did_you_mean
from stressfield_studies.tabletop.messages import ACTIONS, MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT
from stressfield_studies.tabletop.mission import Step

TASKS: dict[str, tuple[str, ...]] = {
    "move": (MOVE_TO,),
    "perceive": (PERCEIVE_PLANE,),
    "pick": (PICK_OBJECT,),
    "pick_and_place": (MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT),
    "fetch": (MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, MOVE_TO, PERCEIVE_PLANE, PLACE_OBJECT),
}
"""``pick`` is the first published use case, ``pick_and_place`` the second; ``fetch`` brings the object elsewhere.

A task that does not begin with ``move_to`` begins with the robot before the table.
"""


def steps_of(actions: Sequence[str], *, surface: str, place_surface: str, thing: str) -> tuple[Step, ...]:
    """The steps of a task: everything is at ``surface`` until a second ``move_to``, then at ``place_surface``.

    Raises InputError for a task that makes no sense: an unknown action, or placing what was not picked.
    """
    if not actions:
        raise InputError(f"A task needs at least one action. Wanted some of: {', '.join(ACTIONS)}.")
    steps: list[Step] = []
    picked = False
    where = surface
    for action in actions:
        if action not in ACTIONS:
            raise InputError(f"Unknown action {action!r}. Wanted: {', '.join(ACTIONS)}.{did_you_mean(action, ACTIONS)}")
        if action == PLACE_OBJECT and not picked:
            raise InputError("A task places an object that it has not picked. Wanted pick_object before place_object.")
        if action == PICK_OBJECT and picked:
            raise InputError("A task picks an object while another is in the gripper. Wanted place_object in between.")
        if action in {PICK_OBJECT, PLACE_OBJECT}:
            picked = action == PICK_OBJECT
        elif action == MOVE_TO and any(step.action == MOVE_TO for step in steps):
            where = place_surface
        steps.append(Step(action, location=where, surface=where, object=thing))
    return tuple(steps)
