"""A campaign's folder, copied to a machine without the study: what opens, and what says what it needs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from stressfield import plugins
from stressfield.campaign import Plan, find_study, load, run_campaign
from stressfield.campaign.results import study_of
from stressfield.cli import main
from stressfield.errors import InputError

TOY = Path(__file__).parents[1] / "campaign" / "toy.py"


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it was run, with what was printed there."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(TOY, home / "lane.py")
    plan = Plan(study=str(home / "lane.py"), build="late", seed=7, worlds=12, repeats=3, keep="all")
    run_campaign(plan, home / "c", in_process=True, export_worlds=True)
    return home


@pytest.fixture
def away(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder on another machine: no study where it was, nothing imported."""
    shutil.copytree(home / "c", tmp_path / "c")
    plan = tmp_path / "c" / "campaign.toml"
    plan.write_text(plan.read_text().replace(str(home), "/nowhere/at/all"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "c"


MISSING = (
    "No study at '/nowhere/at/all/lane.py': there is no such file. Wanted a Python file that has a 'study'. "
    "If the study is elsewhere now, say where with --study FILE."
)


def test_results_are_the_same_without_the_study(stressfield, home: Path, away: Path) -> None:
    for words in ((), ("--details",)):
        code, there, _ = stressfield("results", home / "c", *words)
        assert code == 0
        code, here, err = stressfield("results", away, *words)
        assert (code, err) == (0, "")
        assert here == there.replace(str(home / "c"), str(away))
        assert " F1 " in here
    code, there, _ = stressfield("results", home / "c", "--json")
    code, here, _ = stressfield("results", away, "--json")
    before, after = json.loads(there), json.loads(here)
    before.pop("folder"), after.pop("folder"), before["plan"].pop("study"), after["plan"].pop("study")
    assert before == after


def test_report_and_its_other_forms(stressfield, home: Path, away: Path) -> None:
    out = away.parent / "out"
    words = ("--junit", out / "junit.xml", "--allure", out / "allure", "--summary", out / "summary.md")
    code, _, err = stressfield("report", away, *words)
    assert code == 0
    assert err.count("\n") == 1, "one line says what is missing"
    assert err.startswith(" Without the study, runs are drawn only where their world was kept as a file, and series")
    assert err.rstrip().endswith(MISSING)
    page = (away / "report.html").read_text()
    assert "stops before the wall" in page.lower() or load(away).study.properties[0].title in page
    assert "which may not run here" not in page, "all worlds were kept as files: all runs are drawn"
    code, _, err = stressfield("report", away, *words, "--study", home / "lane.py")
    assert (code, err) == (0, "")


def test_a_run_whose_world_was_not_kept_says_so(stressfield, away: Path) -> None:
    shutil.rmtree(away / "scenarios")
    code, _, _ = stressfield("report", away)
    assert code == 0
    text = "Its world is built by the study, which may not run here, and was not kept as a file. Let it:"
    assert text in (away / "report.html").read_text()


def test_compare_and_verify_need_no_study(stressfield, home: Path, away: Path) -> None:
    code, out, err = stressfield("compare", home / "c", away)
    assert (code, err) == (0, "")
    assert "36 of 36 runs are identical, bit for bit" in out
    code, out, _ = stressfield("verify", away)
    assert code == 0
    assert "All is sound." in out


@pytest.mark.parametrize(
    "words",
    [("replay", "F1"), ("check",), ("shrink", "F1", "--needed", "1"), ("verify", "--judge"), ("resume",)],
    ids=lambda words: words[0],
)
def test_what_needs_the_study_says_so_and_takes_it(stressfield, home: Path, away: Path, words) -> None:
    verb, *rest = words
    code, _, err = stressfield(verb, away, *rest)
    assert code == 2
    assert err.splitlines()[-1] == MISSING
    code, out, err = stressfield(verb, away, *rest, "--study", home / "lane.py")
    assert code in {0, 1}, err
    if verb == "replay":
        assert "identical, bit for bit" in out
        assert "changed" not in out
    if verb == "check":
        assert "36 runs judged again from their recordings" in out
    if verb == "verify":
        assert "36 judged again" in out
    assert "/nowhere/at/all" in (away / "campaign.toml").read_text(), "what was asked stays as it was asked"


def test_another_study_is_refused(stressfield, home: Path, away: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text((home / "lane.py").read_text().replace('"toy"', '"cart"'))
    assert find_study(str(other)).name == "cart"
    code, _, err = stressfield("replay", away, "F1", "--study", other)
    assert code == 2
    assert f"is of the study 'toy', but {str(other)!r} is 'cart'. Wanted the study that it was run with" in err
    code, _, err = stressfield("report", away, "--study", tmp_path / "lain.py")
    assert code == 2, "a study that was named must be there"
    assert "No study at" in err


def test_a_study_of_a_package_that_is_not_installed(
    stressfield, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oz"
    run_campaign(
        Plan(study="oz", build="release", seed=7, worlds=2, repeats=1, profile="published"), folder, in_process=True
    )
    code, before, _ = stressfield("results", folder, "--details")
    assert "published" in before
    monkeypatch.setattr(plugins, "installed", lambda group: {})
    plugins._find.cache_clear()
    code, after, err = stressfield("results", folder)
    assert (code, err) == (0, "")
    code, after, err = stressfield("results", folder, "--details")
    assert code == 0
    assert err == (
        " Without the study, published figures are not shown. Unknown study 'oz'. Installed: none. "
        "If the study is elsewhere now, say where with --study FILE.\n"
    )
    assert "published" not in after
    for words in (("report", folder), ("verify", folder), ("compare", folder, folder)):
        assert stressfield(*words)[0] == 0
    with pytest.raises(InputError, match=r"Unknown study 'oz'.*--study FILE"):
        study_of(load(folder))


def damaged(folder: Path, change) -> None:
    path = folder / "study.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda study: study.update(format=99), "its format is 99, wanted 1"),
        (lambda study: study.pop("format"), "its format is None, wanted 1"),
        (lambda study: study.pop("name"), "missing required field `name`"),
        (lambda study: study.update(title=["x"]), "Expected `str`, got `array` - at `$.title`"),
        (lambda study: study["properties"].append(study["properties"][0]), "it has the property 'gap' 2 times"),
        (lambda study: study["properties"][0].update(kind="fate"), "Invalid enum value 'fate'"),
        (lambda study: study["properties"][0].update(subcases={"a": {"b": {}}}), "Expected `str`, got `object`"),
    ],
)
def test_a_strangers_study_json_is_one_clear_error(stressfield, away: Path, change, said: str) -> None:
    damaged(away, change)
    code, _, err = stressfield("results", away)
    assert code == 2
    assert f"{str(away / 'study.json')!r} is damaged: " in err
    assert said in err
    assert err.rstrip().endswith("Restore it, or run the campaign again.")


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, '{"format": 1, "name": 1e999}'])
def test_what_is_no_study_json_at_all(stressfield, away: Path, text: str) -> None:
    (away / "study.json").write_text(text)
    code, _, err = stressfield("results", away)
    assert code == 2
    assert "study.json' is damaged: " in err


def test_a_study_json_that_is_too_large_or_missing(stressfield, home: Path, away: Path) -> None:
    with (away / "study.json").open("ab") as file:
        file.truncate(6_000_000)
    code, _, err = stressfield("results", away)
    assert code == 2
    assert "it is larger than the limit of 5,000,000 bytes" in err
    (away / "study.json").unlink()
    code, _, err = stressfield("results", away)
    assert code == 3
    assert f"has no study.json. Restore it, or have it made again: stressfield resume {away}" in err
    code, _, _ = stressfield("resume", away, "--study", home / "lane.py", "--no-report")
    assert code == 1
    assert (away / "study.json").read_bytes() == (home / "c" / "study.json").read_bytes()


def test_parameters_come_from_the_ledger(home: Path, away: Path) -> None:
    here = load(away)
    assert {tuple(scenario.parameters) for scenario in here.scenarios} == {("wall_m", "pushes", "floor")}
    assert here.scenarios == load(home / "c").scenarios
    for scenario in here.scenarios:
        assert f"{scenario.parameters['wall_m']:g}" in scenario.descriptor
