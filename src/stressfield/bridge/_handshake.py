"""Who may connect: from this machine, to this machine, and (with a token) only those who were told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from stressfield.errors import InputError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def check_address(host: str, *, public: bool, token: str | None) -> None:
    """InputError unless the address is of this machine alone, or it is wanted otherwise and guarded by a token."""
    if is_loopback(host):
        return
    if not public:
        raise InputError(
            f"The bridge would listen on {host!r}, where others can reach it; wanted 127.0.0.1. "
            "If others are to reach it, say public=True and give a token."
        )
    if not token:
        raise InputError(f"A bridge that listens on {host!r} needs a token: give token='...' to it and to its clients.")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def refusal(
    headers: Mapping[str, str], path: str, *, host: str, port: int, token: str | None, origins: Iterable[str] = ()
) -> str:
    """Why a client is turned away, or an empty text.

    The Host must be this server (a page of another site that had its name point here says otherwise), and an Origin,
    which only browsers send, must be one that was allowed.
    """
    names = {*LOOPBACK_NAMES} if is_loopback(host) else set()
    allowed = {f"{name}:{port}".lower() for name in (*names, in_address(host))}
    got = _header(headers, "Host") or ""
    if got.lower() not in allowed and not is_unspecified(host):
        return f"Host is {got!r:.100}; wanted one of {', '.join(sorted(allowed))}."
    origin = _header(headers, "Origin")
    if origin is not None and origin not in set(origins):
        return f"Origin is {origin!r:.100}, which is not among the allowed origins."
    if token is not None and not compare_digest(_token_of(headers, path).encode("utf-8", "replace"), token.encode()):
        return "The token is missing or wrong: it belongs into the address as ?token=..."
    return ""


def is_unspecified(host: str) -> bool:
    """Whether it stands for every address of this machine: then a client may know it by any name."""
    try:
        return ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


def in_address(host: str) -> str:
    """The host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """None if there is none. Of several it cannot be known which one counts, so none of them is right."""
    try:
        return headers.get(name)
    except LookupError:
        return f"several {name}s"


def _token_of(headers: Mapping[str, str], path: str) -> str:
    bearer = _header(headers, "Authorization") or ""
    if bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ")
    try:
        return parse_qs(urlsplit(path).query, max_num_fields=10).get("token", [""])[0]
    except ValueError:
        return ""
