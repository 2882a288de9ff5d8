"""Where a new campaign goes, and what --overwrite deletes: a campaign, whole, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stressfield.campaign import Plan, load, run_campaign
from stressfield.campaign.destination import free_folder, numbered, occupied
from stressfield.campaign.folder import locked
from stressfield.campaign.plan import prepare
from stressfield.errors import InputError, StoreError

TOY = str(Path(__file__).parent / "toy.py")
PLAN = prepare(Plan(study=TOY, build="late", seed=7, worlds=2, repeats=1)).plan


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "c"
    run_campaign(PLAN, folder, in_process=True)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "c")
    return tmp_path / "c"


def overwritten(folder: Path) -> None:
    run_campaign(PLAN, folder, in_process=True, overwrite=True)


def test_overwrite_takes_with_it_what_was_made_of_the_campaign(folder: Path) -> None:
    run = load(folder).runs[0].run.id
    stale = [folder / "pictures" / f"{run}.png", folder / "replay" / f"{run}.html", folder / "shrunk" / "F1" / "x"]
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of the old robot")
    (folder / "notes.txt").write_text("mine")
    (folder / "mine").mkdir()
    overwritten(folder)
    assert [path for path in stale if path.exists()] == []
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "mine").is_dir()


def test_overwrite_does_not_follow_links(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "deep").mkdir(parents=True)
    (precious / "deep" / "file").write_text("kept")
    for name in ("traces", "pictures"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).symlink_to(precious)
    for name in ("report.html", "space.yaml"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(precious / "deep" / "file")
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios" / "out").symlink_to(precious)
    overwritten(folder)
    assert (precious / "deep" / "file").read_text() == "kept"
    assert sorted(path.name for path in precious.iterdir()) == ["deep"]
    assert not (folder / "traces").is_symlink()
    assert not (folder / "pictures").exists()


@pytest.mark.parametrize(
    "content",
    [
        {"notes.txt": "mine"},
        {"campaign.toml": "[campaign]\nbudget = 3\n", "traces/a": "mine"},
        {"campaign.toml": "not toml at all", "results.sqlite": "not ours", "traces/a": "mine"},
        {"results.sqlite": "SQLite format 3\0", "traces/a": "mine"},
    ],
    ids=["no campaign", "of another tool", "looks like one", "no plan"],
)
def test_what_is_no_campaign_of_ours_is_never_overwritten(tmp_path: Path, content: dict[str, str]) -> None:
    folder = tmp_path / "c"
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for overwrite in (False, True):
        with pytest.raises(
            InputError, match=r"is neither empty nor a campaign\. .*hoose another folder, such as --out "
        ):
            run_campaign(PLAN, folder, in_process=True, overwrite=overwrite)
    assert {name: (folder / name).read_text() for name in content} == content


def test_a_plan_that_is_a_link_makes_no_campaign(folder: Path, tmp_path: Path) -> None:
    (folder / "campaign.toml").rename(tmp_path / "elsewhere.toml")
    (folder / "campaign.toml").symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(InputError, match="neither empty nor a campaign"):
        overwritten(folder)
    assert (tmp_path / "elsewhere.toml").exists()


def test_a_damaged_campaign_of_ours_can_be_replaced(folder: Path) -> None:
    (folder / "campaign.toml").write_text("[campaign")
    with pytest.raises(InputError, match=r"holds a campaign that cannot be read .* Replace it with --overwrite"):
        run_campaign(PLAN, folder, in_process=True)
    overwritten(folder)
    assert len(load(folder).runs) == 2


def test_a_campaign_that_is_being_written_is_not_overwritten(folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    with locked(folder), pytest.raises(StoreError, match="Another stressfield process is writing"):
        overwritten(folder)
    assert {path.name for path in folder.iterdir()} == before


def test_numbered_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert numbered(folder) == folder.with_name("c-2")
    folder.with_name("c-2").mkdir()
    assert numbered(folder) == folder.with_name("c-3")
    monkeypatch.chdir(folder)
    assert numbered(Path()) == folder.with_name("c-3")
    other = prepare(Plan(study=TOY, build="late", seed=8, worlds=2, repeats=1)).plan
    place, taken = free_folder(folder, other)
    assert place == folder.with_name("c-2"), "an empty folder is free"
    assert taken == f"The folder {str(folder)!r} already holds another campaign (different: seed)."
    there = occupied(folder, PLAN)
    assert there is not None
    assert there.same
    assert occupied(folder.with_name("c-2"), PLAN) is None
    with pytest.raises(InputError, match=r"already holds this campaign\. Go on with: stressfield resume"):
        free_folder(folder, PLAN)


def test_default_is_the_first_build(tmp_path: Path) -> None:
    first = prepare(Plan(study=TOY, build="default", seed=7, worlds=2, repeats=1))
    assert first.plan.build == first.study.builds[0].name
    with pytest.raises(InputError, match="Unknown build 'defalt'"):
        prepare(Plan(study=TOY, build="defalt", seed=7, worlds=2, repeats=1))
