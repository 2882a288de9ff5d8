"""The published document is valid and true: a fuzzer that knows nothing but it finds no server error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from .conftest import Client

METHODS = {"get", "post", "put", "patch", "delete"}
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "negative_data_rejection,missing_required_header,unsupported_method,ignored_auth"
)


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def test_the_document_is_valid(served: Client) -> None:
    document = served.get("/api/openapi.json").json
    validate(document)
    assert len(operations(document)) > 20


def test_every_operation_is_described_with_its_errors(served: Client) -> None:
    document = served.get("/api/openapi.json").json
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        assert operation.get("summary"), where
        assert operation.get("description", "").rstrip().endswith("."), where
        assert operation.get("tags"), where
        assert operation.get("security") or document.get("security"), where
        wanted = {"400", "401", "403", "404", "421", "422"} | ({"409", "413"} if method == "post" else set())
        assert wanted <= set(operation["responses"]), where
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description"), f"{where} {parameter['name']}"
    named = {tag["name"] for tag in document["tags"]}
    assert {tag for _, _, operation in operations(document) for tag in operation["tags"]} <= named


@pytest.mark.parametrize("known", [False, True], ids=["any names", "names that are there"])
def test_schemathesis_finds_no_server_error(active: Client, tmp_path: Path, known: bool) -> None:
    """Streams without an end are left out. With names that are there it gets further than to a 404, so that is where
    all combinations are tried."""
    phases = "examples,coverage,fuzzing" if known else "examples,fuzzing"
    # too long is refused, too, before anything is read
    settings = "[checks.negative_data_rejection]\nexpected-statuses = [400, 401, 403, 404, 405, 409, 414, 422, 431]\n"
    if known:
        run = active.get("/api/campaigns/late/runs?limit=1").json
        first = run["rows"][0][[column["name"] for column in run["columns"]].index("run")]
        names = {"path.campaign": "late", "path.finding": "F1", "path.run": first, "path.job": "1",
                 "query.baseline": "late", "query.candidate": "raises"}  # fmt: skip
        settings += "[parameters]\n" + "".join(
            f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in names.items()
        )
    config = tmp_path / "schemathesis.toml"
    config.write_text(settings)
    command = [
        str(Path(sys.executable).with_name("st")), "--config-file", str(config), "run",
        f"http://127.0.0.1:{active.served.port}/api/openapi.json",
        "-H", f"Authorization: Bearer {active.served.token}", "-H", "X-Stressfield: 1",
        "--phases", phases, "--checks", CHECKS, "--max-examples", "6", "--seed", "1",
        "--exclude-path-regex", "/events$", "--no-color", "--generation-database", "none", "--continue-on-failure",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
