"""Changes of calls: arguments, functions and methods."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from rejoin_conformance.campaigns.mutants.operators.never_shown import is_flag
from rejoin_conformance.campaigns.mutants.operators.nodes import Changes, with_

_FUNCTIONS: Final[Mapping[str, str]] = {
    "min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list",
    "sum": "len", "reversed": "iter", "enumerate": "list", "bool": "not_",
}  # fmt: skip

_METHODS: Final[Mapping[str, str]] = {
    "add": "discard", "append": "count", "extend": "count", "update": "isdisjoint",
    "startswith": "endswith", "endswith": "startswith", "issubset": "issuperset",
    "issuperset": "issubset", "union": "intersection", "intersection": "union",
    "lstrip": "strip", "rstrip": "strip", "popleft": "pop", "keys": "values",
    "values": "keys", "removeprefix": "lstrip", "removesuffix": "rstrip",
}  # fmt: skip


def arguments_swapped(node: ast.AST) -> Changes:
    """Yield the call with two neighbouring arguments swapped: `f(a, b)`, `f(b, a)`."""
    if isinstance(node, ast.Call):
        for place in range(len(node.args) - 1):
            args = [*node.args]
            args[place], args[place + 1] = args[place + 1], args[place]
            yield with_(node, args=args)


def argument_dropped(node: ast.AST) -> Changes:
    """Yield the call without its last argument or a keyword argument: `f(a, b)`, `f(a)`."""
    if isinstance(node, ast.Call):
        for place, keyword in enumerate(node.keywords):
            if not is_flag(node, keyword):
                rest = [*node.keywords[:place], *node.keywords[place + 1 :]]
                yield with_(node, keywords=rest)
        if len(node.args) > 1:
            yield with_(node, args=node.args[:-1])


def call_dropped(node: ast.AST) -> Changes:
    """Yield the first argument in place of the call: `f(a)`, `a`."""
    if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def function_exchanged(node: ast.AST) -> Changes:
    """Yield the call of another built-in function: `min(a)`, `max(a)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = _FUNCTIONS.get(node.func.id)
        if other == "list":
            yield with_(node, func=ast.Name("list", ast.Load()), args=node.args[:1], keywords=[])
        elif other == "not_":
            yield ast.UnaryOp(ast.Not(), node.args[0])
        elif other is not None:
            yield with_(node, func=ast.Name(other, ast.Load()))


def method_exchanged(node: ast.AST) -> Changes:
    """Yield the call of another method: `a.add(b)`, `a.discard(b)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        other = _METHODS.get(node.func.attr)
        if other is not None:
            yield with_(node, func=with_(node.func, attr=other))
