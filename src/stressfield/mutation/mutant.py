"""Mutants: which single faults are planted in a robot's files, and the files of each.

A mutant is chosen by a seed among all places of the robot's code that run in the worlds. It is kept as a study of its
own, beside copies of the files that differ: nothing of the user's is changed.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stressfield._files.disk import make_folder, write_file
from stressfield.mutation.robot_lines import RobotFile
from stressfield.mutation.site import Site, is_python, sites_of
from stressfield.mutation.source import Source, first_line, functions_around
from stressfield.provenance import source_files
from stressfield.seeds import generator

MUTANTS = "mutants"
"""Folder of the mutants' files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One fault: in which file, where, and what stands there instead."""

    number: int
    path: str
    """The original file."""
    operator: str
    line: int
    start: int
    end: int
    was: str
    now: str

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.number:03d}"

    @property
    def place(self) -> str:
        """``pilot.py:88``."""
        return f"{Path(self.path).name}:{self.line}"

    @property
    def words(self) -> str:
        """``0.9`` instead of ``1.0``, in one line."""
        was, now = (" ".join(text.split()) for text in (self.was, self.now))
        return f"{now} for {was}"

    def source(self) -> bytes:
        """The file with the fault."""
        text = Path(self.path).read_bytes()
        return text[: self.start] + self.now.encode() + text[self.end :]

    def diff(self, *, context: int = 2) -> str:
        """What differs, as a unified diff."""
        before, after = Path(self.path).read_text(encoding="utf-8"), self.source().decode()
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), self.path, f"mutant {self.number}", n=context, lineterm=""
        )
        return "\n".join(lines)


def possible_sites(files: Iterable[RobotFile], study: Sequence[Path]) -> list[tuple[str, bytes, Site]]:
    """All places of the robot's code that ran, and where nothing but the robot is changed.

    ``study`` are all files of the study: what they name outside of the robot's functions is not the robot's alone.
    """
    robots = {file.path: file for file in files}
    used, foreign = _names(robots, study)
    found = []
    for file in robots.values():
        source = Source(Path(file.path).read_bytes())
        for site in sites_of(source):
            if site.setting:
                ours = site.setting in used and site.setting not in foreign
                ours = ours and not set(file.shared).intersection(site.functions)
            else:
                ours = _ran(file, site.functions, site.anchor)
            if ours:
                found.append((file.path, source.text, site))
    return found


def _ran(file: RobotFile, functions: Sequence[int], lines: tuple[int, int]) -> bool:
    """Whether lines of these functions ran, as part of the robot and of nobody else."""
    within = range(lines[0], lines[1] + 1)
    ran = any(line in within for line in file.lines) or any(line in functions for line in file.compiled)
    return ran and not any(line in functions or line in within for line in file.shared)


def _names(robots: Mapping[str, RobotFile], study: Sequence[Path]) -> tuple[set[str], set[str]]:
    """Names that the robot's functions use, and those that anything else of the study uses."""
    used, foreign = set[str](), set[str]()
    for path in study:
        if path.suffix != ".py":
            continue
        source, file = Source(path.read_bytes()), robots.get(str(path))
        for node in ast.walk(source.tree):
            name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
            if name is None or isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            functions = functions_around(node, source.parents)
            within = (0, 0) if not functions else (functions[0].lineno, functions[0].end_lineno or 0)
            ours = file is not None and bool(functions) and _ran(file, list(map(first_line, functions)), within)
            (used if ours else foreign).add(name)
    return used, foreign


def choose(
    files: Iterable[RobotFile], study: Sequence[Path], *, count: int, seed: int
) -> tuple[tuple[Mutant, ...], int]:
    """So many mutants at different places, every place alike, and how many places there are.

    Who asks for more later gets the same ones first.
    """
    sites = possible_sites(files, study)
    order = generator(seed, "mutants").permutation(len(sites))
    mutants: list[Mutant] = []
    for path, text, site in (sites[place] for place in order):
        if len(mutants) == count:
            break
        variants = [variant for variant in site.variants if is_python(text, site, variant)]
        if variants:
            number = len(mutants) + 1
            mutants.append(
                Mutant(
                    number=number,
                    path=path,
                    operator=site.operator,
                    line=site.line,
                    start=site.start,
                    end=site.end,
                    was=text[site.start : site.end].decode(),
                    now=variants[int(generator(seed, "variant", number).integers(len(variants)))],
                )
            )
    return tuple(mutants), len(sites)


def write_mutant(mutant: Mutant, study: str, folder: Path) -> Path:
    """Write the study of a mutant and the files that it reads instead of the originals; returns the study's file."""
    place = folder / MUTANTS / mutant.name
    make_folder(place)
    original = Path(mutant.path)
    copies = {original: mutant.source()}
    copies |= {path: path.read_bytes() for path in _compiled_with(original, source_files(study))}
    names = {path: f"{number}_{path.name}" if number else path.name for number, path in enumerate(copies)}
    for path, content in copies.items():
        _write(place / names[path], content)
    rows = "".join(f"        {str(path)!r}: HERE / {mutant.name!r} / {names[path]!r},\n" for path in copies)
    text = (
        f'"""One fault: {mutant.operator}, {mutant.place}."""\n\n'
        "from pathlib import Path\n\n"
        "from stressfield.mutation import mutant_study\n\n"
        "HERE = Path(__file__).parent\n\n"
        f"study = mutant_study(\n    {study!r},\n    {{\n{rows}    }},\n)\n"
    )
    file = folder / MUTANTS / f"{mutant.name}.py"
    _write(file, text.encode())
    return file


def _write(path: Path, text: bytes) -> None:
    # numba recompiles what is newer than its cache: a file that is the same is left as it is
    if not path.exists() or path.read_bytes() != text:
        write_file(path, text)


def _compiled_with(changed_file: Path, files: Sequence[Path]) -> Iterator[Path]:
    """Other files whose compiled functions may hold code or constants of the changed one.

    numba would load their code from a cache that knows nothing of the change, unless they, too, lie elsewhere.
    """
    modules = [path for path in files if path.suffix == ".py"]
    imported = {path: _imports(path) for path in modules}
    reached, waiting = {changed_file}, [changed_file]
    while waiting:
        path = waiting.pop()
        name = path.parent.name if path.name == "__init__.py" else path.stem
        for other in modules:
            if other not in reached and name in imported[other]:
                reached.add(other)
                waiting.append(other)
    yield from (path for path in sorted(reached - {changed_file}) if b"numba" in path.read_bytes())


def _imports(path: Path) -> set[str]:
    """Last parts of all names that a file imports: more than its modules, which does no harm here."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found.update(part for name in names for part in name.split("."))
    return found
