"""Every snippet of the documentation is executed, page by page, in an empty folder, with small numbers.

A ``python`` block whose first line is a file name in a comment (``# yard.py``) is saved under that name, or added to it
(``# yard.py, continued``); any other is run. In a ``console`` block the lines ``$ stressfield ...`` and
``$ pytest ...`` are run; the exit code must be 0 or 1, or what the page shows after ``$ echo $?``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import PAGES, ROOT, Block, blocks, name_of

MOST = {"--worlds": 5, "--repeats": 2, "--stressfield-runs": 4}
BESIDE = {
    "docs/how-to/calibrate.md": ROOT / "examples" / "course.py",
    "docs/how-to/disturb.md": ROOT / "examples" / "yard.py",
    "docs/how-to/extend.md": ROOT / "examples" / "yard.py",
    "docs/how-to/field-recordings.md": ROOT / "examples" / "yard.py",
    "docs/how-to/pytest.md": ROOT / "examples" / "yard.py",
    "docs/how-to/tables.md": ROOT / "examples" / "yard.py",
    "docs/how-to/twin.md": ROOT / "examples" / "yard.py",
}
"""Pages that speak of a file which another page writes."""
MOST_OZ = {"--worlds": 1, "--repeats": 1}
SMALL_OZ = "0.02-(1-r-6.0-r-(cabbage-0.5)-5.0-0.0-0.0-(0-0.0)-r-r-r)-(true-true-left)"
"""One short row, both sides of it: a single U-turn."""
_FILE = re.compile(r"# ([\w/]+\.py)(, continued)?\n")
_BIN = Path(sys.executable).parent


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "error"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def small(words: list[str]) -> list[str]:
    """The same command with numbers that a test can afford."""
    most = MOST_OZ if "oz" in words else MOST
    words = list(words)
    for at, word in enumerate(words[:-1]):
        if word in most:
            words[at + 1] = str(min(int(words[at + 1]), most[word]))
    if words[1:3] == ["run", "oz"]:
        return [*words, "--template", SMALL_OZ]
    return [*words, "--quick", "--only", "I2"] if words[-1] == "faults" else words


def run_python(block: Block, page: Path, folder: Path) -> None:
    named = _FILE.match(block.text)
    if named:
        path, code = folder / named[1], block.text[named.end() :]
        path.write_text((path.read_text() + "\n\n" if named[2] else "") + code)
        return
    done = run([sys.executable, "-c", block.text], folder)
    assert done.returncode == 0, f"{name_of(page)}:{block.line}\n{done.stderr}"


def run_console(block: Block, page: Path, folder: Path) -> None:
    lines = [*block.text.splitlines(), ""]
    commands = [(at, line[2:]) for at, line in enumerate(lines) if line.startswith("$ ")]
    for (at, command), (then, following) in zip(commands, [*commands[1:], (0, "")], strict=True):
        words = shlex.split(command, comments=True)
        if words[0] == "echo":
            continue
        known = words[0] in {"stressfield", "pytest"}
        assert known, f"{name_of(page)}:{block.line + at}: only stressfield and pytest are run here: {command}"
        wanted = {int(lines[then + 1])} if following == "echo $?" else {0, 1}
        done = run(small(words), folder)
        where = f"{name_of(page)}:{block.line + at + 1}\n$ {command}\n{done.stdout}\n{done.stderr}"
        assert done.returncode in wanted, where


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_snippet_runs(page: Path, tmp_path: Path) -> None:
    if name_of(page) in BESIDE:
        shutil.copy(BESIDE[name_of(page)], tmp_path)
    for block in blocks(page):
        if block.language == "python" and page != ROOT / "README.md":  # a part of the example: see below
            run_python(block, page, tmp_path)
        elif block.language == "console":
            run_console(block, page, tmp_path)


def test_the_tutorial_writes_the_example() -> None:
    files = [b.text for b in blocks(ROOT / "docs" / "tutorial.md") if b.text.startswith("# yard.py")]
    written = "\n".join(text.partition("\n")[2] for text in files[:-1])
    example = (ROOT / "examples" / "yard.py").read_text()
    assert [line for line in written.splitlines() if line] == [line for line in example.splitlines() if line]


def test_the_readme_shows_the_example() -> None:
    example = (ROOT / "examples" / "yard.py").read_text()
    for block in blocks(ROOT / "README.md"):
        if block.language == "python":
            assert block.text.strip() in example
