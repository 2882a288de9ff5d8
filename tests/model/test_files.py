"""A choice among files: drawn, written with a hash, read back, and noticed when it is another file."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import stressfield as sf
from stressfield.errors import InputError, ModelError
from stressfield.model import Element, parameters, to_ebnf, to_json, to_json_schema

RNG = np.random.default_rng(1)
STUDY = """
import stressfield as sf

class Place(sf.Element):
    file: str = sf.worlds("worlds/*.world")
    trees: int = sf.integer(0, 3)
"""


def place(folder: Path, count: int = 12) -> type[Element]:
    """A model in a file beside a folder of worlds."""
    (folder / "worlds").mkdir(exist_ok=True)
    for n in range(count):
        (folder / "worlds" / f"w_{n}.world").write_text(f"<sdf><world name='w{n}'/></sdf>")
    module = ModuleType("study_of_files")
    module.__file__ = str(folder / "study.py")
    exec(STUDY, vars(module))
    found: type[Element] = module.Place
    return found


def test_a_file_is_drawn_written_and_read_back(tmp_path: Path) -> None:
    model = place(tmp_path)
    genotype = model.random_create(RNG)
    assert genotype.file.path.parent == tmp_path / "worlds"
    text = genotype.descriptor
    name, digest = text.split("-")[0].strip('"').split("#")
    assert name == genotype.file
    assert len(digest) == 8
    assert model.create_from_descriptor(text, RNG).file.path == genotype.file.path
    assert model.create_from_descriptor(text, RNG).descriptor == text


def test_names_are_in_natural_order_and_may_be_given_alone(tmp_path: Path) -> None:
    model = place(tmp_path)
    assert next(iter(parameters(model))).values[:3] == ("w_0.world", "w_1.world", "w_2.world")
    assert model.create_from_descriptor('"w_10.world"-2', RNG).descriptor.startswith('"w_10.world#')


def test_a_file_that_changed_is_noticed(tmp_path: Path) -> None:
    text = place(tmp_path).create_from_descriptor('"w_3.world"-2', RNG).descriptor
    (tmp_path / "worlds" / "w_3.world").write_text("<sdf><world name='other'/></sdf>")
    model = place(tmp_path, 0)
    with pytest.raises(InputError) as caught:
        model.create_from_descriptor(text, RNG)
    digest = text.split("#")[1].split('"')[0]
    assert str(tmp_path / "worlds" / "w_3.world") in str(caught.value)
    assert f"wanted {digest}. Put that file back, or take '#{digest}' away" in str(caught.value)


def test_the_files_that_a_file_names_count_with_it(tmp_path: Path) -> None:
    model = place(tmp_path)
    (tmp_path / "worlds" / "w_3.world").write_text("image: room.pgm\n")
    (tmp_path / "worlds" / "room.pgm").write_bytes(b"P5 1 1 255 a")
    before = place(tmp_path, 0).create_from_descriptor('"w_3.world"-2', RNG).descriptor
    (tmp_path / "worlds" / "room.pgm").write_bytes(b"P5 1 1 255 b")
    assert place(tmp_path, 0).create_from_descriptor('"w_3.world"-2', RNG).descriptor != before
    assert (
        model.create_from_descriptor('"w_4.world"-2', RNG).descriptor
        == place(tmp_path, 0).create_from_descriptor('"w_4.world"-2', RNG).descriptor
    )


def test_mistakes_are_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"worlds\('none/\*\.world'\) fits no file: looked for '.*/none/\*\.world'"):
        sf.worlds("none/*.world")
    model = place(tmp_path)
    with pytest.raises(
        InputError, match=r"one of the 12 files 'worlds/\*\.world': w_0\.world, w_1\.world, w_2\.world, \.\.\."
    ) as caught:
        model.create_from_descriptor('"w_33.world"-2', RNG)
    assert "Did you mean" in str(caught.value)
    with pytest.raises(ModelError, match=r"got default='w_99\.world', wanted one of the"):
        sf.worlds(tmp_path / "worlds" / "*.world", default="w_99.world")


def test_it_is_a_choice_for_everybody_else(tmp_path: Path) -> None:
    model = place(tmp_path)
    genotype = model.create_from_descriptor('"w_3.world"-2', RNG)
    again = pickle.loads(pickle.dumps(genotype.file))
    assert (again, again.path) == (genotype.file, genotype.file.path)
    assert "w_3.world" in str(to_json(genotype))
    assert "w_11.world" in str(to_json_schema(model))
    assert "a file name of 'worlds/*.world' in quotes" in to_ebnf(model)


def test_a_pattern_over_folders_names_the_way(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "map.yaml").write_text("image: none")
    found = sf.worlds(tmp_path / "*" / "map.yaml")
    assert found.values == ("a/map.yaml", "b/map.yaml")
