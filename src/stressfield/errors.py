"""Every error stressfield raises on purpose.

::

    StressfieldError
    ├── InputError            what the user gave cannot be used            exit code 2
    │   ├── ModelError        a model contradicts itself
    │   ├── DescriptorError   a descriptor is not a word of its model's grammar (knows the place)
    │   ├── ConditionError    a condition is not a sentence of the condition language (knows the place)
    │   ├── GenerationError   constraints reject every candidate (knows which, how often)
    │   ├── ConstraintError   values break constraints of a model (knows which)
    │   ├── WorldError        a world or a world file cannot be used
    │   ├── TraceError        a recording is unreadable, foreign or damaged
    │   ├── MalformedError    a text or message from outside is not what it should be (knows the place)
    │   ├── NotInstalledError an optional package is asked for that is not there
    │   ├── NotRecordedError  a recording does not have what a property asks for: inconclusive, not an end
    │   └── OracleError       a property cannot be applied as asked
    ├── RigError              the rig itself is in trouble: the run is `invalid`    exit code 3
    │   ├── StoreError        results cannot be written or read (disk full, locked, damaged)
    │   ├── PhysicsError      the simulator broke down (NaN, time running backwards)
    │   └── TargetError       a disturbance is of something that the robot does not have
    └── SubjectError          the robot software crashed: a result, not a rig failure
        └── NotFiniteError    it sent a command with NaN or infinity, unless a disturbance had put that there

A message says what happened, what was got, what was wanted, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 160
"""Characters that a message shows of a text with a fault in it, at most."""


class StressfieldError(Exception):
    """Base of all errors raised on purpose. ``str(error)`` is one clear message for a person."""

    exit_code = 3


class InputError(StressfieldError):
    """What the user gave cannot be used."""

    exit_code = 2


class ModelError(InputError):
    """A model contradicts itself (empty range, unknown parameter, duplicate name)."""


class DescriptorError(InputError):
    """A descriptor is not a word of its model's grammar; ``position`` is the 0-based place of the fault."""

    def __init__(self, message: str, *, descriptor: str, position: int, length: int = 1) -> None:
        self.reason = message
        self.descriptor = descriptor
        self.position = position
        self.length = max(1, length)
        super().__init__(f"{message}\n{_pointed(descriptor, position, self.length)}")


class ConditionError(InputError):
    """A condition is not a sentence of the condition language; ``position`` is the 0-based place of the fault."""

    def __init__(self, message: str, *, condition: str, position: int, length: int = 1) -> None:
        self.reason = message
        self.condition = condition
        self.position = position
        self.length = max(1, length)
        super().__init__(f"{message}\n{_pointed(condition, position, self.length)}")


class GenerationError(InputError):
    """The constraints of a model reject every candidate."""


class ConstraintError(InputError):
    """Values that a model's constraints reject; ``sentences`` are those constraints."""

    def __init__(self, message: str, sentences: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.sentences = sentences


class WorldError(InputError):
    """A world or a world file cannot be used."""


class TraceError(InputError):
    """A recording is unreadable, foreign, truncated or damaged."""


class MalformedError(InputError):
    """A text or message from outside is not what it should be; ``position`` is the byte of the fault, if known."""

    def __init__(self, message: str, *, position: int | None = None) -> None:
        self.position = position
        super().__init__(message if position is None else f"{message} (at byte {position})")


class NotInstalledError(InputError):
    """An optional package is asked for that is not there; the message says how to get it."""


class NotRecordedError(InputError):
    """A recording from the field does not have what a property asks for: that property is inconclusive."""


class OracleError(InputError):
    """A property is unknown or cannot be applied as asked."""


class RigError(StressfieldError):
    """The rig itself is in trouble; the run is ``invalid``, never a verdict."""


class StoreError(RigError):
    """Results cannot be written or read (disk full, locked by another runner, damaged file)."""


class PhysicsError(RigError):
    """The simulator broke down: NaN, an explosion, time running backwards."""


class TargetError(RigError):
    """A disturbance is of a topic or node that the robot does not have: it would look like a robust robot."""


class SubjectError(StressfieldError):
    """The robot software under test crashed.

    ``kind`` says how, where no exception does: ``exit code 3``. ``topic`` is where it said what nobody can use.
    """

    exit_code = 1

    def __init__(self, message: str, *, kind: str = "", topic: str = "") -> None:
        self.kind = kind
        self.topic = topic
        super().__init__(message)


class NotFiniteError(SubjectError):
    """A command on ``topic`` that no motor can follow: NaN or infinity in ``command``.

    Simulators raise it. It is the robot's crash, unless a disturbance made the command: then the run is invalid.
    """

    def __init__(self, topic: str, command: object, got: str) -> None:
        self.command = command
        message = f"A command on {topic!r} is not finite: got {got}; wanted finite numbers."
        super().__init__(message, kind="command that is not finite", topic=topic)


def _pointed(text: str, position: int, length: int) -> str:
    """The text with carets under the fault: one line of it, and of a long one what is around the fault."""
    first = max(0, min(position - SHOWN // 2, len(text) - SHOWN))
    last = min(len(text), first + SHOWN)
    before, after = "..." if first else "", "..." if last < len(text) else ""
    line = "".join(" " if character.isspace() else character for character in text[first:last])
    carets = "^" * max(1, min(length, last - position))
    return f"  {before}{line}{after}\n  {' ' * (len(before) + position - first)}{carets}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` Did you mean 'oz'?`` for a near miss, otherwise an empty string."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.4)
    return f" Did you mean {near[0]!r}?" if near else ""
