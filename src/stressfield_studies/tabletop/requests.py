"""What a scene is made from, for those who do not go by the model (a configuration file, a test)."""

from __future__ import annotations

from dataclasses import dataclass, field

from stressfield_studies.tabletop.rooms import HEIGHTS_M


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingRequest:
    """An object to put on the table; factors as in the model."""

    kind: str
    size: float = 1.0
    mass: float = 1.0
    friction: float = 0.8
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRequest:
    """A scene: the actions of its task, the table with the objects (the first is the one to pick), and all else."""

    actions: tuple[str, ...]
    things: tuple[ThingRequest, ...]
    environment: str = "studio"
    surface: str = "coffee_table"
    place_surface: str = "coffee_table"
    heights_m: dict[str, float] = field(default_factory=lambda: dict(HEIGHTS_M))
    obstacles: tuple[str, ...] = ()
    goal_blocked: bool = False
