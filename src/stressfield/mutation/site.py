"""Where faults can be planted: every place of a file, with what could stand there instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from stressfield.mutation.operators import OPERATORS, Operator, arithmetic, constant, sign
from stressfield.mutation.source import Function, Parents, Source, first_line, functions_around


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One place of a file, and what could stand there instead: each variant is a fault of its own."""

    operator: str
    """The kind of fault."""
    line: int
    start: int
    """Where the text begins, in bytes of the file."""
    end: int
    variants: tuple[str, ...]
    anchor: tuple[int, int]
    """First and last line of what has to be executed for the place to matter."""
    functions: tuple[int, ...]
    """First lines (of the decorators, if there are any) of the functions that it is in, the innermost first."""
    setting: str = ""
    """The name that is set, for a place outside of functions: a constant of the module or a class."""


SETTINGS = (arithmetic, constant, sign)
"""Kinds of faults of constants that a module or a class sets."""


def sites_of(source: Source) -> list[Site]:
    """All places of a file where a fault can be planted, from its beginning to its end."""
    found = []
    for node in ast.walk(source.tree):
        around = functions_around(node, source.parents)
        if not around:
            found += _setting_sites(source, node)
        elif not _left_out(node, around[0], source.parents):
            anchor, functions = _anchor(node, around[0], source.parents), tuple(map(first_line, around))
            for operator in OPERATORS:
                found += _sites(source, node, operator, anchor=anchor, functions=functions)
    return sorted(found, key=lambda site: (site.start, site.end, site.operator))


def _setting_sites(source: Source, node: ast.AST) -> list[Site]:
    at, above = node, source.parents.get(node)
    while above is not None and not isinstance(above, ast.Module | ast.ClassDef):
        at, above = above, source.parents.get(above)
    if above is None or not isinstance(at, ast.Assign | ast.AnnAssign) or not at.value:
        return []
    target = at.target if isinstance(at, ast.AnnAssign) else at.targets[0]
    if not isinstance(target, ast.Name) or node not in ast.walk(at.value):
        return []
    first: tuple[int, ...] = ()
    if isinstance(above, ast.ClassDef):
        # names of an enumeration stand for themselves; what calls make (fields, parameters) is no plain constant
        bases = [base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in above.bases]
        if any(name.endswith(("Enum", "Flag")) for name in bases) or _calls(at.value):
            return []
        first = (first_line(above),)
    anchor = (at.lineno, at.lineno)
    return [
        site
        for operator in SETTINGS
        for site in _sites(source, node, operator, anchor=anchor, functions=first, setting=target.id)
    ]


def _calls(value: ast.expr) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(value))


def _sites(
    source: Source,
    node: ast.AST,
    operator: Operator,
    *,
    anchor: tuple[int, int],
    functions: tuple[int, ...],
    setting: str = "",
) -> Iterator[Site]:
    for start, end, variants in operator(source, node):
        others = tuple(text for text in variants if text != source.text[start:end].decode())
        if others:
            yield Site(
                operator=operator.__name__,
                line=1 + source.text.count(b"\n", 0, start),
                start=start,
                end=end,
                variants=others,
                anchor=anchor,
                functions=functions,
                setting=setting,
            )


def is_python(text: bytes, site: Site, variant: str) -> bool:
    """Whether the file with this variant can be read at all."""
    try:
        ast.parse(text[: site.start] + variant.encode() + text[site.end :])
    except SyntaxError:
        return False
    return True


def _left_out(node: ast.AST, function: Function, parents: Parents) -> bool:
    """Whether it is no behaviour: annotations, decorators, checks, texts, and what is raised."""
    at = node
    while at is not function:
        above = parents[at]
        if isinstance(
            at, ast.Assert | ast.Raise | ast.JoinedStr | ast.arg | ast.Import | ast.ImportFrom | ast.ClassDef
        ):
            return True
        if isinstance(above, ast.AnnAssign) and at is above.annotation:
            return True
        if above is function and (at in function.decorator_list or at is function.returns):
            return True
        at = above
    return False


def _anchor(node: ast.AST, function: Function, parents: Parents) -> tuple[int, int]:
    """The lines of the statement that a node is in; of one that holds others, those of its head."""
    at = node
    while not isinstance(at, ast.stmt):
        if parents[at] is function:  # a default of an argument
            return function.lineno, function.body[-1].end_lineno or function.lineno
        at = parents[at]
    last = at.end_lineno or at.lineno
    body = getattr(at, "body", None)
    if isinstance(body, list) and body:
        last = max(at.lineno, body[0].lineno - 1)
    return at.lineno, last
