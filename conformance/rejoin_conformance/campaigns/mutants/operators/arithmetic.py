"""Changes of arithmetic, and of operators that sets share with it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, with_

_ARITHMETIC: Final[Mapping[type[ast.operator], tuple[type[ast.operator], ...]]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr,),
    ast.BitXor: (ast.BitOr,),
    ast.Pow: (ast.Mult,),
}


def arithmetic(node: ast.AST) -> Changes:
    """Yield the node with another operator: `a + b`, `a - b`."""
    if isinstance(node, ast.BinOp | ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield with_(node, op=other())


def operands_swapped(node: ast.AST) -> Changes:
    """Yield the node with its operands swapped: `a - b`, `b - a`."""
    if isinstance(node, ast.BinOp) and not _is_commutative(node):
        yield with_(node, left=node.right, right=node.left)


def operand_alone(node: ast.AST) -> Changes:
    """Yield each operand alone: `a - b`, `a`."""
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right


def _is_commutative(node: ast.BinOp) -> bool:
    """Return whether the order of the operands means nothing; a sum is of numbers if one is."""
    if isinstance(node.op, ast.Add):
        sides = (node.left, node.right)
        return any(isinstance(each, ast.Constant) and type(each.value) is int for each in sides)
    return isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitXor)
