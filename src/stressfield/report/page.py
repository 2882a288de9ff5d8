"""Turns a template and data into one self-contained HTML file that needs no network and trusts no text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(template: str, *, data: Mapping[str, Any], scripts: tuple[str, ...], **context: Any) -> str:
    """The page. Everything in ``context`` is escaped unless it is Markup; ``data`` is embedded as JSON."""
    script = "\n".join(static(name) for name in scripts)
    page = _environment().get_template(template)
    return page.render(
        policy=content_policy(script),
        style=Markup(static("report.css")),  # noqa: S704  files of this package
        script=Markup(script),  # noqa: S704
        data=Markup(embedded_json(data)),  # noqa: S704  embedded_json leaves no character that HTML would read
        **context,
    )


def content_policy(script: str) -> str:
    """Only the page's own script runs, known by its hash; nothing is loaded from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded_json(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element."""
    text = json.dumps(data, separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


@cache
def static(name: str) -> str:
    """A file of the folder ``static``."""
    return (files("stressfield.report") / "static" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("stressfield.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
