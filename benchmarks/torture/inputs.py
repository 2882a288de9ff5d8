"""The parsers of stressfield, each with good inputs to damage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from campaigns import RIG, plan

from stressfield.bridge._json_message import from_json
from stressfield.bridge.rosbridge._protocol import parse_operation, topic_of, wish_of
from stressfield.bus import find_type
from stressfield.campaign import find_study, run_campaign
from stressfield.campaign.folder import read_plan
from stressfield.errors import InputError
from stressfield.fuzz import Variable, Vocabulary, parse_condition
from stressfield.fuzz.sesame import sesame_from_xml
from stressfield.fuzz.space_file import space_from_yaml
from stressfield.model.schema import from_json as genotype_from_json
from stressfield.trace import read_messages, read_trace
from stressfield.world import World, export_world
from stressfield.world.formats.records import robot_from_json, robot_to_json

Parse = Callable[[bytes], object]
SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True, slots=True)
class Target:
    """``text``: whether the parser is given text, not bytes."""

    good: list[bytes]
    parse: Parse
    text: bool = True


def _decoded(parse: Callable[[str], object]) -> Parse:
    return lambda data: parse(data.decode("utf-8", "replace"))


def descriptors(_: Path) -> Target:
    study = find_study("oz")
    rng = np.random.default_rng(3)
    good = [study.model.create_from_descriptor("r", rng).descriptor.encode() for _ in range(20)]
    good += [b"r-r-r", b"0.05-r-r"]
    good = [text for text in good if _fits(study.model.check_descriptor, text)]
    return Target(good, _decoded(study.model.check_descriptor))


def _fits(check: Callable[[str], object], text: bytes) -> bool:
    try:
        check(text.decode())
    except InputError:
        return False
    return True


def conditions(_: Path) -> Target:
    vocabulary = Vocabulary.of(
        [
            Variable(name="speed", topics=("/odom",), path="twist.twist.linear.x"),
            Variable(name="a", kind="place", topics=("/a",), path="pose.pose.position"),
            Variable(name="b", kind="place", topics=("/b",), path="pose.pose.position"),
        ]
    )
    good = [
        b"speed > 0.5 and distance(a, b) < 2",
        b"not (speed * 2 + 1 <= 3.5e-1) or distance(a, b) >= 1",
        b"-speed / 3 == 1 and (speed != 2 or not true)",
    ]
    return Target(good, _decoded(lambda text: parse_condition(text, vocabulary)))


def spaces(_: Path) -> Target:
    good = [(SAMPLES / "space.yaml").read_bytes()]
    return Target(good, space_from_yaml)


def plans(folder: Path) -> Target:
    made = run_campaign(plan("idle", worlds=1, repeats=1), folder / "toml", in_process=True, export_worlds=False)
    path = Path(made.results.folder) / "campaign.toml"

    def parse(data: bytes) -> object:
        path.write_bytes(data)
        return read_plan(path.parent)

    return Target([path.read_bytes()], parse)


def robots(_: Path) -> Target:
    scenario = find_study("oz").scenario(_any("oz"), seed=1)
    return Target([robot_to_json(scenario.world.robots[0].robot).encode()], robot_from_json)


def _any(study: str) -> str:
    return find_study(study).model.create_from_descriptor("r", np.random.default_rng(1)).descriptor


def worlds(folder: Path) -> Target:
    here = folder / "sdf"
    scenario = find_study(RIG).scenario(_any(RIG), seed=1)
    path = next(one for one in export_world(scenario.world, scenario.mission, here) if one.suffix == ".sdf")

    def parse(data: bytes) -> object:
        path.write_bytes(data)
        return World.from_sdf(path)

    return Target([path.read_bytes(), (SAMPLES / "foreign.sdf").read_bytes()], parse, text=False)


def models(_: Path) -> Target:
    return Target([(SAMPLES / "small.model").read_bytes()], sesame_from_xml, text=False)


def recordings(folder: Path) -> Target:
    asked = plan("idle", worlds=1, repeats=1, keep="all")
    results = run_campaign(asked, folder / "mcap", in_process=True, export_worlds=False).results
    path = folder / "mcap" / str(results.runs[0].run.trace_file)

    def parse(data: bytes) -> object:
        path.write_bytes(data)
        list(read_messages(path))
        return read_trace(path, recover=True)

    return Target([path.read_bytes()], parse, text=False)


def rosbridge(_: Path) -> Target:
    def parse(data: bytes) -> object:
        op, words = parse_operation(data)
        if op == "publish":
            kind = find_type("nav_msgs/msg/Odometry")
            return None if kind is None else from_json(kind, words.get("msg"))
        return (topic_of(words), wish_of(words))

    good = [
        b'{"op": "subscribe", "topic": "/odom", "type": "nav_msgs/Odometry", "throttle_rate": 10, "queue_length": 1}',
        b'{"op": "publish", "topic": "/odom", "msg": {"header": {"stamp": {"sec": 1, "nanosec": 2}}}}',
        b'{"op": "publish", "topic": "/odom", "msg": {"pose": {"pose": {"position": {"x": 1.5, "y": -2e3, "z": 0}}}}}',
    ]
    return Target(good, parse)


def ontologies(_: Path) -> Target:
    from stressfield_studies.tabletop.ontology.ontology import ontology_from_xml  # noqa: PLC0415

    return Target([(SAMPLES / "small.owl").read_bytes()], ontology_from_xml, text=False)


def configurations(_: Path) -> Target:
    from stressfield_studies.tabletop.configuration import configuration_from_toml  # noqa: PLC0415

    package = files("stressfield_studies.tabletop")
    good = [package.joinpath(name).read_bytes() for name in ("grasp.toml", "pick-and-place.toml")]
    return Target(good, configuration_from_toml)


def genotypes(_: Path) -> Target:
    import msgspec  # noqa: PLC0415

    from stressfield._files.json_text import parse_json  # noqa: PLC0415
    from stressfield.model.schema import to_json  # noqa: PLC0415

    model = find_study("oz").model
    good = msgspec.json.encode(to_json(model.create_from_descriptor("r", np.random.default_rng(1))))
    return Target([good], lambda data: genotype_from_json(model, parse_json(data)))


TARGETS: dict[str, Callable[[Path], Target]] = {
    "descriptor": descriptors,
    "condition": conditions,
    "YAML": spaces,
    "TOML plan": plans,
    "TOML configuration": configurations,
    "JSON robot": robots,
    "JSON genotype": genotypes,
    "OWL": ontologies,
    "SDF": worlds,
    "XMI": models,
    "MCAP": recordings,
    "rosbridge": rosbridge,
}
