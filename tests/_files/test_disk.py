"""Files are read with a limit, and written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stressfield._files import failpoints
from stressfield._files.disk import is_temporary, make_folder, read_file, remove_temporary, write_file
from stressfield.errors import InputError, RigError, StoreError, WorldError


def test_a_file_is_written_whole_or_in_parts(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.txt", b"old")
    assert read_file(path, what="the text", bytes_max=3) == b"old"
    write_file(path, (part for part in (b"ne", b"w")))
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("place", ["write", "fsync", "rename"])
def test_a_fault_leaves_the_old_file_and_nothing_else(tmp_path: Path, place: str) -> None:
    path = write_file(tmp_path / "a.txt", b"old")
    failpoints.arm(f"file.{place}:1:EIO")
    try:
        with pytest.raises(StoreError, match=r"Cannot write '.*a\.txt': Input/output error\. Nothing of it was kept"):
            write_file(path, b"new")
    finally:
        failpoints.arm()
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_file_and_folder_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")) or real(handle)
    )
    write_file(tmp_path / "a.txt", b"new")
    assert [Path(name).name.endswith(".tmp") for name in synced] == [True, False]
    assert synced[1] == str(tmp_path)


def test_no_room_in_the_process_is_not_the_disks_fault(tmp_path: Path) -> None:
    failpoints.arm("file.write:1:EMFILE")
    try:
        with pytest.raises(RigError, match="This process has no room left to write a file") as caught:
            write_file(tmp_path / "a.txt", b"new")
    finally:
        failpoints.arm()
    assert not isinstance(caught.value, StoreError)


def test_reading_has_a_limit_and_says_what_is_wrong(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.txt", b"12345")
    with pytest.raises(WorldError, match=r"Cannot read the map '.*': it is larger than the limit of 4 bytes\."):
        read_file(path, what="the map", bytes_max=4, error=WorldError)
    with pytest.raises(InputError, match=r"Cannot read the map '.*none': No such file"):
        read_file(tmp_path / "none", what="the map", bytes_max=4)
    with pytest.raises(InputError, match="Cannot read the map"):
        read_file(Path("a\0b"), what="the map", bytes_max=4)


def test_what_a_killed_writer_left_is_known(tmp_path: Path) -> None:
    left = tmp_path / ".plan.toml.12.0.tmp"
    left.write_bytes(b"half")
    assert is_temporary(left)
    assert is_temporary(left, of="plan.toml")
    assert not is_temporary(left, of="other.toml")
    remove_temporary(tmp_path, of="other.toml")
    assert left.exists()
    remove_temporary(tmp_path)
    assert not left.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"file' is a file\. Wanted a folder\."):
        make_folder(tmp_path / "file")
    with pytest.raises(StoreError, match="Cannot make the folder '/proc/none'"):
        make_folder(Path("/proc/none"))
