"""A model that resembles the Oz study: fifteen parameters, three elements, constraints on two levels."""

from __future__ import annotations

from stressfield.model import Element, boolean, choice, constraint, element, integer, real, sequence

ROBOT_WIDTH_M = 0.45
FREE_MARGIN_M = 0.12


class Terrain(Element):
    """The ground."""

    roughness_m: float = real(0.0, 0.12, unit="m", doc="peak height of the noise")


class Field(Element):
    """Rows of vegetables."""

    rows: int = integer(1, 5)
    spacings_m: tuple[float, ...] = sequence(real(0.65, 1.6, unit="m"), length=lambda field: field.rows - 1)
    row_length_m: float = real(6.0, 20.0, unit="m")
    row_offsets_m: tuple[float, ...] = sequence(real(-0.5, 0.5, unit="m"), length=lambda field: field.rows)
    crop: str = choice("cabbage", "leek")
    crop_radius_m: float = real(0.02, 0.12, unit="m")
    density_per_m: float = real(2.0, 7.0, unit="1/m")
    noise_m: float = real(0.0, 0.06, unit="m")
    missing: float = real(0.0, 0.25)
    weeds_per_m2: float = real(0.0, 15.0, unit="1/m2")
    weedy: bool = boolean()
    missing_stakes: int = integer(0, 3, default=0, vary=False)

    @constraint("free width exceeds the robot's by 0.12 m", relax="spacings_m or crop_radius_m")
    def free_width(self) -> bool:
        free = min(self.spacings_m, default=10.0) - 2 * self.crop_radius_m
        return free >= ROBOT_WIDTH_M + FREE_MARGIN_M

    @constraint("row lengths differ by at most 0.9 m", relax="row_offsets_m")
    def near_equal_lengths(self) -> bool:
        return max(self.row_offsets_m) - min(self.row_offsets_m) <= 0.9


class Mission(Element):
    """What to weed, in which order."""

    first_track_outer: bool = boolean()
    final_track_outer: bool = boolean()
    start_side: str = choice("left", "right")


class OzWorld(Element):
    """A field and a mission in it."""

    terrain: Terrain = element(Terrain)
    field: Field = element(Field)
    mission: Mission = element(Mission)

    @constraint("one row forces first_track_outer", relax="field.rows or mission.first_track_outer")
    def one_row(self) -> bool:
        return self.field.rows > 1 or self.mission.first_track_outer


class Person(Element):
    x_m: float = real(-9.0, 9.0, unit="m")
    y_m: float = real(-6.0, 6.0, unit="m")
    speed_mps: float = real(0.0, 1.5, unit="m/s")


class Yard(Element):
    people: tuple[Person, ...] = sequence(Person, min=0, max=4)
    trees: int = integer(0, 12)
    owner: str = choice("m", "Ann Lee", "bob")

    @constraint("nobody stands on the dock")
    def dock_is_free(self) -> bool:
        return all(abs(p.x_m - 8.0) > 1.0 for p in self.people)
