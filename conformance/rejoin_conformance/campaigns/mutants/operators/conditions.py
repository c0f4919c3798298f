"""Changes of conditions: comparisons, boolean operators, tests and choices."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, with_

_COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}


def comparison(node: ast.AST) -> Changes:
    """Yield the comparison with its limit moved, and its opposite: `a < b`, `a <= b`, `a >= b`."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in _COMPARISONS[type(operator)]:
                yield with_(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def boolean_operator(node: ast.AST) -> Changes:
    """Yield the condition with the other operator: `a and b`, `a or b`."""
    if isinstance(node, ast.BoolOp):
        yield with_(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def operand_dropped(node: ast.AST) -> Changes:
    """Yield the condition with one operand fewer: `a and b and c`, `a and c`."""
    if isinstance(node, ast.BoolOp):
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield rest[0] if len(rest) == 1 else with_(node, values=rest)


def condition_negated(node: ast.AST) -> Changes:
    """Yield the opposite condition: `while a`, `while not a`."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield with_(node, test=ast.UnaryOp(ast.Not(), node.test))


def condition_fixed(node: ast.AST) -> Changes:
    """Yield a condition that always holds, and one that never holds: `if a`, `if True`."""
    if isinstance(node, ast.If | ast.IfExp):
        yield with_(node, test=ast.Constant(value=True))
        yield with_(node, test=ast.Constant(value=False))


def negation_dropped(node: ast.AST) -> Changes:
    """Yield the operand without its sign or `not`: `not a`, `a`."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def choice_fixed(node: ast.AST) -> Changes:
    """Yield one of two choices alone: `a if b else c`, `c`."""
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
