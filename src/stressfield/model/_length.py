"""Length: how many items a sequence has, as a rule over the parameters declared before it."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

from stressfield.errors import ModelError

LONGEST = 10_000
"""More items than this in one sequence is a mistake in the rule, not a model."""


@dataclass(frozen=True, slots=True)
class Length:
    """A rule such as ``lambda field: field.rows - 1``."""

    rule: Callable[[Any], int]
    given_text: str = ""

    @property
    def text(self) -> str:
        """How people read the rule: the given text, a plain lambda's body, or the function's name."""
        if self.given_text:
            return self.given_text
        name = getattr(self.rule, "__name__", "")
        if name != "<lambda>":
            return name or repr(self.rule)
        return _lambda_text(self.rule.__code__) or "a computed number of"

    def of(self, owner: Any) -> int:
        """The number of items for this element, whose earlier parameters are set."""
        try:
            size = self.rule(owner)
        except Exception as error:
            raise ModelError(
                f"The length rule '{self.text}' of {type(owner).__name__} failed: {error!r}. "
                "It may use only parameters declared before the sequence."
            ) from error
        if not isinstance(size, int) or not 0 <= size <= LONGEST:
            raise ModelError(
                f"The length rule '{self.text}' of {type(owner).__name__} gave {size!r}, "
                f"wanted an integer from 0 to {LONGEST}."
            )
        return size


@cache
def _lambda_text(code: CodeType) -> str:
    """The body of a lambda as written, without its argument's name; empty when it cannot be found."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :][:3]
    source = " ".join(line.strip() for line in lines)
    start = source.find("lambda")
    while start >= 0:
        for end in range(min(len(source), start + 200), start, -1):
            tree = _parse_lambda(source[start:end])
            if tree is not None and _same_code(tree, code):
                return _body_text(tree)
        start = source.find("lambda", start + 1)
    return ""


def _parse_lambda(source: str) -> ast.Lambda | None:
    try:
        tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return tree if isinstance(tree, ast.Lambda) else None


def _same_code(tree: ast.Lambda, code: CodeType) -> bool:
    whole = compile(ast.fix_missing_locations(ast.Expression(tree)), "<length>", "eval")
    inner = next(const for const in whole.co_consts if isinstance(const, CodeType))
    return (inner.co_code, inner.co_names, inner.co_consts) == (code.co_code, code.co_names, code.co_consts)


def _body_text(tree: ast.Lambda) -> str:
    owner = tree.args.args[0].arg if tree.args.args else ""

    class Shorten(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            if isinstance(node.value, ast.Name) and node.value.id == owner:
                return ast.Name(id=node.attr)
            return self.generic_visit(node)

    return ast.unparse(Shorten().visit(tree.body))
