"""The kinds of change that make a mutant: each a function from a node to nodes in its place.

Every kind changes one node of a syntax tree. Docstrings, annotations and the arguments of raised
errors are never changed: no operation shows them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any, Final, TypeAlias

from attrs import frozen

Changes: TypeAlias = Iterator[ast.AST]
"""The nodes that take the place of one node, one at a time."""

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


def _comparison(node: ast.AST) -> Changes:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in _COMPARISONS[type(operator)]:
                yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _boolean_operator(node: ast.AST) -> Changes:
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _operand_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.BoolOp):
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield rest[0] if len(rest) == 1 else _with(node, values=rest)


def _condition_negated(node: ast.AST) -> Changes:
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _negation_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def _condition_fixed(node: ast.AST) -> Changes:
    if isinstance(node, ast.If | ast.IfExp):
        yield _with(node, test=ast.Constant(value=True))
        yield _with(node, test=ast.Constant(value=False))


def _integer_by_one(node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def _integer_at_a_limit(node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) > 1:
        yield ast.Constant(0)
        yield ast.Constant(-node.value)


def _text_constant(node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        value: Any = node.value
        yield ast.Constant(value + (b"~" if isinstance(value, bytes) else "~"))
        if value:
            yield ast.Constant(value[:0])


def _truth_constant(node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)


def _arithmetic(node: ast.AST) -> Changes:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield _with(node, op=other())


def _operands_swapped(node: ast.AST) -> Changes:
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mult | ast.BitAnd | ast.BitXor):
        yield _with(node, left=node.right, right=node.left)


def _operand_alone(node: ast.AST) -> Changes:
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right


def _arguments_swapped(node: ast.AST) -> Changes:
    if isinstance(node, ast.Call):
        for place in range(len(node.args) - 1):
            args = [*node.args]
            args[place], args[place + 1] = args[place + 1], args[place]
            yield _with(node, args=args)


def _argument_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.Call):
        for place in range(len(node.keywords)):
            yield _with(node, keywords=[*node.keywords[:place], *node.keywords[place + 1 :]])
        if len(node.args) > 1:
            yield _with(node, args=node.args[:-1])


def _call_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def _function_exchanged(node: ast.AST) -> Changes:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = _FUNCTIONS.get(node.func.id)
        if other == "list":
            yield _with(node, func=ast.Name("list", ast.Load()), args=node.args[:1], keywords=[])
        elif other == "not_":
            yield ast.UnaryOp(ast.Not(), node.args[0])
        elif other is not None:
            yield _with(node, func=ast.Name(other, ast.Load()))


def _method_exchanged(node: ast.AST) -> Changes:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        other = _METHODS.get(node.func.attr)
        if other is not None:
            yield _with(node, func=_with(node.func, attr=other))


def _element_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.List | ast.Set | ast.Tuple) and not _is_target(node):
        for place in range(len(node.elts)):
            rest = [*node.elts[:place], *node.elts[place + 1 :]]
            if rest or not isinstance(node, ast.Set):
                yield _with(node, elts=rest)
    elif isinstance(node, ast.Dict):
        for place in range(len(node.keys)):
            yield _with(
                node,
                keys=[*node.keys[:place], *node.keys[place + 1 :]],
                values=[*node.values[:place], *node.values[place + 1 :]],
            )


def _elements_swapped(node: ast.AST) -> Changes:
    if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 2 and not _is_target(node):
        yield _with(node, elts=node.elts[::-1])


def _slice(node: ast.AST) -> Changes:
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                yield _with(node, **{bound: None})


def _filter_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            yield _with(node, ifs=[*node.ifs[:place], *node.ifs[place + 1 :]])


def _filter_negated(node: ast.AST) -> Changes:
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            negated = ast.UnaryOp(ast.Not(), test)
            yield _with(node, ifs=[*node.ifs[:place], negated, *node.ifs[place + 1 :]])


def _choice_fixed(node: ast.AST) -> Changes:
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse


def _statement_deleted(node: ast.AST) -> Changes:
    deletable = ast.Expr | ast.AugAssign | ast.For | ast.While | ast.Delete | ast.With
    if isinstance(node, deletable):
        yield ast.Pass()


def _assignment_emptied(node: ast.AST) -> Changes:
    if isinstance(node, ast.Assign):
        yield _with(node, value=ast.Constant(value=None))


def _raise_deleted(node: ast.AST) -> Changes:
    if isinstance(node, ast.Raise):
        yield ast.Pass()


def _returned_nothing(node: ast.AST) -> Changes:
    if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
        yield _with(node, value=ast.Constant(value=None))


def _jump_exchanged(node: ast.AST) -> Changes:
    if isinstance(node, ast.Continue):
        yield ast.Break()
        yield ast.Pass()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
        yield ast.Pass()


def _branch_deleted(node: ast.AST) -> Changes:
    if isinstance(node, ast.If):
        yield _with(node, body=[ast.Pass()])
        if node.orelse:
            yield _with(node, orelse=[])


def _case_deleted(node: ast.AST) -> Changes:
    if isinstance(node, ast.Match) and len(node.cases) > 1:
        for place in range(len(node.cases)):
            yield _with(node, cases=[*node.cases[:place], *node.cases[place + 1 :]])


def _case_guard_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.match_case) and node.guard is not None:
        yield _with(node, guard=None)


def _handler_deleted(node: ast.AST) -> Changes:
    if isinstance(node, ast.ExceptHandler):
        yield _with(node, body=[ast.Raise()])


def _decorator_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.FunctionDef):
        for place in range(len(node.decorator_list)):
            rest = [*node.decorator_list[:place], *node.decorator_list[place + 1 :]]
            yield _with(node, decorator_list=rest)


def _default_dropped(node: ast.AST) -> Changes:
    if isinstance(node, ast.arguments):
        for place in range(len(node.defaults)):
            emptied = [*node.defaults]
            emptied[place] = ast.Constant(value=None)
            yield _with(node, defaults=emptied)


KINDS: Final[Mapping[str, Callable[[ast.AST], Changes]]] = {
    "argument-dropped": _argument_dropped,
    "arguments-swapped": _arguments_swapped,
    "arithmetic": _arithmetic,
    "assignment-emptied": _assignment_emptied,
    "boolean-operator": _boolean_operator,
    "branch-deleted": _branch_deleted,
    "call-dropped": _call_dropped,
    "case-deleted": _case_deleted,
    "case-guard-dropped": _case_guard_dropped,
    "choice-fixed": _choice_fixed,
    "comparison": _comparison,
    "condition-fixed": _condition_fixed,
    "condition-negated": _condition_negated,
    "decorator-dropped": _decorator_dropped,
    "default-emptied": _default_dropped,
    "element-dropped": _element_dropped,
    "elements-swapped": _elements_swapped,
    "filter-dropped": _filter_dropped,
    "filter-negated": _filter_negated,
    "function-exchanged": _function_exchanged,
    "handler-deleted": _handler_deleted,
    "integer-at-a-limit": _integer_at_a_limit,
    "integer-by-one": _integer_by_one,
    "jump-exchanged": _jump_exchanged,
    "method-exchanged": _method_exchanged,
    "negation-dropped": _negation_dropped,
    "operand-alone": _operand_alone,
    "operand-dropped": _operand_dropped,
    "operands-swapped": _operands_swapped,
    "raise-deleted": _raise_deleted,
    "returned-nothing": _returned_nothing,
    "slice": _slice,
    "statement-deleted": _statement_deleted,
    "text-constant": _text_constant,
    "truth-constant": _truth_constant,
}
"""Kind of change -> the changes of that kind for one node."""


@frozen(eq=False)
class Site:
    """A place in a syntax tree where a node can be changed.

    holder, name, place: the node stands in the field `name` of `holder`; in a list, at `place`.
    """

    holder: ast.AST
    name: str
    place: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        """Put a node at this place, in the tree itself."""
        if self.place is None:
            setattr(self.holder, self.name, node)
        else:
            getattr(self.holder, self.name)[self.place] = node


def sites(tree: ast.AST) -> Iterator[Site]:
    """The places of all nodes below a node that operations can show, from the outside in."""
    for name, value in ast.iter_fields(tree):
        if _is_never_shown(tree, name):
            continue
        if isinstance(value, ast.AST):
            yield Site(tree, name, None, value)
            yield from sites(value)
        elif isinstance(value, list):
            for place, each in enumerate(value):
                if isinstance(each, ast.AST) and not _is_docstring(each):
                    yield Site(tree, name, place, each)
                    yield from sites(each)


def changes(site: Site) -> Iterator[tuple[str, ast.AST]]:
    """The changes of the node at a place: (kind, new node)."""
    for kind, change in KINDS.items():
        for node in change(site.node):
            yield kind, ast.copy_location(node, site.node)


def _is_never_shown(node: ast.AST, name: str) -> bool:
    """Annotations, types, lists of exports, and everything about an error that is raised."""
    match node:
        case ast.Raise() | ast.Import() | ast.ImportFrom():
            return True
        case ast.JoinedStr():
            return True  # a message; the reference builds data in no such way
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Call(func=ast.Name(id="TypeVar" | "ParamSpec" | "NewType")):
            return True
    return name in {"annotation", "returns", "bases", "type_params"}


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_target(node: ast.List | ast.Tuple | ast.Set) -> bool:
    return not isinstance(node, ast.Set) and not isinstance(node.ctx, ast.Load)


def _with(node: ast.AST, **fields: Any) -> Any:
    """The node with other fields; the node itself stays as it is."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
