"""The parts of the reference that no operation can show, so that changing them proves nothing.

Operations compare results. They never show a docstring, a type, the text of an error, or how an
object is printed. Each rule below states its reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

FLAGS: Final = frozenset({"eq", "init", "kw_only", "repr", "slots"})
"""Flags of attrs classes and fields. They say how an object is made and printed, and whether a
cache counts when two objects are compared. A flag with a function as its value is not one of them.
"""

_ATTRS: Final = frozenset({"define", "field", "frozen"})
_TYPE_PARAMETERS: Final = frozenset({"NewType", "ParamSpec", "TypeVar"})
_TYPE_FIELDS: Final = frozenset({"annotation", "bases", "returns", "type_params"})
_GENERIC: Final = frozenset({"dict", "frozenset", "list", "set", "tuple", "type"})
_ORDER: Final = frozenset({"elements-swapped", "operands-swapped"})


def never_shown(tree: ast.AST) -> frozenset[int]:
    """Return the IDs of the nodes that no operation shows; all nodes below them are not shown."""
    return frozenset(id(node) for each in ast.walk(tree) for node in _hidden_in(each))


def is_without_effect(holder: ast.AST, kind: str) -> bool:
    """Return whether a kind of change has no effect on a node that stands in `holder`.

    The order of the types in `isinstance(value, (A, B))` and `isinstance(value, A | B)` has none.
    """
    return kind in _ORDER and isinstance(holder, ast.Call) and _calls(holder, {"isinstance"})


def is_flag(call: ast.Call, keyword: ast.keyword) -> bool:
    """Return whether a keyword argument is a flag of an attrs class or field."""
    return keyword.arg in FLAGS and isinstance(keyword.value, ast.Constant) and _calls(call, _ATTRS)


def is_default_reading(argument: ast.arg) -> bool:
    """Return whether a parameter is the reading. Every operation passes it.

    Its default is for people who call the reference from Python.
    """
    return argument.arg == "reading"


def _hidden_in(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in _TYPE_FIELDS:  # types are for type checkers
            yield from value if isinstance(value, list) else [value]
        elif isinstance(value, list):
            yield from (each for each in value if _looks_at_a_type(each))
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Raise() | ast.JoinedStr():
            yield from ast.iter_child_nodes(node)  # names, and the texts of errors
        case ast.Assert(msg=ast.AST() as message):
            yield message
        case ast.Module() | ast.ClassDef() | ast.FunctionDef():
            yield from (each for each in node.body if _is_docstring(each) or _is_for_people(each))
    if isinstance(node, ast.FunctionDef):
        yield from _texts_of_errors(node)
        if isinstance(node.returns, ast.Name) and node.returns.id.endswith("Error"):
            yield from node.body  # the text and the place of an error
        yield from (
            default for argument, default in _defaults(node.args) if is_default_reading(argument)
        )
    if isinstance(node, ast.Call):
        yield from (each for each in node.keywords if is_flag(node, each))
        if _calls(node, {"cast"}):
            yield node.args[0]


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_for_people(statement: ast.stmt) -> bool:
    """Return whether a statement only names types, the exports of a module, or texts for people."""
    match statement:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.AnnAssign(target=ast.Name(id="CODES")):  # the texts of errors
            return True
        case ast.FunctionDef(name="__repr__"):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return True
        case ast.Assign(value=ast.Call() as call) if _calls(call, _TYPE_PARAMETERS):
            return True
        case ast.Assign(
            targets=[ast.Name(id=alias)], value=ast.Subscript(value=ast.Name(id=generic))
        ):
            return alias[:1].isupper() and (generic in _GENERIC or generic[:1].isupper())
    return False


def _looks_at_a_type(node: ast.AST) -> bool:
    """Return whether a node names a Python value of a wrong type, which no JSON can give."""
    match node:
        case ast.ExceptHandler(type=ast.Name(id="TypeError")):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="require_kind" | "check_arguments"))):
            return True
    return False


def _texts_of_errors(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Yield the assignments of a function whose targets are used in `raise` statements alone."""
    raises = [node for node in ast.walk(function) if isinstance(node, ast.Raise)]
    if not raises:
        return
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    raised = {id(inner): inner for each in raises for inner in ast.walk(each)}
    shown = {each.id for each in names if isinstance(each.ctx, ast.Load) and id(each) not in raised}
    texts = {each.id for each in raised.values() if isinstance(each, ast.Name)} - shown
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in texts:
                yield node


def _defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield each parameter that has a default, with the default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    if arguments.defaults:
        yield from zip(positional[-len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument, default


def _calls(call: ast.Call, names: frozenset[str] | set[str]) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in names
