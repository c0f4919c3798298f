"""Changes of displays, slices and comprehensions."""

from __future__ import annotations

import ast

from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, is_target, with_


def element_dropped(node: ast.AST) -> Changes:
    """Yield the display with one element fewer: `(a, b, c)`, `(a, c)`."""
    if isinstance(node, ast.List | ast.Set | ast.Tuple) and not is_target(node):
        for place in range(len(node.elts)):
            rest = [*node.elts[:place], *node.elts[place + 1 :]]
            if rest or not isinstance(node, ast.Set):
                yield with_(node, elts=rest)
    elif isinstance(node, ast.Dict):
        for place in range(len(node.keys)):
            yield with_(
                node,
                keys=[*node.keys[:place], *node.keys[place + 1 :]],
                values=[*node.values[:place], *node.values[place + 1 :]],
            )


def elements_swapped(node: ast.AST) -> Changes:
    """Yield the display with two elements swapped: `(a, b)`, `(b, a)`."""
    if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 2 and not is_target(node):
        yield with_(node, elts=node.elts[::-1])


def bound_dropped(node: ast.AST) -> Changes:
    """Yield the slice with one bound fewer: `a[1:b]`, `a[:b]`."""
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                yield with_(node, **{bound: None})


def filter_dropped(node: ast.AST) -> Changes:
    """Yield the comprehension without one of its conditions."""
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            yield with_(node, ifs=[*node.ifs[:place], *node.ifs[place + 1 :]])


def filter_negated(node: ast.AST) -> Changes:
    """Yield the comprehension with the opposite of one of its conditions."""
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            negated = ast.UnaryOp(ast.Not(), test)
            yield with_(node, ifs=[*node.ifs[:place], negated, *node.ifs[place + 1 :]])
