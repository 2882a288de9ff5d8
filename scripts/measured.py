#!/usr/bin/env python
"""Write the numbers of the documentation: every measured block is what a command prints, put there by this script.

A block stands in a page between ``<!-- measured:NAME -->`` and ``<!-- /measured -->``. ``scripts/measured.py NAME``
runs its commands and writes it anew; a word such as ``oz`` means all blocks that begin with it. Campaigns are kept in
``build/measured``: stopped and called again, it goes on with what is there. ``--list`` tells which blocks there are and
``--check`` compares instead of writing. Small blocks are compared by the tests, digit by digit.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "measured"
BLOCK = re.compile(r"<!-- measured:([\w-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BAD_INPUT = 2
TOOK = re.compile(r"\d[\d,]* runs in ")
FILE = re.compile(r"# ([\w/]+\.py)(, continued)?\n")
WALL = re.compile(r"(?<= in )\d+(\.\d+)? s(?=\b)")
"""How long something took on the wall clock: the one number in what is printed that is another each time."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One block: the page it stands in, what makes its text, and whether that is quick enough for a test."""

    name: str
    page: str
    make: Callable[[], str]
    small: bool = False

    @property
    def path(self) -> Path:
        return ROOT / self.page

    def shown(self) -> str:
        """The text in the page now."""
        found = {match[1]: match[2] for match in BLOCK.finditer(self.path.read_text())}
        if self.name not in found:
            sys.exit(f"{self.page} has no block {self.name!r}. Wanted: <!-- measured:{self.name} --> and its end.")
        return found[self.name]

    def write(self, text: str) -> None:
        """Put the text into the page."""
        page = self.path.read_text()
        self.path.write_text(BLOCK.sub(lambda m: _block(self.name, text) if m[1] == self.name else m[0], page))


def _block(name: str, text: str) -> str:
    return f"<!-- measured:{name} -->\n{text.rstrip()}\n<!-- /measured -->"


def same(shown: str, made: str) -> bool:
    """Whether two texts are the same but for times on the wall clock."""
    return WALL.sub("_", shown).strip() == WALL.sub("_", made).strip()


def command(words: str, folder: Path, *, codes: Sequence[int] = (0, 1)) -> str:
    """What a command prints; its exit code must be one of ``codes``."""
    given = shlex.split(words, comments=True)
    program = {"stressfield": ["-m", "stressfield"], "pytest": ["-m", "pytest"]}.get(given[0])
    if program is None:
        sys.exit(f"Cannot run {words!r} here. Wanted stressfield or pytest.")
    folder.mkdir(parents=True, exist_ok=True)
    print(f"  $ {words}", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, *program, *given[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode not in codes:
        sys.exit(f"{words!r} ended with exit code {done.returncode}, wanted one of {tuple(codes)}:\n{done.stderr}")
    return done.stderr if done.returncode == BAD_INPUT else done.stdout  # progress is told on the other channel


# Sessions: what a person types and sees.


def session(page: str, name: str) -> str:
    """A fenced block of a page with what its commands print, after all that the page does before it."""
    found = _sessions(page)
    if name not in found:
        sys.exit(f"{page} has no session {name!r}.")
    return found[name]


@cache
def _sessions(page: str) -> dict[str, str]:
    """All sessions of a page by name.

    Files that the page writes are written, its commands typed in order, in an empty folder.
    """
    text = (ROOT / page).read_text()
    names = {match.start(2): match[1] for match in BLOCK.finditer(text)}
    found = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if page != "docs/tutorial.md":  # other pages speak of the file that the tutorial writes
            shutil.copy(ROOT / "examples" / "yard.py", folder)
        for fence in FENCE.finditer(text):
            name = names.get(fence.start())
            if fence[1] == "python" and (file := FILE.match(fence[2])):
                path, code = folder / file[1], fence[2][file.end() :]
                path.write_text((path.read_text() + "\n\n" if file[2] else "") + code)
            elif fence[1] == "console" or name:
                lines = list(_typed(fence[2], folder))
                if name:
                    found[name] = f"```{fence[1]}\n" + "\n".join(lines) + "\n```"
    return found


def _typed(text: str, folder: Path) -> Iterator[str]:
    shown = text.splitlines()
    places = [place for place, line in enumerate(shown) if line.startswith("$ ")]
    for place, end in zip(places, [*places[1:], len(shown)], strict=True):
        yield shown[place]
        if shown[place] == "$ echo $?":
            yield from shown[place + 1 : end]
            continue
        # What was printed of the folder is of this machine alone.
        printed = command(shown[place][2:], folder, codes=(0, 1, 2)).replace(f"{folder}/", "").rstrip().splitlines()
        if end > place + 1:  # a page that shows nothing of it goes on showing nothing
            yield from (line.rstrip() for line in printed)


# Experiments: what a study prints, and tables of its page.


def experiment(words: str, folder: str, *, tables: Sequence[str] = ()) -> str:
    """What an experiment says, but for how long it took, and the tables of its page whose titles begin so."""
    printed = command(f"{words} --out {folder}", KEPT)
    said = [line.strip() for line in printed.splitlines() if line.strip() and not line.strip().startswith("build")]
    said = [line for line in said if not line.startswith(folder) and not TOOK.match(line)]
    parts = [f"`{words}` says:", "```text\n" + "\n".join(said) + "\n```"]
    parts += list(_tables((KEPT / folder / "report.md").read_text(), tables))
    return "\n\n".join(parts)


def _tables(markdown: str, titles: Sequence[str]) -> Iterator[str]:
    parts = markdown.split("\n\n")
    for title in titles:
        for place, part in enumerate(parts):
            if part.startswith(f"**{title}"):
                yield f"{part}\n\n{parts[place + 1]}"
                break
        else:
            sys.exit(f"The page of the experiment has no table {title!r}.")


def campaign(words: str, folder: str) -> Path:
    """A campaign, done once: its folder. What is there is continued, or begun again if it is of another version."""
    if (KEPT / folder / "campaign.toml").exists():
        with suppress(SystemExit):
            command(f"stressfield resume {folder} --no-report", KEPT)
            return KEPT / folder
    command(f"{words} --out {folder} --overwrite", KEPT)
    return KEPT / folder


def _published(folder: Path) -> str:
    """The tables of a campaign that stand beside published ones."""
    summary = folder / "summary.md"
    command(f"stressfield report {folder} --summary {summary}", KEPT)
    return summary.read_text().partition("### Published figures")[2].partition("\n\nAgain:")[0].strip()


def _headline(folder: Path) -> str:
    return command(f"stressfield results {folder}", KEPT).splitlines()[1].strip()


def oz() -> str:
    words = "stressfield run oz --worlds 80 --repeats 5 --seed 7 --profile published --build"
    release, fixed = campaign(f"{words} release", "oz-release"), campaign(f"{words} fixed", "oz-fixed")
    return "\n\n".join(
        [
            f"`{words} release`: {_headline(release)}.",
            _published(release),
            f"`{words} fixed`: {_headline(fixed)}.",
        ]
    )


def oz_strict() -> str:
    words = "stressfield run oz --worlds 80 --repeats 5 --seed 7 --build fixed"
    return f"`{words}`: {_headline(campaign(words, 'oz-strict'))}."


def _agreement(study: str, build: str, worlds: int, template: str) -> tuple[str, str]:
    """How many verdicts of two campaigns are the same: in two simulators, and with two seeds in one."""
    from stressfield.campaign import load  # noqa: PLC0415 (slow to import, and needed only here)

    base = f"stressfield run {study} --worlds {worlds} --seed 7 --build {build} --template {shlex.quote(template)}"
    name = f"agree-{study}-{build}-{worlds}"
    folders = [campaign(f"{base} --repeats 2", f"{name}-kinematic"), campaign(f"{base} --sim mujoco", f"{name}-mujoco")]
    plain, other = (load(folder) for folder in folders)
    verdicts = [
        {judged.run.scenario_id: [(v.property, v.outcome) for v in judged.verdicts] for judged in results.runs
         if judged.run.repeat == repeat}
        for results, repeat in ((plain, 0), (plain, 1), (other, 0))
    ]  # fmt: skip
    shared = [sum(verdicts[0][name] == against.get(name) for name in verdicts[0]) for against in verdicts[1:]]
    failing = [
        sum(any(outcome == "fail" for _, outcome in told) for told in by_world.values())
        for by_world in (verdicts[0], verdicts[2])
    ]
    same_seed, same_sim = f"{shared[1]} of {worlds}", f"{shared[0]} of {worlds}"
    label = f"{study}, `{build}`, {worlds} worlds of `{template}`"
    return label, f"| {label} | {same_seed} | {same_sim} | {failing[0]} and {failing[1]} |"


def simulators() -> str:
    rows = [
        _agreement("oz", "release", 16, "r")[1],
        _agreement("mana", "fixed", 12, "(4-1.0)-(4.0-0.5-0.0)")[1],
        _agreement("mana", "fixed", 10, "(5-2.5)-(10.0-0.5-0.0)")[1],
    ]
    head = (
        "| study, build, worlds | the same verdicts | kinematic against kinematic with another run seed "
        "| runs that fail, kinematic and mujoco |\n| --- | --- | --- | --- |"
    )
    return "\n".join([head, *rows])


def guards() -> str:
    """The guards of the hospital's robots in random tests, and what the same tests do without them."""
    from stressfield.analysis import summarise  # noqa: PLC0415
    from stressfield.campaign import load  # noqa: PLC0415

    words = "stressfield search hospital firstExperiment --strategy random --evaluations 30 --seed 5 --build"
    without, guarded = (
        summarise(load(campaign(f"{words} {build}", f"guards-{build}"))) for build in ("fixed", "monitored")
    )
    hits, misses, alarms = (
        sum(getattr(score, part) for score in guarded.monitors) for part in ("hits", "misses", "false_alarms")
    )
    total = [
        {
            name: sum(judged.metrics[name] for judged in found.results.runs)
            for name in ("wallContacts", "completedRooms")
        }
        for found in (without, guarded)
    ]
    return (
        f"`{words} monitored` and the same with `fixed`: {hits} hits, {misses} misses, {alarms} false alarms. Contacts "
        f"with walls {total[0]['wallContacts']:g} without guards, {total[1]['wallContacts']:g} with them; rooms done "
        f"{total[0]['completedRooms']:g} of 270 without, {total[1]['completedRooms']:g} with."
    )


FAULTS = tuple((study, 1) for study in ("oz", "mana", "hospital", "tabletop"))
"""Studies and seeds of faults. The properties were made with this seed in view."""


def mutants() -> str:
    """Fifty faults in the robot of each study: who sees them."""
    words = "stressfield mutants {} --build fixed --mutants 50 --worlds 10 --seed {}"
    seers = "by verdicts", "or `compare`"
    columns = "mutants", "that matter", *seers, "changed by a tenth", *seers
    lines = [f"| study | seed | {' | '.join(columns)} | false alarms: runs | campaigns |", "| --- |" + " ---: |" * 10]
    total = [0] * 7
    for study, seed in FAULTS:
        printed = command(f"{words.format(study, seed)} --out mutants-{study}-{seed} --json", KEPT)
        found, numbers = json.loads(printed), []
        for count, shares in (("meaningful", "seen_by"), ("changed_by_a_tenth", "changed_by_a_tenth_seen_by")):
            seen = [found[f"{shares}_{who}"] or 0.0 for who in ("verdict", "verdict_or_comparison")]
            numbers += [found[count], *(round(found[count] * share) for share in seen)]
        numbers, alarms = [found["mutants"], *numbers], found["false_alarms"]
        total = [before + now for before, now in zip(total, numbers, strict=True)]
        lines.append(
            f"| {study} | {seed} | {' | '.join(map(str, numbers))} | {alarms['failed']} of {alarms['runs']} "
            f"| {alarms['worse']} of {alarms['campaigns']} |"
        )
    lines.append(f"| all | | {' | '.join(map(str, total))} | | |")
    share = [f"{100.0 * part / total[at]:.0f} %" for at, parts in ((1, total[2:4]), (4, total[5:])) for part in parts]
    told = f"So verdicts alone see {share[0]} of the mutants that matter, with `compare` {share[1]} are seen; "
    lines += ["", f"{told}of all that changed by a tenth, by chance or not, {share[2]} and {share[3]}."]
    return f"`{words.format('STUDY', 'SEED')}`:\n\n" + "\n".join(lines)


def _benchmark(name: str, path: str) -> ModuleType:
    """A program of benchmarks/, whose functions make tables."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / path)
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = bench
    spec.loader.exec_module(bench)
    return bench


@cache
def _comparisons() -> dict[str, str]:
    bench = _benchmark("bench_compare", "bench_compare.py")
    tables: dict[str, str] = bench.tables(KEPT / "compare", list(bench.STUDIES), PAIRS, None)
    return tables


def scale(table: str) -> str:
    """A table of the plan for a billion runs, from what benchmarks/scale/measured.json keeps of measurements."""
    tables: dict[str, str] = _benchmark("bench_scale", "scale/__main__.py").tables()
    return tables[table]


def hospital() -> str:
    words = "stressfield run hospital --worlds 100 --repeats 1 --seed 2026"
    return f"`{words}`: {_headline(campaign(words, 'hospital-100'))}."


EXAMPLES = "../../examples/"
"""From where commands run to the examples."""


def _need_barn() -> None:
    """The few worlds that everybody has would give other numbers, which must not be taken for these."""
    if not os.environ.get("STRESSFIELD_BARN"):
        sys.exit("Set STRESSFIELD_BARN to the folder of all even BARN worlds and of dwa-runs-even.csv.")


def calibration_barn() -> str:
    _need_barn()
    with tempfile.TemporaryDirectory() as out:
        return benchmark(f"python benchmarks/calibration_barn.py --out {out}").replace(f" --out {out}", "")


def _barn(words: str, folder: str, *, tables: Sequence[str] = ()) -> str:
    """An experiment of an example, with all worlds: they are not a part of this repository."""
    _need_barn()
    return experiment(words, folder, tables=tables).replace(EXAMPLES, "examples/")


def barn_speed() -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "bench_barn.py"], capture_output=True, text=True, check=True,
        env={name: value for name, value in os.environ.items() if name != "STRESSFIELD_BARN"},
    )  # fmt: skip
    return f"`python benchmarks/bench_barn.py`:\n\n```text\n{done.stdout.rstrip()}\n```"


def benchmark(words: str) -> str:
    """What a program of ``benchmarks`` prints."""
    done = subprocess.run(
        [sys.executable, *shlex.split(words.removeprefix("python "))],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return f"`{words}`:\n\n{done.stdout.strip()}"


def calibrate_course() -> str:
    """What a person sees who follows the page: a run in MuJoCo, its bag, and what that suggests."""
    from datetime import UTC, datetime  # noqa: PLC0415 (needed only here)

    from stressfield.campaign import load  # noqa: PLC0415 (slow to import, and needed only here)
    from stressfield.trace import read_trace  # noqa: PLC0415
    from stressfield.trace.bags import write_bag  # noqa: PLC0415

    page = (ROOT / "docs/how-to/calibrate.md").read_text()
    run, show = (
        next(line[2:] for line in page.splitlines() if line.startswith(f"$ stressfield {verb}"))
        for verb in ("run", "calibrate")
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(ROOT / "examples" / "course.py", folder)
        command(run, folder)
        trace = read_trace(folder / "runs/field" / str(load(folder / "runs/field").runs[0].run.trace_file))
        write_bag(trace, folder / "monday", start=datetime(2026, 11, 16, 12, 30, 45, tzinfo=UTC))
        return f"```text\n{command(show, folder).rstrip()}\n```"


def _shrunk(file: str, words: str, folder: str) -> str:
    """A campaign of an example, its first finding made small, and that seen again."""
    commands = (
        f"stressfield run {EXAMPLES}{file} {words} --no-report --out {folder} --overwrite",
        f"stressfield shrink {folder} F1 --out {folder}-small --overwrite",
        f"stressfield replay {folder}-small F1",
    )
    env = os.environ.pop("STRESSFIELD_BARN", None)  # the worlds that everybody has
    try:
        lines = [line for words in commands for line in (f"$ {words}", *command(words, KEPT).rstrip().splitlines())]
    finally:
        if env is not None:
            os.environ["STRESSFIELD_BARN"] = env
    shown = "\n".join(line.rstrip() for line in lines).replace(EXAMPLES, "examples/").replace(" --overwrite", "")
    return f"```text\n{shown}\n```"


def navground_shrink() -> str:
    """A behaviour that stands still for good, and the rows of the field that it takes."""
    worlds = "--vary world=world_10.world,world_138.world,world_264.world --repeats 3"
    return _shrunk("barn_navground.py", f"--build hrvo {worlds}", "navground-hrvo")


def warehouse() -> str:
    """Who was met in the warehouse, and how often its properties failed."""
    words = f"stressfield run {EXAMPLES}warehouse.py --worlds 100 --repeats 3"
    folder = campaign(f"{words} --no-report", "warehouse")
    lines = command(f"stressfield results {folder} --details", KEPT).splitlines()
    first = next(n for n, line in enumerate(lines) if line.split()[:2] == ["property", "pass"])
    table = lines[first : next(n for n in range(first, len(lines)) if not lines[n].strip())]
    shown = "\n".join(line.rstrip() for line in table)
    return f"`{words.replace(EXAMPLES, 'examples/')}`: {_headline(folder)}.\n\n```text\n{shown}\n```"


def who_matters() -> str:
    """A crowded world of the warehouse, made small: the one who matters is left."""
    folder = campaign(f"stressfield run {EXAMPLES}warehouse.py --worlds 100 --repeats 3 --no-report", "warehouse").name
    words = f"stressfield shrink {folder} F1 --world 86"
    printed = command(f"{words} --no-report --overwrite", KEPT).rstrip()
    return f"```text\n$ {words}\n{printed}\n```"


CLIMBS = (
    ("oz, `release`", "run oz --build release --profile published --worlds 12", "oz"),
    (
        "oz, `release`, `late_stop`",
        "run oz --build release --option late_stop=true --profile published --worlds 24",
        "oz-late-stop",
    ),
    (
        "oz, `fixed`, `downhill_overspeed`",
        "run oz --build fixed --option downhill_overspeed=true --profile published --with P4 --worlds 10",
        "oz-downhill",
    ),
    ("mana, rough ground", 'run mana --template "(5-2.0)-(6.0-0.5-0.0)" --worlds 8', "mana"),
    ("warehouse", f"run {EXAMPLES}warehouse.py --worlds 16", "warehouse"),
)
"""Campaigns whose findings are asked again in MuJoCo; with what ``stressfield`` begins them, and their folder."""


def _climbed() -> Iterator[tuple[str, dict[str, Any]]]:
    for title, words, folder in CLIMBS:
        place = f"confirm-{folder}"
        if not (KEPT / place / "campaign.toml").exists():
            command(f"stressfield {words} --repeats 1 --seed 7 --no-report --out {place}", KEPT)
        said = command(f"stressfield confirm {place} --sim mujoco --passing 4 --repeats 6 --json", KEPT)
        yield title, json.loads(said)


def confirmations() -> str:
    """What of each campaign holds in MuJoCo, what that says of the kinematic simulator, and what it cost."""
    heads = ("campaign", "worlds up", "confirmed", "only below", "only above", "undecided", "precision", "recall")
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' --- |' * (len(heads) - 1)}"]
    for title, found in _climbed():
        counts = found["counts"]
        named = {
            call: [each["property"] + _case(each) for each in found["findings"] if each["call"] == call]
            for call in counts
        }
        cells = [f"{counts[call]}{': ' + ', '.join(named[call]) if named[call] else ''}" for call in counts]
        went = [sum(world["failed"] is kind for world in found["worlds"]) for kind in (True, False)]
        shares = [_interval(found[name]) for name in ("precision", "recall")]
        lines.append(f"| {' | '.join([title, f'{went[0]} failing, {went[1]} passing', *cells, *shares])} |")
    return "\n".join(lines)


def confirmation_costs() -> str:
    """How much the ladder took, as ratios of one run of the script."""
    heads = (
        "campaign",
        "runs: campaign, below, above",
        "ladder against all worlds above, repeated alike",
        "against all its runs above, once",
    )
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: |' * (len(heads) - 1)}"]
    for title, found in _climbed():
        cost = found["cost"]
        runs = sum(found["campaign_worlds"].values())
        ratios = [f"{cost['ladder_s'] / cost[name]:.2g}" for name in ("everything_sure_s", "everything_s")]
        lines.append(f"| {title} | {runs}, {cost['runs_below']}, {cost['runs_above']} | {ratios[0]} | {ratios[1]} |")
    return "\n".join(lines)


def twin() -> str:
    """What the benchmark of the twin prints."""
    words = [sys.executable, str(ROOT / "benchmarks" / "bench_twin.py"), "--recordings", "200"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def twin_memory() -> str:
    """What the benchmark of the twin's memory prints."""
    words = [sys.executable, str(ROOT / "benchmarks" / "bench_twin_memory.py"), "--hours", "4", "--looks", "1"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _case(each: dict[str, Any]) -> str:
    return f".{each['subcase']}" if each["subcase"] else ""


def _interval(estimate: dict[str, float] | None) -> str:
    if estimate is None:
        return "unknown"
    return f"{100 * estimate['share']:.0f} % [{100 * estimate['low']:.0f}, {100 * estimate['high']:.0f}]"


def _session(name: str, page: str, *, small: bool = False) -> Measurement:
    return Measurement(name, page, lambda: session(page, name), small)


PAIRS = 200
"""Of campaigns of one build that are compared, for each rate of false alarms."""
STUDIES = "docs/studies/"
CALIBRATE = "docs/how-to/calibrate.md"
MEASUREMENTS = (
    _session("tutorial-mistake", "docs/tutorial.md", small=True),
    _session("tutorial-run", "docs/tutorial.md", small=True),
    _session("tutorial-replay", "docs/tutorial.md", small=True),
    _session("tutorial-compare", "docs/tutorial.md", small=True),
    _session("tutorial-edit", "docs/tutorial.md", small=True),
    _session("shrink", "docs/how-to/shrink.md"),
    Measurement("statistics-alarms", "docs/statistics.md", lambda: _comparisons()["false alarms"]),
    Measurement("statistics-power", "docs/statistics.md", lambda: _comparisons()["power"]),
    _session("mutants-yard", "docs/how-to/mutants.md"),
    Measurement("mutants-studies", "docs/how-to/mutants.md", mutants),
    Measurement("simulators", "docs/how-to/simulators.md", simulators),
    Measurement("twin", "docs/how-to/twin.md", twin),
    Measurement("twin-memory", "docs/how-to/twin.md", twin_memory),
    Measurement("confirm", "docs/how-to/confirm.md", confirmations),
    Measurement("confirm-cost", "docs/how-to/confirm.md", confirmation_costs),
    *(
        Measurement(f"scale-{table}", "docs/scale.md", partial(scale, table), small=True)
        for table in ("campaigns", "memory", "reports", "model", "simulated", "driver")
    ),
    Measurement("oz", f"{STUDIES}oz.md", oz),
    Measurement("oz-strict", f"{STUDIES}oz.md", oz_strict),
    Measurement("oz-faults", f"{STUDIES}oz.md", lambda: experiment("stressfield experiment oz faults", "oz-faults")),
    Measurement(
        "mana",
        f"{STUDIES}mana.md",
        lambda: experiment(
            "stressfield experiment mana all", "mana", tables=("Published thresholds", "Colliding runs")
        ),
    ),
    Measurement(
        "barn",
        f"{STUDIES}barn.md",
        lambda: _barn(f"stressfield experiment {EXAMPLES}barn.py published", "barn", tables=("Worlds",)),
    ),
    Measurement("barn-speed", f"{STUDIES}barn.md", barn_speed),
    Measurement(
        "navground",
        f"{STUDIES}navground.md",
        lambda: _barn(
            f"stressfield experiment {EXAMPLES}barn_navground.py behaviours", "navground", tables=("Behaviours",)
        ),
    ),
    Measurement("navground-shrink", f"{STUDIES}navground.md", navground_shrink),
    Measurement(
        "navground-warehouse",
        f"{STUDIES}navground.md",
        lambda: experiment(
            f"stressfield experiment {EXAMPLES}warehouse_navground.py behaviours",
            "navground-warehouse",
            tables=("Behaviours",),
        ).replace(EXAMPLES, "examples/"),
    ),
    Measurement(
        "navground-warehouse-shrink",
        f"{STUDIES}navground.md",
        lambda: _shrunk("warehouse_navground.py", "--build hl --worlds 30 --repeats 3", "navground-hl"),
    ),
    Measurement("people", "docs/how-to/people.md", warehouse),
    Measurement("people-shrink", "docs/how-to/people.md", who_matters),
    Measurement("calibrate-course", CALIBRATE, calibrate_course),
    Measurement("calibration-truth", CALIBRATE, lambda: benchmark("python benchmarks/calibration_truth.py")),
    Measurement(
        "calibration-truth-kinematic",
        CALIBRATE,
        lambda: benchmark("python benchmarks/calibration_truth.py --field kinematic --draws 40"),
    ),
    Measurement(
        "calibration-agreement", CALIBRATE, lambda: benchmark("python benchmarks/calibration_agreement.py mana oz")
    ),
    Measurement("calibration-barn", CALIBRATE, calibration_barn),
    Measurement("hospital", f"{STUDIES}hospital.md", hospital),
    Measurement(
        "hospital-example",
        f"{STUDIES}hospital.md",
        lambda: experiment("stressfield experiment hospital example", "hospital-example", tables=("Metrics",)),
    ),
    Measurement("hospital-guards", f"{STUDIES}hospital.md", guards),
    Measurement(
        "hospital-conditions",
        f"{STUDIES}hospital.md",
        lambda: experiment(
            "stressfield experiment hospital conditions", "hospital-conditions", tables=("Conditions and windows",)
        ),
    ),
    Measurement(
        "hospital-nsga2",
        f"{STUDIES}hospital.md",
        lambda: experiment("stressfield experiment hospital nsga2 --seeds 4", "hospital-nsga2", tables=("Campaigns",)),
    ),
    Measurement(
        "tabletop-pick-and-place",
        f"{STUDIES}tabletop.md",
        lambda: experiment(
            "stressfield experiment tabletop pick-and-place",
            "tabletop-pp",
            tables=("Scores of the builds", "Build release, first 15 runs", "Which property tells"),
        ),
    ),
)


def chosen(names: Sequence[str]) -> list[Measurement]:
    """The blocks of these names, or that begin with one of them; all without names."""
    found = [
        m for m in MEASUREMENTS if not names or any(m.name == name or m.name.startswith(f"{name}-") for name in names)
    ]
    if not found:
        sys.exit(f"Unknown blocks {', '.join(names)}. There are: {', '.join(m.name for m in MEASUREMENTS)}.")
    return found


def main() -> None:
    """Write, compare or list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help="blocks, or what their names begin with; default: all")
    parser.add_argument("--check", action="store_true", help="compare with the pages instead of writing them")
    parser.add_argument("--list", action="store_true", help="tell which blocks there are")
    asked = parser.parse_args()
    different = 0
    for measurement in chosen(asked.names):
        if asked.list:
            print(f"{measurement.name:<24} {measurement.page}")
            continue
        print(f"{measurement.name} in {measurement.page}", file=sys.stderr, flush=True)
        made = measurement.make()
        if not asked.check:
            measurement.write(made)
        elif not same(measurement.shown(), made):
            different += 1
            print(f"DIFFERENT {measurement.name}:\n{made}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
