"""Conditions that set actors in motion: ``distance(robot, me) < 3 and time > 5``.

The language is that of disturbances (:mod:`stressfield.fuzz.condition`). It speaks of what really is, not of topics:

===================== ====================================================================================
``time``              seconds since the start
``robot``, ``ann``    places: robots and actors by name, and ``me``, the actor itself, for ``distance``
``x(robot)``, ``y``   where somebody is, in metres
``yaw(robot)``        where somebody's front points, from -pi to pi
``speed(robot)``      how fast somebody goes, in m/s; negative for a robot that goes backwards
===================== ====================================================================================

Names that are no words of the language (``left-arm``) or are taken (``time``) cannot be spoken of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stressfield.errors import ConditionError, WorldError
from stressfield.fuzz.condition import Condition, Variable, Vocabulary, parse_condition
from stressfield.fuzz.condition.vocabulary import FUNCTIONS, IDENTIFIER
from stressfield.world.actor import Standstill

if TYPE_CHECKING:
    from stressfield.world import PlacedActor, World

TIME, ME = "time", "me"
NUMBERS = ("x", "y", "yaw", "speed")
"""What can be asked of everybody who has a name."""

_WORDS = {TIME, ME, *NUMBERS, *FUNCTIONS, "and", "or", "not", "true", "false"}


def trigger_vocabulary(world: World) -> Vocabulary:
    """The words that conditions of this world's actors may use."""
    names = [ME, *(placed.robot.name for placed in world.robots), *(placed.name for placed in world.actors)]
    known = [name for name in names if name == ME or (re.match(IDENTIFIER, name) and name not in _WORDS)]
    variables = [Variable(name=TIME)]
    variables += [Variable(name=name, kind="place") for name in known]
    variables += [Variable(name=number, of=name) for name in known for number in NUMBERS]
    return Vocabulary.of(variables)


def parse_trigger(world: World, placed: PlacedActor) -> Condition:
    """The condition that an actor waits for. WorldError, which names the actor, if it cannot be read."""
    motion = placed.actor.motion
    text = "" if isinstance(motion, Standstill) else motion.when
    try:
        return parse_condition(text, trigger_vocabulary(world))
    except ConditionError as error:
        raise WorldError(f"Actor {placed.name!r} waits for a condition that cannot be read. {error}") from None


def check_triggers(world: World) -> None:
    """WorldError for the first actor that waits for something which is not in this world."""
    for placed in world.actors:
        if not isinstance(placed.actor.motion, Standstill) and placed.actor.motion.when:
            parse_trigger(world, placed)
