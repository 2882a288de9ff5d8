"""Single-point faults: what can be changed at one place of a Python file, one kind of fault a function.

A fault is a piece of text instead of another, so that everything else of the file stays as its author wrote it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from stressfield.mutation.source import Source

Found = Iterator[tuple[int, int, tuple[str, ...]]]
"""Start, end and variants of what an operator can do to a node."""

ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
}
BOUNDARY = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
OPPOSITE = {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
SWAPPED = {"x": "y", "y": "x", "x_m": "y_m", "y_m": "x_m", "left": "right", "right": "left", "sin": "cos", "cos": "sin"}
"""Names that are easily taken for each other."""
SYMMETRIC = {"min", "max", "minimum", "maximum", "hypot", "isinstance"}
"""Calls whose arguments may change places without changing anything, or whose first call would tell."""


def arithmetic(source: Source, node: ast.AST) -> Found:
    """``+`` for ``-``, ``*`` for ``/``, and back."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _text(node.left) and not _text(node.right):
        was, now = ARITHMETIC[type(node.op)]
        yield from _replaced(*source.between(node.left, node.right), re.escape(was), now)
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC and not _text(node.value):
        was, now = ARITHMETIC[type(node.op)]
        yield from _replaced(*source.between(node.target, node.value), re.escape(was + "="), now + "=")


def comparison(source: Source, node: ast.AST) -> Found:
    """``<`` for ``<=``, ``>=`` for ``<``, ``!=`` for ``==``, and back."""
    if not isinstance(node, ast.Compare):
        return
    for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        start, gap = source.between(left, right)
        found = [
            edit
            for table in (BOUNDARY, OPPOSITE)
            if type(operator) in table
            for edit in _replaced(start, gap, *table[type(operator)])
        ]
        if found:
            yield found[0][0], found[0][1], tuple(variant for edit in found for variant in edit[2])


def constant(source: Source, node: ast.AST) -> Found:
    """Another number: a tenth less or more, twice, none, one more or less, the other sign; another truth value."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, str | bytes | complex):
        return
    value = node.value
    if isinstance(value, bool):
        yield *source.span(node), (str(not value),)
    elif isinstance(value, int):
        others = (value + 1, value - 1, 2 * value, 0, -value)
        yield *source.span(node), _numbers(value, others)
    elif isinstance(value, float):
        others_f = (0.9 * value, 1.1 * value, 2.0 * value, 0.0, -value) if value else (1.0, -1.0)
        yield *source.span(node), _numbers(value, others_f)


def index(source: Source, node: ast.AST) -> Found:
    """One place further, or one before."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name | ast.Attribute | ast.Subscript):
        return
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in parts:
        if isinstance(part, ast.Name):
            yield *source.span(part), (f"{part.id} + 1", f"{part.id} - 1")
        elif isinstance(part, ast.Slice):
            for end in (part.lower, part.upper):
                if isinstance(end, ast.Name | ast.Attribute | ast.BinOp):
                    yield *source.span(end), (f"({source.words(end)}) + 1", f"({source.words(end)}) - 1")


def condition(source: Source, node: ast.AST) -> Found:
    """A condition that holds when it should not."""
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp):
        if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
            yield *source.span(node.test), (f"({source.words(node.test.operand)})",)
        else:
            yield *source.span(node.test), (f"(not ({source.words(node.test)}))",)


def logic(source: Source, node: ast.AST) -> Found:
    """``and`` for ``or``, and back."""
    if isinstance(node, ast.BoolOp):
        was, now = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _replaced(*source.between(left, right), was, now)


def sign(source: Source, node: ast.AST) -> Found:
    """A minus that is forgotten."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield *source.span(node), (f"({source.words(node.operand)})",)


def deletion(source: Source, node: ast.AST) -> Found:
    """A statement that is forgotten: a call, or what an attribute or element is set to."""
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    kept = all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
    # what is never set otherwise would be missed at its first use
    first = any(isinstance(target, ast.Attribute) and source.assigned[target.attr] < 2 for target in targets)
    if called or (targets and not first and (kept or isinstance(node, ast.AugAssign))):
        assert isinstance(node, ast.stmt)
        yield *source.span(node), ("pass",)


def result(source: Source, node: ast.AST) -> Found:
    """Another result of a function: the opposite, the other sign, two values in each other's place."""
    if not isinstance(node, ast.Return) or node.value is None:
        return
    value, words = node.value, source.words(node.value)
    if isinstance(value, ast.Compare | ast.BoolOp) or (
        isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    ):
        yield *source.span(value), (f"not ({words})",)
    elif isinstance(value, ast.BinOp | ast.IfExp) and not _text(value):
        yield *source.span(value), (f"-({words})",)
    elif isinstance(value, ast.Tuple) and len(value.elts) > 1:
        first, second = value.elts[:2]
        yield from _swapped(source, first, second)


def arguments(source: Source, node: ast.AST) -> Found:
    """Two neighbouring arguments in each other's place."""
    if isinstance(node, ast.Call) and not any(isinstance(part, ast.Starred) for part in node.args):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in SYMMETRIC:
            return
        for first, second in zip(node.args, node.args[1:], strict=False):
            if not _text(first) and not _text(second):  # a type checker, or the first call, would tell
                yield from _swapped(source, first, second)


def attribute(source: Source, node: ast.AST) -> Found:
    """``y`` for ``x``, ``right`` for ``left``, ``cos`` for ``sin``, and back."""
    if isinstance(node, ast.Attribute) and node.attr in SWAPPED and isinstance(node.ctx, ast.Load):
        # only where the other one is known to exist: whoever runs it once would be told
        end = source.span(node)[1]
        if (ast.unparse(node.value), SWAPPED[node.attr]) in source.attributes:
            yield end - len(node.attr), end, (SWAPPED[node.attr],)
    elif isinstance(node, ast.Name) and node.id in {"sin", "cos"} and SWAPPED[node.id] in source.imported:
        yield *source.span(node), (SWAPPED[node.id],)


def clamp(source: Source, node: ast.AST) -> Found:
    """A limit that is forgotten: ``a`` for ``min(a, b)``, ``max(a, b)`` or ``clip(a, low, high)``; or the wrong one."""
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        return
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in {"min", "max", "minimum", "maximum"} and len(node.args) == 2:
        yield *source.span(node), tuple(f"({source.words(part)})" for part in node.args)
    elif name == "clip" and len(node.args) == 3:
        yield *source.span(node), (f"({source.words(node.args[0])})",)


Operator = Callable[[Source, ast.AST], Found]

OPERATORS: tuple[Operator, ...] = (
    arithmetic,
    comparison,
    constant,
    index,
    condition,
    logic,
    sign,
    deletion,
    result,
    arguments,
    attribute,
    clamp,
)
"""All kinds of faults; each is called by the name of its function."""


def _replaced(start: int, gap: str, was: str, now: str) -> Found:
    bounded = rf"\b{was}\b" if was[0].isalpha() else was
    match = re.search(bounded, gap)
    if match and "#" not in gap[: match.start()]:
        begin = start + len(gap[: match.start()].encode())
        yield begin, begin + len(match.group().encode()), (now,)


def _swapped(source: Source, first: ast.expr, second: ast.expr) -> Found:
    _, middle = source.between(first, second)
    begin, end = source.span(first)[0], source.span(second)[1]
    if source.words(first) != source.words(second):
        yield begin, end, (f"{source.words(second)}{middle}{source.words(first)}",)


def _numbers(value: float, others: tuple[float, ...]) -> tuple[str, ...]:
    # twelve digits: 1.65, as a person would write it, for 1.1 * 1.5
    wanted = dict.fromkeys(type(value)(f"{other:.12g}") for other in others if other != value)
    return tuple(f"({other!r})" if other < 0 else repr(other) for other in wanted)


def _text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _text(node.left) or _text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
