"""A new operation is one class in one file: YAML, effect, words, count, search, cells and shrinking know it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import stressfield

CLASS = '''

class Burst(TopicOperation, frozen=True, kw_only=True, tag="burst"):
    """A message arrives ``copies`` times."""

    limits: ClassVar[Mapping[str, Limits]] = {"copies": (1.0, 9.0)}
    copies: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:
        copies = round(value_of(self.copies))
        return Effect(lambda message, _sent_ns: (Forward(message),) * copies)
'''

USE = """
from stressfield.bus import Bus, Latency, Link, Node, Timing
from stressfield.bus.messages import Float64Msg
from stressfield.fuzz import Disturber, Sampler, count, explain, space_from_yaml, space_schema, space_to_yaml
from stressfield.search import Cells
from stressfield.seeds import generator

space = space_from_yaml('''
name: one more
operations:
  - {do: burst, name: b, topics: [/a, /b], copies: [1, 5], when: {kind: window, start_s: 0, end_s: 8}}
''')
assert space_from_yaml(space_to_yaml(space)) == space
assert "Burst" in space_schema()["$defs"]
assert "b [network]: A message arrives copies times (copies 1 to 5); on /a, /b; 0 s to 8 s." in explain(space)
(counted,) = count(space, steps=4).operations
assert (counted.parameters, counted.timings) == (4, 10)

sampler, rng = Sampler(space), generator(1, "one class")
test = sampler.sample(rng)
for _ in range(200):
    test = sampler.mutate(test, rng)
    space.check_test(test)
assert len(Cells(space, steps=2).all()) == 2 * 2 * 2

heard = []

class Ear(Node):
    name = "ear"

    def setup(self, link: Link) -> None:
        link.subscribe("/a", heard.append)


bus = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency()))
whole = space.operations[0].with_parameters({"copies": 3.0})
only = whole.with_targets(("/a",))
disturber = Disturber([only], seed=1)
disturber.join(bus)
bus.attach(Ear())
disturber.check(bus)
bus.publish("/a", Float64Msg(1.0), 0)
bus.run_until(1_000_000_000)
assert len(heard) == 3, heard

simpler = list(whole.simpler(run_s=8.0))
assert [one.targets for one in simpler][-2:] == [("/a",), ("/b",)]
assert simpler[0].when.end_s == 4.0
"""


def test_a_new_operation_is_one_class_in_one_file(tmp_path: Path) -> None:
    copy = tmp_path / "stressfield"
    shutil.copytree(Path(stressfield.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    network = copy / "fuzz" / "operations" / "network.py"
    network.write_text(network.read_text() + CLASS)
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
