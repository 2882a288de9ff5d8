"""Objects below a URL: whole or not at all, compared with what was sent, and one clear message for each trouble."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield._files import store
from stressfield.errors import InputError, StoreError


@pytest.fixture(params=["file", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"file://{tmp_path}/shelf" if request.param == "file" else f"memory://{tmp_path.name}"


def test_what_was_put_is_got(place: str) -> None:
    assert store.get(f"{place}/traces/a.mcap") is None
    assert store.names(f"{place}/traces") == ()
    store.put(f"{place}/traces/a.mcap", b"1")
    store.put(f"{place}/traces/a.mcap", b"22")
    store.put(f"{place}/traces/b.mcap", b"")
    assert store.get(f"{place}/traces/a.mcap") == b"22"
    assert store.names(f"{place}/traces") == ("a.mcap", "b.mcap")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bucket/x", "Wanted a URL such as s3://BUCKET/PREFIX"),
        ("s4://bucket", r"Did you mean 's3'\?"),
        ("http://host/x", "known are: file, s3"),
        ("simplecache::s3://bucket/x", "Wanted a URL"),
        ("file://folder/x", r"Wanted an absolute path: file:///FOLDER\."),
        ("s3://me:secret@bucket/x", "must not hold a password"),
    ],
)
def test_a_url_that_cannot_be_used_is_told(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        store.checked_url(text)


def test_an_object_that_arrives_damaged_is_no_object(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    monkeypatch.setattr(MemoryFileSystem, "cat_file", lambda *_args, **_options: b"other")
    with pytest.raises(StoreError, match=r"Cannot write 'memory://x/y': it did not arrive as it was sent\."):
        store.put("memory://x/y", b"these")
    monkeypatch.setattr(MemoryFileSystem, "pipe_file", _full)
    with pytest.raises(StoreError, match=r"Cannot write 'memory://x/y': quota exceeded\. Make room in the store, then"):
        store.put("memory://x/y", b"these")


def _full(*_args: object, **_options: object) -> None:
    raise OSError("quota exceeded")
