#!/usr/bin/env python
"""Write docs/reference/openapi.json, and http.md from it. A test fails when they are out of date."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from stressfield.serve import make_app

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
HEAD = """# The HTTP API

This page is written by `scripts/http_reference.py` from the API itself; [openapi.json](openapi.json) says the same to
programs, and a running server has it at `/api/openapi.json`. [How to watch campaigns live](../how-to/serve.md) says how
to start one. A program sends the token of the link as `Authorization: Bearer TOKEN`, and `X-Stressfield: 1` with
whatever changes something. Bodies and answers are JSON; times are seconds, lengths metres.

Every error is `{"error": "what, got, wanted, next"}` with one of these:

| status | meaning |
| --- | --- |
"""


def document() -> dict[str, Any]:
    """The OpenAPI document."""
    return make_app(".", port=0).api.openapi()


def reference(found: dict[str, Any]) -> str:
    """The whole page."""
    operations = [
        (path, method, operation) for path, item in found["paths"].items() for method, operation in item.items()
    ]
    errors = {
        status: answer["description"]
        for _, _, operation in operations
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    }
    text = HEAD + "".join(f"| {status} | {words} |\n" for status, words in sorted(errors.items()))
    for tag in found["tags"]:
        text += f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n"
        for path, method, operation in operations:
            if tag["name"] in operation["tags"]:
                text += _operation(path, method, operation)
    return (
        text + "\n## Data\n" + "".join(_data(name, one) for name, one in sorted(found["components"]["schemas"].items()))
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    text = f"\n### {operation['summary']}\n\n`{method.upper()} {path}`\n\n{_words(operation['description'])}\n"
    rows = [
        f"| `{one['name']}` | {one['in']}{'' if one.get('required') else ', optional'} | {one['description']} |"
        for one in operation.get("parameters", ())
    ]
    if body := operation.get("requestBody"):
        rows.append(f"| body | {_type(body['content']['application/json']['schema'])} | |")
    if rows:
        text += "\n| parameter | where | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"
    good = [(status, answer) for status, answer in operation["responses"].items() if int(status) < 400]
    for status, answer in good:
        kinds = [
            _type(content["schema"]) if kind == "application/json" else f"`{kind}`"
            for kind, content in answer.get("content", {}).items()
            if kind != "application/json" or content.get("schema")
        ]
        said = "" if answer["description"] == "Successful Response" else f" {answer['description']}"
        text += f"\nAnswers {status}: {' or '.join(kinds)}.{said}\n"
    return text


def _data(name: str, one: dict[str, Any]) -> str:
    text = f"\n### {name}\n\n{_words(one.get('description', ''))}\n"
    if "enum" in one:
        return text + f"\nOne of {', '.join(f'`{value}`' for value in one['enum'])}.\n"
    rows = [
        f"| `{field}`{'' if field in one.get('required', ()) else ' (optional)'} | {_type(kind)} | "
        f"{_words(kind.get('description', ''))} |"
        for field, kind in one.get("properties", {}).items()
    ]
    return text + ("\n| field | type | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n" if rows else "")


def _type(schema: dict[str, Any]) -> str:
    """A type in words; those of this page are links."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema['items'])}" if "items" in schema else "list"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) and inner else "object"
    return str(kind)


def _words(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    made = document()
    (REFERENCE / "openapi.json").write_text(json.dumps(made, indent=1) + "\n")
    (REFERENCE / "http.md").write_text(reference(made))
    sys.stdout.write(f"{REFERENCE}/http.md and openapi.json written\n")
