"""What may vary in the `oz` study: terrain, crop field and weeding mission (fifteen parameters, one of them the crop).

Four more parameters answer the lessons of the published study (long gaps, missing and misplaced stakes, visual
hazards). They are in the grammar but keep their defaults unless a descriptor asks for them.
"""

from __future__ import annotations

from stressfield.model import Element, boolean, choice, constraint, element, integer, real, sequence

ROBOT_WIDTH_M = 0.45
FREE_WIDTH_MARGIN_M = 0.12


class Terrain(Element):
    """The ground. Heights lie within ± roughness_m."""

    roughness_m: float = real(0.0, 0.12, unit="m", step=0.001, doc="largest height above and depth below level ground")


class Crop(Element):
    """The vegetable, the same in all rows."""

    kind: str = choice("cabbage", "leek", doc="which vegetable")
    growth: float = real(0.0, 1.0, step=0.01, doc="0 newly planted, 1 ready for harvest; sets the plants' size")

    @property
    def radius_m(self) -> float:
        """How wide a plant is: a leek about 0.03 m, a cabbage 0.06 to 0.12 m."""
        return 0.025 + 0.010 * self.growth if self.kind == "leek" else 0.06 + 0.06 * self.growth

    @property
    def height_m(self) -> float:
        """How tall a plant is, higher than the lidar in both cases."""
        return 0.35 + 0.20 * self.growth if self.kind == "leek" else 0.30 + 0.12 * self.growth


class Weeds(Element):
    """Wild grass in patches: seen by the lidar where the robot tilts, never an obstacle."""

    areas: int = integer(0, 4, doc="how many patches")
    density_per_m2: float = real(0.0, 15.0, unit="1/m^2", step=0.1, doc="weeds per square metre of a patch")


class Stakes(Element):
    """Faults of the red stakes at the row ends; none by default."""

    missing: int = integer(0, 2, default=0, vary=False, doc="stakes that fell over")
    misplaced_m: float = real(0.0, 0.5, unit="m", step=0.01, default=0.0, vary=False, doc="largest error of placement")


class Field(Element):
    """Rows of vegetables with red stakes at their ends."""

    rows: int = integer(1, 5, doc="rows of vegetables")
    spacings_m: tuple[float, ...] = sequence(
        real(0.65, 1.6, unit="m", step=0.01), length=lambda field: field.rows - 1, length_text="rows - 1",
        doc="distance from each row to the next",
    )  # fmt: skip
    row_length_m: float = real(6.0, 20.0, unit="m", step=0.1, doc="nominal length of the rows")
    length_offsets_m: tuple[float, ...] = sequence(
        real(-0.15, 0.15, unit="m", step=0.01), length=lambda field: field.rows, length_text="rows",
        doc="by how much each row is longer than nominal",
    )  # fmt: skip
    crop: Crop = element(Crop)
    plants_per_m: float = real(2.0, 7.0, unit="1/m", step=0.1, doc="plants per metre of row")
    alignment_noise_m: float = real(0.0, 0.06, unit="m", step=0.001, doc="largest sideways error of a plant")
    missing_plants: float = real(0.0, 0.25, step=0.01, doc="probability that a plant did not grow")
    weeds: Weeds = element(Weeds)
    stakes: Stakes = element(Stakes)
    long_gap_m: float = real(0.0, 6.0, unit="m", step=0.1, default=0.0, vary=False, doc="one long gap in a row")
    visual_hazards: int = integer(0, 6, default=0, vary=False, doc="red things that are not stakes, in the headland")

    @constraint(
        "the width free of plants between rows exceeds the robot's by 0.12 m",
        relax="spacings_m upwards, or crop.growth and alignment_noise_m downwards",
    )
    def rows_are_passable(self) -> bool:
        return all(self.free_width_m(s) >= ROBOT_WIDTH_M + FREE_WIDTH_MARGIN_M - 1e-9 for s in self.spacings_m)

    def free_width_m(self, spacing_m: float) -> float:
        """What stays free between two rows, whatever the alignment noise draws."""
        return spacing_m - 2.0 * (self.crop.radius_m + self.alignment_noise_m)


class Mission(Element):
    """What the farmer entered."""

    first_track_outer: bool = boolean(doc="start on the outside of the first row")
    final_track_outer: bool = boolean(doc="weed the outside of the last row, too")
    start_side: str = choice("left", "right", doc="the side of the field on which the first track lies")


class OzWorld(Element):
    """A crop field and a weeding mission in it."""

    terrain: Terrain = element(Terrain)
    field: Field = element(Field)
    mission: Mission = element(Mission)

    @constraint("a single row is weeded from outside first", relax="mission.first_track_outer or field.rows")
    def one_row_forces_first_track_outer(self) -> bool:
        return self.field.rows > 1 or self.mission.first_track_outer
