"""Every command computes the Summary of a campaign once, and findings, associations and fronts with it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from stressfield.analysis import summary as module
from stressfield.campaign import Plan, run_campaign
from stressfield.cli import main

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")

COMPUTED = ("RunColumns", "consistency", "searched")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy") / "campaign"
    run_campaign(Plan(study=TOY, build="late", seed=7, worlds=6, repeats=2), folder, in_process=True)
    return folder


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often the parts of a Summary were computed."""
    made = dict.fromkeys(COMPUTED, 0)

    def counting(name: str) -> None:
        original = getattr(module, name)

        def counted(*arguments: object, **named: object) -> object:
            made[name] += 1
            return original(*arguments, **named)

        monkeypatch.setattr(module, name, counted)

    for name in COMPUTED:
        counting(name)
    return made


def stressfield(*words: object) -> None:
    with pytest.raises(SystemExit):
        main([str(word) for word in words])


@pytest.mark.parametrize("verb", ["results", "report", "check", "everything", "replay"])
def test_once_a_command(verb: str, folder: Path, tmp_path: Path, calls: dict[str, int]) -> None:
    words: list[object] = [verb, folder]
    if verb == "everything":
        (tmp_path / "known.toml").write_text("")
        words = ["report", folder, "--junit", tmp_path / "j.xml", "--allure", tmp_path / "a", "--summary",
                 tmp_path / "s.md", "--known-issues", tmp_path / "known.toml"]  # fmt: skip
    if verb == "replay":
        words.append("F1")
    stressfield(*words)
    assert calls == dict.fromkeys(COMPUTED, 1)


def test_once_a_run(tmp_path: Path, calls: dict[str, int]) -> None:
    stressfield("run", TOY, "--worlds", 4, "--build", "late", "--jobs", 1, "--out", tmp_path / "c")
    assert calls == dict.fromkeys(COMPUTED, 1)


def test_a_summary_is_plain_data(folder: Path) -> None:
    """Nothing in it is a function, so it can be kept, sent and compared."""
    campaign, plugins = importlib.import_module("stressfield.campaign"), importlib.import_module("stressfield.plugins")
    summary = module.summarise(campaign.load(folder), plugins.find_study(TOY))
    again = module.summarise(campaign.load(folder), plugins.find_study(TOY))
    assert summary == again

    def functions(value: object) -> bool:
        if callable(value) and not isinstance(value, type):
            return True
        if isinstance(value, dict):
            return any(map(functions, value.values()))
        if isinstance(value, tuple | list):
            return any(map(functions, value))
        slots = getattr(type(value), "__slots__", ())
        return any(functions(getattr(value, name)) for name in slots if isinstance(name, str) and hasattr(value, name))

    assert not functions(summary)
