"""What the page of the `tabletop` study says is what the code does."""

from __future__ import annotations

from math import isclose

from stressfield.model import parameters
from stressfield.world import Lidar, PoseSensor
from stressfield_studies.tabletop import builds, robot, study
from stressfield_studies.tabletop.builds import FAULTS
from stressfield_studies.tabletop.experiment import published
from stressfield_studies.tabletop.experiment.runs import configuration
from stressfield_studies.tabletop.messages import ACTIONS
from stressfield_studies.tabletop.mission import TabletopMission
from stressfield_studies.tabletop.model import TabletopWorld, Thing
from stressfield_studies.tabletop.ontology import own_ontology
from stressfield_studies.tabletop.oracle import PROPERTY_JUDGES
from stressfield_studies.tabletop.oracle.strict import STRICT_JUDGES
from stressfield_studies.tabletop.place import placement
from stressfield_studies.tabletop.place.rooms import HEIGHTS_M

from .pages import ROOT
from .test_oz_page import row

PAGE = " ".join((ROOT / "docs" / "studies" / "tabletop.md").read_text().split())


def missing(*said: str) -> list[str]:
    return [text for text in said if " ".join(text.split()) not in PAGE]


def test_the_tables_of_the_model() -> None:
    whole = [row(leaf) for leaf in parameters(TabletopWorld) if leaf.path != "things"]
    assert missing(*whole, *(row(leaf) for leaf in parameters(Thing))) == []
    things = next(leaf for leaf in parameters(TabletopWorld) if leaf.path == "things")
    assert missing(f"| `things` | {things.parameter.low} to {things.parameter.high} | {things.doc} |") == []


def test_the_robot() -> None:
    lidar = next(one for one in robot.PORTER.sensors if isinstance(one, Lidar))
    pose = next(one for one in robot.PORTER.sensors if isinstance(one, PoseSensor))
    *low, high = HEIGHTS_M.values()
    empty = TabletopMission(limit_s=1.0, steps=(), surfaces=(), locations=(), objects=(), walls=())
    said = (
        f"{robot.LENGTH_M} x {robot.WIDTH_M} m and {robot.PORTER.mass_kg:g} kg",
        f"at most {robot.PORTER.drive.speed_max_mps} m/s",
        f"opens by {200.0 * robot.FINGER_MAX_M:g} cm",
        f"{robot.CAMERA_COLUMNS} x {robot.CAMERA_ROWS} points on a mast",
        f"({1000.0 * robot.CAMERA_NOISE_M:g} mm of noise)",
        f"lidar of {lidar.rays} rays at {lidar.rate_hz:g} Hz",
        f"within {100.0 * pose.position_noise_m:g} cm and {pose.attitude_noise_rad} rad",
        f"{', '.join(map(str, low))} and {high} m high",
        f"at least {100.0 * placement.GAP_M:g} cm apart",
        f"ends the task after {empty.action_timeout_s:g} s",
        *(f"| `{action}` |" for action in ACTIONS),
    )
    assert missing(*said) == []


def test_every_property_is_in_the_table_with_its_tolerance() -> None:
    ontology = own_ontology()
    names = [f"{action}.{one.name}" for action in ontology.actions for one in ontology.success_properties(action)]
    strict = {f"{action}.{judge.name}": judge for action, judge in STRICT_JUDGES}
    assert [one.name for one in study.oracle.own.properties] == [*names, *strict]
    for name, judge in strict.items():
        line = PAGE.partition(name)[2].partition(" | | ")[0]
        assert [value for value in judge.tolerances.values() if f" {value:g} " not in line] == [], name
    rows = {name: PAGE.partition(f"| {name} | ")[2].partition(" | ")[0] for name in names}
    for name, text in rows.items():
        numbers = PROPERTY_JUDGES[name.partition(".")[2]].tolerances
        wanted = [value for key, value in numbers.items() if name != "Place.OnSurface" or key == "height_m"]
        assert text, name
        assert [value for value in wanted if f" {value} " not in f"{text} "] == [], name
    counts = [len(ontology.success_properties(action)) for action in ontology.actions]
    assert counts == [5, 3, 5, 4]  # "Five, three, five and four"


def test_builds_and_faults() -> None:
    assert missing(*(f"| `{fault.name}` |" for fault in FAULTS)) == []
    said = (
        f"{1000.0 * builds.OFFSET_M:g} mm beside",
        f"{100.0 * builds.BIAS_M:g} cm too high",
        f"loses {100.0 * builds.LOSS:g} % of goals and results",
    )
    assert missing(*said) == []
    messages = 2 * len(configuration("pick-and-place").tests[0])
    assert messages == 8  # "one of their eight messages"
    assert isclose(1.0 - (1.0 - builds.LOSS) ** messages, 0.4, abs_tol=0.02)  # "about 40 %"


def test_the_published_figures() -> None:
    assert missing(f"| T | {published.PUBLISHED_T} |", f"| best S | {published.BEST_RUN} |") == []
    assert missing(f"| runs with S = 0 | {published.LOST_RUNS} of {len(published.TABLE_IV)} |") == []
    for place, action in enumerate(published.ACTIONS):
        assert missing(f"| A{place + 1} {action}, mean | {published.published_mean(place):.2f} |") == []


def test_the_experiments_are_named() -> None:
    assert missing(*(f"stressfield experiment tabletop {one.name}" for one in study.experiments)) == []
