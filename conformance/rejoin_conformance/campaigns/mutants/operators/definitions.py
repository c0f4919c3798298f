"""Changes of definitions: decorators and defaults."""

from __future__ import annotations

import ast

from rejoin_conformance.campaigns.mutants.operators.never_shown import is_default_reading
from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, with_


def decorator_dropped(node: ast.AST) -> Changes:
    """Yield the definition with one decorator fewer."""
    if isinstance(node, ast.FunctionDef):
        for place in range(len(node.decorator_list)):
            rest = [*node.decorator_list[:place], *node.decorator_list[place + 1 :]]
            yield with_(node, decorator_list=rest)


def default_dropped(node: ast.AST) -> Changes:
    """Yield the definition with None as the default of a parameter that has another one."""
    if isinstance(node, ast.arguments):
        arguments = [*node.posonlyargs, *node.args][len(node.args) - len(node.defaults) :]
        for place, argument in enumerate(arguments):
            default = node.defaults[place]
            is_none = isinstance(default, ast.Constant) and default.value is None
            if not (is_none or is_default_reading(argument)):
                emptied = [*node.defaults]
                emptied[place] = ast.Constant(value=None)
                yield with_(node, defaults=emptied)
