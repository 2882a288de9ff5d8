"""Scenarios from a configuration: drawn at random for campaigns, or as a Hypothesis strategy for property tests.

Both go through the study's model, so that every scenario has a descriptor, can be replayed, mutated and shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from stressfield.errors import InputError, NotInstalledError, did_you_mean
from stressfield.model import Integer, Real, parameters
from stressfield.seeds import Rng, generator
from stressfield_studies.tabletop.configuration.file import BUILT_IN, MOST_BESIDE, Configuration
from stressfield_studies.tabletop.mission import TASKS
from stressfield_studies.tabletop.model import Rooms, Tables, TabletopWorld, Thing, accepted
from stressfield_studies.tabletop.ontology import Ontology, own_ontology
from stressfield_studies.tabletop.ontology.oracle import robot_action
from stressfield_studies.tabletop.oracle import PROPERTY_JUDGES
from stressfield_studies.tabletop.place.furniture import KINDS, OBSTACLES
from stressfield_studies.tabletop.place.rooms import ENVIRONMENTS, HEIGHTS_M

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_T = TypeVar("_T")
MakeThing: TypeAlias = "Callable[[str, Chooser], Thing]"


class Chooser(Protocol):
    """Where choices come from. The first of several, and the number nearest to ``plain``, is the simplest."""

    def one_of(self, values: Sequence[_T]) -> _T:
        """One of them."""

    def things(self, kinds: Sequence[str], fewest: int, most: int, make: MakeThing) -> list[Thing]:
        """Things of different kinds."""

    def number(self, low: int, high: int, plain: int) -> int:
        """A whole number, both ends included."""


@dataclass(frozen=True, slots=True)
class _Space:
    """What a test of the configuration leaves open, checked against what there is."""

    task: str
    worlds: tuple[str, ...]
    surfaces: tuple[str, ...]
    place_surfaces: tuple[str, ...]
    picks: tuple[str, ...]
    others: tuple[str, ...]
    configuration: Configuration


def check_configuration(configuration: Configuration, ontology: Ontology | None = None) -> None:
    """InputError unless every name in it exists, and every test can be done and judged."""
    configuration.check(ontology or own_ontology(), judges=PROPERTY_JUDGES)
    for test in configuration.tests:
        _space(configuration, test)


def draw_world(configuration: Configuration, test: Sequence[str], rng: Rng) -> TabletopWorld:
    """A random scenario for one of the configuration's tests."""
    return _draw(_space(configuration, test), _ByRng(rng))


def descriptors(configuration: Configuration, *, seed: int, ontology: Ontology | None = None) -> tuple[str, ...]:
    """All scenarios of a configuration, ``test_count`` for each test, as complete descriptors for a campaign."""
    check_configuration(configuration, ontology)
    return tuple(
        draw_world(configuration, test, generator(seed, "configuration", place, count)).descriptor
        for place, test in enumerate(configuration.tests)
        for count in range(configuration.test_count)
    )


def scenario_strategy(configuration: Configuration, test: Sequence[str]) -> SearchStrategy[TabletopWorld]:
    """A Hypothesis strategy: shrinks to the first names listed, fewer objects and obstacles, plain poses and sizes."""
    try:
        from hypothesis import strategies  # noqa: PLC0415 (an optional extra)
    except ImportError as error:
        raise NotInstalledError(
            "Property tests need Hypothesis, which is not installed. Next: pip install 'stressfield[tabletop]'."
        ) from error
    space = _space(configuration, test)

    @strategies.composite
    def worlds(draw: Callable[[Any], Any]) -> TabletopWorld:
        return _draw(space, _ByHypothesis(strategies, draw))

    return worlds()


def fewer_things(configuration: Configuration, world: TabletopWorld) -> Iterator[TabletopWorld]:
    """The scenario without one of the objects beside the one to pick, as far as the configuration allows."""
    if len(world.things) - 1 <= configuration.object_properties.count[0]:
        return
    for place in range(1, len(world.things)):
        things = (*world.things[:place], *world.things[place + 1 :])
        yield TabletopWorld(task=world.task, rooms=world.rooms, tables=world.tables, things=things)


def task_of(test: Sequence[str]) -> str:
    """The task of the study that has these actions: ``["Pick"]`` is ``pick``."""
    wanted = tuple(robot_action(name) for name in test)
    for name, actions in TASKS.items():
        if actions == wanted:
            return name
    known = "; ".join(f"{name}: {', '.join(actions)}" for name, actions in TASKS.items())
    raise InputError(f"The study has no task of the actions {', '.join(wanted)}. It has {known}.")


def _space(configuration: Configuration, test: Sequence[str]) -> _Space:
    bound, names = configuration.bound, configuration
    if names.model_dir != BUILT_IN:
        raise InputError(
            f"model_dir is {names.model_dir!r}. Objects are built in: wanted 'built-in', or leave the name out."
        )
    _known(names.world.worlds, ENVIRONMENTS, "world.worlds")
    _known(names.nav_obstacle_list, OBSTACLES, "nav_obstacle_list")
    if names.nav_obstacle_count and not names.nav_obstacle_list:
        raise InputError(f"nav_obstacle_count is {names.nav_obstacle_count}, but nav_obstacle_list names none.")
    for name in ("size", "mass", "friction", "turn_deg"):
        _bounds(Thing, name, getattr(names.object_properties, name))
    kinds, tables = tuple(KINDS), tuple(HEIGHTS_M)
    surfaces = _known(bound.get("objectSurface", tables), HEIGHTS_M, "objectSurface.object_surfaces")
    locations = _known(bound.get("objectLocation", surfaces), HEIGHTS_M, "objectLocation.location_list")
    reachable = tuple(name for name in surfaces if name in locations)
    if not reachable:
        raise InputError(
            f"No surface of {', '.join(surfaces)} is at a location of {', '.join(locations)}. Wanted one in both lists."
        )
    picks = _known(bound.get("pickObject", kinds), KINDS, "pickObject.model_list")
    others = _known(bound.get("surfaceObjects", kinds), KINDS, "surfaceObjects.model_list")
    _check_count(names.object_properties.count, picks, others)
    return _Space(
        task=task_of(test),
        worlds=names.world.worlds,
        surfaces=reachable,
        place_surfaces=_known(bound.get("placeSurface", tables), HEIGHTS_M, "placeSurface.place_object_surfaces"),
        picks=picks,
        others=others,
        configuration=configuration,
    )


def _check_count(count: tuple[int, int], picks: tuple[str, ...], others: tuple[str, ...]) -> None:
    fewest, most = count
    if fewest < 0 or most > MOST_BESIDE:
        raise InputError(f"objectProperties.count: got [{fewest}, {most}], wanted a range within [0, {MOST_BESIDE}].")
    kinds = min(len([kind for kind in others if kind != picked]) for picked in picks)
    if fewest > kinds:
        raise InputError(
            f"objectProperties.count: at least {fewest} objects beside the one to pick, but surfaceObjects.model_list "
            f"has too few other kinds ({kinds}). Name more, or ask for fewer objects."
        )


def _known(values: tuple[str, ...], known: Collection[str], where: str) -> tuple[str, ...]:
    for value in values:
        if value not in known:
            raise InputError(
                f"{where}: unknown name {value!r}. There are: {', '.join(known)}.{did_you_mean(value, known)}"
            )
    return tuple(dict.fromkeys(values))


def _draw(space: _Space, choose: Chooser) -> TabletopWorld:
    names = space.configuration
    surface = choose.one_of(space.surfaces)
    elsewhere = [name for name in space.place_surfaces if name != surface]
    if space.task == "fetch" and not elsewhere:
        raise InputError(f"The object on {surface!r} has no other surface in place_object_surfaces to be brought to.")
    picked = choose.one_of(space.picks)
    fewest, most = names.object_properties.count
    others = [kind for kind in space.others if kind != picked]
    most = min(most, len(others), MOST_BESIDE)
    make = partial(_thing, space)
    things = [make(picked, choose), *choose.things(others, min(fewest, most), most, make)]
    obstacles = names.nav_obstacle_count
    return TabletopWorld(
        task=space.task,
        rooms=Rooms(
            environment=choose.one_of(space.worlds),
            obstacles=obstacles,
            obstacle=choose.one_of(names.nav_obstacle_list or OBSTACLES[:1]),
        ),
        tables=Tables(
            surface=surface,
            place_surface=choose.one_of(elsewhere if space.task == "fetch" else space.place_surfaces),
            higher_m=_real(choose, "tables.higher_m", (0.0, 0.0), 0.0),
        ),
        things=tuple(things),
    )


def _thing(space: _Space, kind: str, choose: Chooser) -> Thing:
    given = space.configuration.object_properties
    turn = _bounds(Thing, "turn_deg", given.turn_deg)
    return Thing(
        kind=kind,
        size=_real(choose, "size", given.size, 1.0),
        mass=_real(choose, "mass", given.mass, 1.0),
        friction=_real(choose, "friction", given.friction, 0.8),
        turn_deg=choose.number(round(turn[0]), round(turn[1]), 0),
    )


def _real(choose: Chooser, name: str, given: tuple[float, float], plain: float) -> float:
    """A value of the parameter's grid inside the range."""
    model = TabletopWorld if "." in name else Thing
    low, high = _bounds(model, name, given)
    parameter = _parameter(model, name)
    assert isinstance(parameter, Real)
    grid = parameter.grid
    nearest = grid.index(min(max(plain, low), high))
    return grid.value(choose.number(grid.index(low), grid.index(high), nearest))


def _bounds(model: type[Thing] | type[TabletopWorld], name: str, given: tuple[float, float]) -> tuple[float, float]:
    parameter = _parameter(model, name)
    low, high = given
    if low < parameter.low or high > parameter.high:
        raise InputError(
            f"objectProperties.{name}: got [{low:g}, {high:g}], wanted a range within "
            f"[{parameter.low:g}, {parameter.high:g}]."
        )
    return low, high


def _parameter(model: type[Thing] | type[TabletopWorld], name: str) -> Real | Integer:
    found = next(leaf.parameter for leaf in parameters(model) if leaf.path == name)
    assert isinstance(found, Real | Integer)
    return accepted(found) if isinstance(found, Real) else found


@dataclass(frozen=True, slots=True)
class _ByRng:
    rng: Rng

    def one_of(self, values: Sequence[_T]) -> _T:
        return values[int(self.rng.integers(len(values)))]

    def things(self, kinds: Sequence[str], fewest: int, most: int, make: MakeThing) -> list[Thing]:
        count = int(self.rng.integers(fewest, most, endpoint=True))
        return [make(kinds[int(place)], self) for place in self.rng.permutation(len(kinds))[:count]]

    def number(self, low: int, high: int, plain: int) -> int:  # noqa: ARG002
        return int(self.rng.integers(low, high, endpoint=True))


@dataclass(frozen=True, slots=True)
class _ByHypothesis:
    strategies: Any
    draw: Callable[[Any], Any]

    def one_of(self, values: Sequence[_T]) -> _T:
        chosen: _T = self.draw(self.strategies.sampled_from(list(values)))
        return chosen

    def things(self, kinds: Sequence[str], fewest: int, most: int, make: MakeThing) -> list[Thing]:
        if not kinds:
            return []

        @self.strategies.composite  # type: ignore[untyped-decorator]
        def thing(draw: Callable[[Any], Any]) -> Thing:
            choose = _ByHypothesis(self.strategies, draw)
            return make(choose.one_of(kinds), choose)

        some = self.strategies.lists(thing(), min_size=fewest, max_size=most, unique_by=lambda item: item.kind)
        chosen: list[Thing] = self.draw(some)
        return chosen

    def number(self, low: int, high: int, plain: int) -> int:
        plain = min(max(plain, low), high)
        return plain + int(self.draw(self.strategies.integers(low - plain, high - plain)))
