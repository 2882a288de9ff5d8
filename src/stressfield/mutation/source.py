"""A Python file as text and tree at once: what stands where, in bytes, and in which functions."""

from __future__ import annotations

import ast
from collections import Counter

Parents = dict[ast.AST, ast.AST]


class Source:
    """A file's text and tree, and where each node stands in bytes."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.parents: Parents = {
            child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)
        }
        self.imported = {
            alias.asname or alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        attributes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)]
        self.attributes = {(ast.unparse(node.value), node.attr) for node in attributes}
        """Whose attributes are named in the file."""
        self.assigned = Counter(node.attr for node in attributes if isinstance(node.ctx, ast.Store))
        self.assigned.update(
            node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        """How often each name is given a value, as a variable or as an attribute."""
        # ast counts columns in bytes of UTF-8, so offsets are of bytes, too
        self._begins = [0]
        for line in text.splitlines(keepends=True):
            self._begins.append(self._begins[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._begins[node.lineno - 1] + node.col_offset, self._begins[node.end_lineno - 1] + node.end_col_offset

    def words(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end].decode()

    def between(self, left: ast.expr, right: ast.expr) -> tuple[int, str]:
        """Where the text between two neighbours begins, and the text: an operator, perhaps with brackets."""
        start, end = self.span(left)[1], self.span(right)[0]
        return start, self.text[start:end].decode()


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _function(node: ast.AST, parents: Parents) -> Function | None:
    while node in parents:
        node = parents[node]
        if isinstance(node, Function):
            return node
    return None


def functions_around(node: ast.AST, parents: Parents) -> list[Function]:
    """The functions that a node is in, the innermost first."""
    found = []
    while (function := _function(node, parents)) is not None:
        found.append(function)
        node = function
    return found


def first_line(node: Function | ast.ClassDef) -> int:
    """Where a function or class begins, its decorators included: as Python itself counts."""
    return min([node.lineno, *(part.lineno for part in node.decorator_list)])
