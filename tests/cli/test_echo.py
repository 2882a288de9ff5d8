"""What robots say is shown on the terminal, never obeyed by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stressfield import cli
from stressfield._files.json_text import dump_json
from stressfield._files.plain_text import keepable, visible
from stressfield.campaign import Plan, run_campaign
from stressfield.cli import main
from stressfield.cli.echo import echo

STUDY = """
from dataclasses import replace
import sys
sys.path.insert(0, {toy!r})
import toy
from stressfield.study import Build

def crash(text):
    def quirk(gap_m):
        raise RuntimeError(text)
    return toy.node(0.3, quirk)

WORDS = {words!r}
study = replace(toy.study, subject=tuple(Build(name, name, crash(text)) for name, text in WORDS.items()))
"""
TOY = str(Path(__file__).parents[1] / "campaign")
TITLE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202ecod.exe"


def crashed(tmp_path: Path, text: str) -> Path:
    """A campaign whose robot crashes with these words."""
    (tmp_path / "study.py").write_text(STUDY.format(toy=TOY, words={"crashes": text}))
    plan = Plan(study=str(tmp_path / "study.py"), build="crashes", seed=1, worlds=2, repeats=1)
    run_campaign(plan, tmp_path / "c", in_process=True, export_worlds=False)
    return tmp_path / "c"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_escape_sequences_are_shown(
    tmp_path: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = crashed(tmp_path, TITLE)
    with pytest.raises(SystemExit):
        main(["results", str(folder), *options])
    shown = capsys.readouterr().out
    assert "owned" in shown or options
    assert not set(shown) & set("\x1b\x07\x9b\r\u202e")


def test_errors_are_shown_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["results", str(tmp_path / TITLE)])
    assert not set(capsys.readouterr().err) & set("\x1b\x07\x9b\r\u202e")


def test_words_that_no_file_can_hold_do_not_stop_a_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the name of a file that is not UTF-8 comes out of Python."""
    folder = crashed(tmp_path, "cannot open map-\udcff.pgm")
    with pytest.raises(SystemExit) as ended:
        main(["report", str(folder), "--junit", str(tmp_path / "j.xml"), "--allure", str(tmp_path / "a")])
    assert ended.value.code == 3, "nothing was judged"
    assert "map-\\udcff.pgm" in (folder / "report.html").read_text(encoding="utf-8")
    assert "map-\\udcff.pgm" in (tmp_path / "j.xml").read_text(encoding="utf-8")


def test_long_words_are_cut(tmp_path: Path) -> None:
    folder = crashed(tmp_path, "x" * 5_000_000)
    assert (folder / "results.sqlite").stat().st_size < 500_000
    assert keepable("x" * 10_005).endswith("xx ... and 5 more characters")


def test_what_is_shown_of_a_text() -> None:
    assert visible("a\tb\nc å \N{NO-BREAK SPACE}漢 \N{ROBOT FACE}") == "a\tb\nc å \N{NO-BREAK SPACE}漢 \N{ROBOT FACE}"
    assert visible("\x1b[1m\x85\u2067\ud800") == "\\x1b[1m\\x85\\u2067\\ud800"
    assert json.loads(dump_json(["\x85\u2067\x1b"])) == ["\x85\u2067\x1b"]
    assert dump_json(["\x85\u2067\x1b"]).isascii()


def test_every_verb_prints_this_way(capsys: pytest.CaptureFixture[str]) -> None:
    sources = [path for path in Path(cli.__file__).parent.glob("*.py") if path.name != "echo.py"]
    assert [path.name for path in sources if "typer.echo" in path.read_text(encoding="utf-8")] == []
    echo("to \x1b[31mred", err=True)
    assert capsys.readouterr().err == "to \\x1b[31mred\n"
