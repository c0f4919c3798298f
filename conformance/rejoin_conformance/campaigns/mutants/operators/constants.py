"""Changes of constants: integers, texts and truth values."""

from __future__ import annotations

import ast
from typing import Any

from rejoin_conformance.campaigns.mutants.operators.nodes import Changes


def integer_by_one(node: ast.AST) -> Changes:
    """Yield the next and the previous integer."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def integer_at_a_limit(node: ast.AST) -> Changes:
    """Yield zero, and the negative integer."""
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) > 1:
        yield ast.Constant(0)
        yield ast.Constant(-node.value)


def text_constant(node: ast.AST) -> Changes:
    """Yield a longer text, and the empty text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        value: Any = node.value
        yield ast.Constant(value + (b"~" if isinstance(value, bytes) else "~"))
        if value:
            yield ast.Constant(value[:0])


def truth_constant(node: ast.AST) -> Changes:
    """Yield the other truth value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
