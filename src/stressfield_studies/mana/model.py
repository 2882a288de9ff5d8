"""What may vary in the `mana` study: the ground (s, d) and what stands on it."""

from __future__ import annotations

from stressfield.model import Element, element, integer, real


class Ground(Element):
    """A plane with cuts, its vertices displaced. The published study calls the two parameters s and d.

    d bounds the displacement of the first grid only. Finer levels add their own, so the ground may reach beyond d.
    """

    subdivisions: int = integer(2, 6, doc="s: cuts along each side of the ground; published are 2, 4 and 6")
    deformation_m: float = real(
        0.0, 8.0, unit="m", step=0.1, doc="d: largest displacement in the first grid, finer levels add up; 0 is flat"
    )


class Obstacles(Element):
    """Buildings and trees, placed at random without overlap."""

    obstruction_percent: float = real(0.0, 40.0, unit="%", step=0.25, doc="share of the ground they cover")
    building_share: float = real(0.0, 1.0, step=0.05, doc="share of the obstruction by buildings; the rest is trees")
    size_variation: float = real(
        0.0, 0.5, step=0.05, default=0.0, vary=False, doc="each side differs by up to this share from the usual size"
    )


class ManaWorld(Element):
    """100 x 100 m to cross from the bottom left to the top right."""

    ground: Ground = element(Ground)
    obstacles: Obstacles = element(Obstacles)
