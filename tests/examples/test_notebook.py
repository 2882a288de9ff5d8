"""The notebook of the examples runs from top to bottom."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"


# The kernel's own libraries warn of transports and of what they will do some day.
@pytest.mark.filterwarnings("default")
def test_margins() -> None:
    notebook = nbformat.read(EXAMPLES / "margins.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("worlds=40", "worlds=6")
    resources = {"metadata": {"path": str(EXAMPLES)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [set(output.get("data", ())) for cell in code for output in cell.outputs]
    assert any("image/png" in kinds for kinds in shown)
    assert "Stays 0.3 m away from people" in code[0].outputs[-1].data["text/html"]
