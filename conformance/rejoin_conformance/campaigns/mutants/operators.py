"""The kinds of change that make a mutant, as one table: kind -> nodes in the place of a node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from types import UnionType
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.never_shown import is_default_reading, is_flag

Changes: TypeAlias = Iterable[ast.AST]
"""The nodes that take the place of one node, one at a time."""

Operator: TypeAlias = Callable[[Any], Changes]

_ARITHMETIC: Final[Mapping[type[ast.operator], tuple[type[ast.operator], ...]]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.FloorDiv,), ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
    ast.BitOr: (ast.BitAnd, ast.BitXor), ast.BitAnd: (ast.BitOr,), ast.BitXor: (ast.BitOr,),
    ast.Pow: (ast.Mult,),
}  # fmt: skip

_COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip

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

_DELETABLE: Final = ast.Expr | ast.AugAssign | ast.For | ast.While | ast.Delete | ast.With


def _with(node: ast.AST, **fields: Any) -> Any:
    """Return the node with other fields; the node itself stays as it is."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _without(values: Sequence[Any], place: int) -> list[Any]:
    return [*values[:place], *values[place + 1 :]]


def _one_fewer(*names: str) -> Operator:
    """Return the changes that leave out one place of the lists with these names."""

    def changes(node: Any) -> Changes:
        for place in range(len(getattr(node, names[0]))):
            yield _with(node, **{name: _without(getattr(node, name), place) for name in names})

    return changes


def _none() -> ast.Constant:
    return ast.Constant(value=None)


def _not(test: ast.expr) -> ast.UnaryOp:
    return ast.UnaryOp(ast.Not(), test)


def _is_value(node: ast.List | ast.Tuple | ast.Set) -> bool:
    """Return whether a list or tuple is a value, and not assigned to."""
    return isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load)


def _argument_dropped(node: ast.Call) -> Changes:
    for place, keyword in enumerate(node.keywords):
        if not is_flag(node, keyword):
            yield _with(node, keywords=_without(node.keywords, place))
    if len(node.args) > 1:
        yield _with(node, args=node.args[:-1])


def _arguments_swapped(node: ast.Call) -> Changes:
    for place in range(len(node.args) - 1):
        args = [*node.args]
        args[place], args[place + 1] = args[place + 1], args[place]
        yield _with(node, args=args)


def _bound_dropped(node: ast.Slice) -> Changes:
    bounds = [each for each in ("lower", "upper", "step") if getattr(node, each) is not None]
    return [_with(node, **{bound: None}) for bound in bounds]


def _branch_deleted(node: ast.If) -> Changes:
    yield _with(node, body=[ast.Pass()])
    if node.orelse:
        yield _with(node, orelse=[])


def _call_dropped(node: ast.Call) -> Changes:
    return [] if not node.args or isinstance(node.args[0], ast.Starred) else node.args[:1]


def _comparison(node: ast.Compare) -> Changes:
    for place, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _default_emptied(node: ast.arguments) -> Changes:
    arguments = [*node.posonlyargs, *node.args][len(node.args) - len(node.defaults) :]
    for place, argument in enumerate(arguments):
        default = node.defaults[place]
        is_none = isinstance(default, ast.Constant) and default.value is None
        if not (is_none or is_default_reading(argument)):
            emptied = [*node.defaults]
            emptied[place] = _none()
            yield _with(node, defaults=emptied)


def _element_dropped(node: ast.List | ast.Set | ast.Tuple | ast.Dict) -> Changes:
    if isinstance(node, ast.Dict):
        yield from _one_fewer("keys", "values")(node)
    elif _is_value(node) and not (isinstance(node, ast.Set) and len(node.elts) == 1):
        yield from _one_fewer("elts")(node)


def _elements_swapped(node: ast.List | ast.Tuple) -> Changes:
    return [_with(node, elts=node.elts[::-1])] if len(node.elts) == 2 and _is_value(node) else []


def _filter_negated(node: ast.comprehension) -> Changes:
    for place, test in enumerate(node.ifs):
        yield _with(node, ifs=[*node.ifs[:place], _not(test), *node.ifs[place + 1 :]])


def _function_exchanged(node: ast.Call) -> Changes:
    other = _FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if other == "list":
        yield _with(node, func=ast.Name("list", ast.Load()), args=node.args[:1], keywords=[])
    elif other == "not_":
        yield _not(node.args[0])
    elif other is not None:
        yield _with(node, func=ast.Name(other, ast.Load()))


def _method_exchanged(node: ast.Call) -> Changes:
    other = _METHODS.get(node.func.attr) if isinstance(node.func, ast.Attribute) else None
    if other is not None:
        yield _with(node, func=_with(node.func, attr=other))


def _integers(*others: Callable[[int], int], above: int = -1) -> Operator:
    """Return the changes of an integer with a larger absolute value than `above`."""

    def changes(node: ast.Constant) -> Changes:
        value = node.value
        if type(value) is int and abs(value) > above:
            yield from (ast.Constant(other(value)) for other in others)

    return changes


def _text(node: ast.Constant) -> Changes:
    if isinstance(node.value, str | bytes):
        value: Any = node.value
        yield ast.Constant(value + (b"~" if isinstance(value, bytes) else "~"))
        if value:
            yield ast.Constant(value[:0])


def _jump_exchanged(node: ast.Continue | ast.Break) -> Changes:
    return [ast.Break() if isinstance(node, ast.Continue) else ast.Continue(), ast.Pass()]


def _operand_dropped(node: ast.BoolOp) -> Changes:
    for place in range(len(node.values)):
        rest = _without(node.values, place)
        yield rest[0] if len(rest) == 1 else _with(node, values=rest)


def _operands_swapped(node: ast.BinOp) -> Changes:
    """Return no change if the order means nothing. A sum is of numbers if one operand is one."""
    sides = (node.left, node.right)
    of_numbers = any(isinstance(each, ast.Constant) and type(each.value) is int for each in sides)
    commutative = isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitXor)
    if not commutative and not (isinstance(node.op, ast.Add) and of_numbers):
        yield _with(node, left=node.right, right=node.left)


@frozen
class Kind:
    """A kind of change. of: the nodes that it changes. before, after: an example, as source."""

    of: type[ast.AST] | UnionType
    before: str
    after: str
    change: Operator


KINDS: Final[Mapping[str, Kind]] = {
    "argument-dropped": Kind(ast.Call, "f(a, b)", "f(a)", _argument_dropped),
    "arguments-swapped": Kind(ast.Call, "f(a, b)", "f(b, a)", _arguments_swapped),
    "arithmetic": Kind(
        ast.BinOp | ast.AugAssign,
        "a - b",
        "a + b",
        lambda node: [_with(node, op=each()) for each in _ARITHMETIC.get(type(node.op), ())],
    ),
    "assignment-emptied": Kind(
        ast.Assign, "a = b", "a = None", lambda node: [_with(node, value=_none())]
    ),
    "boolean-operator": Kind(
        ast.BoolOp,
        "a and b",
        "a or b",
        lambda node: [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())],
    ),
    "branch-deleted": Kind(ast.If, "if a:\n    b()", "if a:\n    pass", _branch_deleted),
    "call-dropped": Kind(ast.Call, "f(a)", "a", _call_dropped),
    "case-deleted": Kind(
        ast.Match,
        "match a:\n    case 1:\n        b\n    case _:\n        c",
        "match a:\n    case _:\n        c",
        lambda node: _one_fewer("cases")(node) if len(node.cases) > 1 else [],
    ),
    "case-guard-dropped": Kind(
        ast.match_case,
        "match a:\n    case 1 if b:\n        c",
        "match a:\n    case 1:\n        c",
        lambda node: [_with(node, guard=None)] if node.guard is not None else [],
    ),
    "choice-fixed": Kind(ast.IfExp, "a if b else c", "c", lambda node: [node.body, node.orelse]),
    "comparison": Kind(ast.Compare, "a < b", "a <= b", _comparison),
    "condition-fixed": Kind(
        ast.If | ast.IfExp,
        "if a:\n    b",
        "if False:\n    b",
        lambda node: [_with(node, test=ast.Constant(value=each)) for each in (True, False)],
    ),
    "condition-negated": Kind(
        ast.If | ast.While | ast.IfExp | ast.Assert,
        "while a:\n    b",
        "while not a:\n    b",
        lambda node: [_with(node, test=_not(node.test))],
    ),
    "decorator-dropped": Kind(
        ast.FunctionDef, "@a\ndef f():\n    b", "def f():\n    b", _one_fewer("decorator_list")
    ),
    "default-emptied": Kind(
        ast.arguments, "def f(a=b):\n    c", "def f(a=None):\n    c", _default_emptied
    ),
    "element-dropped": Kind(
        ast.List | ast.Set | ast.Tuple | ast.Dict, "(a, b, c)", "(a, c)", _element_dropped
    ),
    "elements-swapped": Kind(ast.List | ast.Tuple, "(a, b)", "(b, a)", _elements_swapped),
    "filter-dropped": Kind(
        ast.comprehension, "[a for a in b if c]", "[a for a in b]", _one_fewer("ifs")
    ),
    "filter-negated": Kind(
        ast.comprehension, "[a for a in b if c]", "[a for a in b if not c]", _filter_negated
    ),
    "function-exchanged": Kind(ast.Call, "min(a)", "max(a)", _function_exchanged),
    "handler-deleted": Kind(
        ast.ExceptHandler,
        "try:\n    a\nexcept B:\n    c",
        "try:\n    a\nexcept B:\n    raise",
        lambda node: [_with(node, body=[ast.Raise()])],
    ),
    "integer-at-a-limit": Kind(
        ast.Constant, "a(5)", "a(0)", _integers(lambda _: 0, lambda value: -value, above=1)
    ),
    "integer-by-one": Kind(
        ast.Constant, "a(5)", "a(6)", _integers(lambda value: value + 1, lambda value: value - 1)
    ),
    "jump-exchanged": Kind(
        ast.Continue | ast.Break,
        "for a in b:\n    continue",
        "for a in b:\n    break",
        _jump_exchanged,
    ),
    "method-exchanged": Kind(ast.Call, "a.add(b)", "a.discard(b)", _method_exchanged),
    "negation-dropped": Kind(ast.UnaryOp, "a(not b)", "a(b)", lambda node: [node.operand]),
    "operand-alone": Kind(ast.BinOp, "a - b", "a", lambda node: [node.left, node.right]),
    "operand-dropped": Kind(ast.BoolOp, "a and b and c", "a and c", _operand_dropped),
    "operands-swapped": Kind(ast.BinOp, "a - b", "b - a", _operands_swapped),
    "raise-deleted": Kind(ast.Raise, "raise a", "pass", lambda _: [ast.Pass()]),
    "returned-nothing": Kind(
        ast.Return | ast.Yield,
        "def f():\n    return a",
        "def f():\n    return None",
        lambda node: [] if node.value is None else [_with(node, value=_none())],
    ),
    "slice": Kind(ast.Slice, "a[1:b]", "a[:b]", _bound_dropped),
    "statement-deleted": Kind(_DELETABLE, "for a in b:\n    c", "pass", lambda _: [ast.Pass()]),
    "text-constant": Kind(ast.Constant, "a(b'x')", "a(b'x~')", _text),
    "truth-constant": Kind(
        ast.Constant,
        "a(True)",
        "a(False)",
        lambda node: [ast.Constant(not node.value)] if isinstance(node.value, bool) else [],
    ),
}


def changes_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each change of a node: (name of the kind, the node in its place)."""
    for name, kind in KINDS.items():
        if isinstance(node, kind.of):
            for changed in kind.change(node):
                yield name, ast.copy_location(changed, node)
