"""Changes of statements: deleted, emptied or exchanged."""

from __future__ import annotations

import ast

from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, with_


def statement_deleted(node: ast.AST) -> Changes:
    """Yield no statement: a call, a loop, a `del` or an addition is left out."""
    deletable = ast.Expr | ast.AugAssign | ast.For | ast.While | ast.Delete | ast.With
    if isinstance(node, deletable):
        yield ast.Pass()


def assignment_emptied(node: ast.AST) -> Changes:
    """Yield the assignment of None: `a = b`, `a = None`."""
    if isinstance(node, ast.Assign):
        yield with_(node, value=ast.Constant(value=None))


def raise_deleted(node: ast.AST) -> Changes:
    """Yield no statement in place of a `raise`."""
    if isinstance(node, ast.Raise):
        yield ast.Pass()


def returned_nothing(node: ast.AST) -> Changes:
    """Yield the statement that returns or yields None."""
    if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
        yield with_(node, value=ast.Constant(value=None))


def jump_exchanged(node: ast.AST) -> Changes:
    """Yield the other jump, and no jump: `continue`, `break`."""
    if isinstance(node, ast.Continue):
        yield ast.Break()
        yield ast.Pass()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
        yield ast.Pass()


def branch_deleted(node: ast.AST) -> Changes:
    """Yield the `if` without its body, or without its `else`."""
    if isinstance(node, ast.If):
        yield with_(node, body=[ast.Pass()])
        if node.orelse:
            yield with_(node, orelse=[])


def case_deleted(node: ast.AST) -> Changes:
    """Yield the `match` with one case fewer."""
    if isinstance(node, ast.Match) and len(node.cases) > 1:
        for place in range(len(node.cases)):
            yield with_(node, cases=[*node.cases[:place], *node.cases[place + 1 :]])


def case_guard_dropped(node: ast.AST) -> Changes:
    """Yield the case without its condition."""
    if isinstance(node, ast.match_case) and node.guard is not None:
        yield with_(node, guard=None)


def handler_deleted(node: ast.AST) -> Changes:
    """Yield the handler that raises its error again."""
    if isinstance(node, ast.ExceptHandler):
        yield with_(node, body=[ast.Raise()])
