"""Objects below a URL, on whatever ``fsspec`` reaches: a bucket, a folder. Each is there whole, or not at all.

An object store takes an object whole by its nature. A folder (``file://``) is written as all files are here. Elsewhere
an object is written beside its place and moved. What was put is compared with what arrived.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stressfield._files.disk import make_folder, write_file
from stressfield._files.failpoints import failpoint
from stressfield.errors import InputError, NotInstalledError, StoreError, did_you_mean

FILE = "file"
OBJECT_STORES = ("s3", "gs", "az", "abfs", "memory")
"""Where an object appears when all of it has arrived."""
SCHEMES = (FILE, *OBJECT_STORES, "sftp", "ssh", "hdfs", "smb", "webdav")
"""What a campaign may name. Others, and chains of them, could have a stranger's folder read anything."""
EXTRAS = {"s3": "s3", "gs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}


def is_url(text: str) -> bool:
    """Whether it names a place in a store, by its look."""
    return "://" in text


def checked_url(text: str) -> str:
    """The URL of a place for objects, without a slash at its end; InputError for what is not one."""
    parts = urlsplit(text)
    if not is_url(text) or "::" in text or parts.scheme not in SCHEMES:
        raise InputError(
            f"Cannot keep anything at {text!r}. Wanted a URL such as s3://BUCKET/PREFIX or file:///FOLDER; known are: "
            f"{', '.join(SCHEMES)}.{did_you_mean(parts.scheme, SCHEMES) if parts.scheme else ''}"
        )
    if parts.scheme == FILE and (parts.netloc or not parts.path.startswith("/")):
        raise InputError(f"Cannot keep anything at {text!r}. Wanted an absolute path: file:///FOLDER.")
    if parts.username or parts.password:
        raise InputError("A URL of a store must not hold a password: it stands in the campaign's folder.")
    return text.rstrip("/")


def put(url: str, data: bytes) -> None:
    """Write an object. StoreError if it cannot be, or did not arrive as it was."""
    if urlsplit(url).scheme == FILE:
        path = Path(urlsplit(url).path)
        make_folder(path.parent)
        write_file(path, data, failpoints="store")
        return
    with _guarded("write", url):
        system, path_text = _system(url)
        failpoint("store.put")
        if urlsplit(url).scheme in OBJECT_STORES:
            system.pipe_file(path_text, data)
        else:
            beside = f"{path_text}.{secrets.token_hex(4)}.tmp"
            system.makedirs(path_text.rpartition("/")[0], exist_ok=True)
            system.pipe_file(beside, data)
            system.mv(beside, path_text)
        failpoint("store.written")
        if not _arrived(system, path_text, data):
            raise StoreError(f"Cannot write {url!r}: it did not arrive as it was sent. Check the store, then resume.")


def get(url: str) -> bytes | None:
    """An object, or None if there is none. StoreError if the store cannot be asked."""
    if urlsplit(url).scheme == FILE:
        path = Path(urlsplit(url).path)
        return path.read_bytes() if path.is_file() else None
    with _guarded("read", url):
        system, path_text = _system(url)
        try:
            return bytes(system.cat_file(path_text))
        except FileNotFoundError:
            return None


def remove(url: str) -> None:
    """Delete an object, if there is one. StoreError if the store cannot be asked."""
    if urlsplit(url).scheme == FILE:
        Path(urlsplit(url).path).unlink(missing_ok=True)
        return
    with _guarded("delete from", url):
        system, path_text = _system(url)
        with suppress(FileNotFoundError):
            system.rm_file(path_text)


def names(url: str) -> tuple[str, ...]:
    """Names of the objects at a place; none if there is no such place. StoreError if the store cannot be asked."""
    if urlsplit(url).scheme == FILE:
        folder = Path(urlsplit(url).path)
        return tuple(sorted(path.name for path in folder.iterdir())) if folder.is_dir() else ()
    with _guarded("read", url):
        system, path_text = _system(url)
        try:
            found = system.ls(path_text, detail=False, refresh=True)
        except FileNotFoundError:
            return ()
        return tuple(sorted(name.rpartition("/")[2] for name in found if name.rstrip("/") != path_text.rstrip("/")))


def _arrived(system: Any, path: str, data: bytes) -> bool:
    told = system.info(path, refresh=True) if hasattr(system, "invalidate_cache") else system.info(path)
    if told.get("size") != len(data):
        return False
    tag = str(told.get("ETag", "")).strip('"')
    if tag == hashlib.md5(data, usedforsecurity=False).hexdigest():
        return True
    # A store that encrypts, or takes large objects in parts, tells another tag, or none: look at the object itself.
    return hashlib.sha256(system.cat_file(path)).digest() == hashlib.sha256(data).digest()


def _system(url: str) -> tuple[Any, str]:
    scheme = urlsplit(url).scheme
    try:
        import fsspec  # noqa: PLC0415 (an extra)

        system, path = fsspec.url_to_fs(url, **({"use_listings_cache": False} if scheme != "memory" else {}))
    except ImportError as error:
        extra = EXTRAS.get(scheme, "storage")
        wanted = f"'stressfield[{extra}]'" if extra in {"s3", "storage"} else extra
        raise NotInstalledError(
            f"A store at {scheme}:// needs a package that is not here ({error}). Install it with: pip install {wanted}"
        ) from None
    return system, str(path)


@contextmanager
def _guarded(what: str, url: str) -> Iterator[None]:
    """Turn what a store says into what a person can act on. Libraries of stores raise whatever they like."""
    try:
        yield
    except (StoreError, InputError):
        raise
    except Exception as error:
        told = " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
        raise StoreError(
            f"Cannot {what} {url!r}: {told}. {_advice(error, told)} Nothing that was committed is lost."
        ) from None


def _advice(error: Exception, told: str) -> str:
    text = f"{type(error).__name__} {told}".lower()
    if isinstance(error, PermissionError) or any(
        word in text for word in ("forbidden", "credential", "denied", "signature", "invalidaccesskey", "access key")
    ):
        return "Check the credentials and what they allow, then resume."
    if isinstance(error, FileNotFoundError) or "bucket" in text:
        return "Check that the bucket exists, then resume."
    if "full" in text or "quota" in text or "space" in text:
        return "Make room in the store, then resume."
    return "Check that the store can be reached, then resume."
