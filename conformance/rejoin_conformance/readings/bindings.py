"""Find every place that holds the value of a constant of the reference.

Functions look up a constant of their module when they run. Everything else took the value when its
module was imported: a module that imports the name, a constant that is computed from it, the
default of a parameter, the default of a field of an attrs class.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from rejoin_conformance.readings.exchange import plain_function
from rejoin_conformance.readings.targets import UnknownTargetError

Place: TypeAlias = tuple[Callable[[Any], None], Any, Any]
"""(put a value there, the value before, the new value)."""

PLAIN: Final = (int, bytes, str)
"""The types of constants that are replaced at every place that holds their value."""


def places_of(
    module: ModuleType, name: str, value: Any, modules: Iterable[ModuleType]
) -> tuple[list[Place], list[tuple[FunctionType, Place]]]:
    """Return the names that hold a constant, and the defaults of functions that hold it.

    value: the new value. modules: the loaded modules to search. Raises UnknownTargetError if the
    reference computed something else from the constant that cannot be computed again.
    """
    loaded = {each.__name__: each for each in modules}
    new = {(module.__name__, name): value}
    pending = [*new]
    places: list[Place] = []
    defaults: list[tuple[FunctionType, Place]] = []
    while pending:
        holder, bound = pending.pop()
        owner = loaded[holder]
        places.append(_binding(owner, bound, new[holder, bound]))
        for importer, alias in _importers(holder, bound, loaded):
            if (importer, alias) not in new:
                new[importer, alias] = new[holder, bound]
                pending.append((importer, alias))
        names = {key: each for (where, key), each in new.items() if where == holder}
        for statement in _top_level(owner):
            if not _uses(statement, bound):
                continue
            computed = _computed(statement, owner, names)
            if computed is not None and (holder, computed[0]) not in new:
                new[holder, computed[0]] = computed[1]
                pending.append((holder, computed[0]))
            defaults += _defaults(statement, owner, names)
    return places, defaults


@cache
def _tree(path: str) -> ast.Module:
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - the path of a loaded module
        return ast.parse(file.read())


def _top_level(module: ModuleType) -> list[ast.stmt]:
    return _tree(str(module.__file__)).body


def _binding(owner: ModuleType, name: str, value: Any) -> Place:
    return (lambda each: setattr(owner, name, each)), getattr(owner, name), value


def _importers(holder: str, name: str, loaded: dict[str, ModuleType]) -> Iterator[tuple[str, str]]:
    """Yield the modules that import a name from a module, with their own name for it."""
    for each in loaded.values():
        for statement in _top_level(each):
            if isinstance(statement, ast.ImportFrom) and statement.module == holder:
                for imported in statement.names:
                    if imported.name == name:
                        yield each.__name__, imported.asname or name


def _uses(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(statement)
    )


def _value(expression: ast.expr, owner: ModuleType, names: dict[str, Any]) -> Any:
    code = compile(ast.Expression(expression), str(owner.__file__), "eval")
    return eval(code, {**vars(owner), **names})  # noqa: S307 - the reference's own expression


def _computed(
    statement: ast.stmt, owner: ModuleType, names: dict[str, Any]
) -> tuple[str, Any] | None:
    """Return the name and the new value of a constant that is computed from changed ones."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as expression):
            pass
        case ast.Assign(targets=[ast.Name(id=name)], value=expression):
            pass
        case _:
            return None
    if isinstance(getattr(owner, name), PLAIN):
        return name, _value(expression, owner, names)
    if owner.__name__.startswith("rejoin."):
        raise UnknownTargetError(
            f"{owner.__name__}.{name} was computed from it; override a function that reads "
            f"{name} instead"
        )
    return None  # the schemas of the suite describe the published document


def _defaults(
    statement: ast.stmt, owner: ModuleType, names: dict[str, Any]
) -> Iterator[tuple[FunctionType, Place]]:
    """Yield the functions of a statement with a default that uses a changed constant."""
    match statement:
        case ast.FunctionDef(name=name):
            yield from _of_function(statement, getattr(owner, name), owner, names)
        case ast.ClassDef(name=name, body=body):
            kind = getattr(owner, name)
            for each in body:
                if isinstance(each, ast.FunctionDef):
                    yield from _of_function(each, vars(kind).get(each.name), owner, names)
                    continue
                match each:
                    case ast.AnnAssign(target=ast.Name(id=field), value=ast.Name(id=used)):
                        if used in names:
                            yield kind.__init__, _default(kind.__init__, field, names[used])


def _of_function(
    node: ast.FunctionDef, value: object, owner: ModuleType, names: dict[str, Any]
) -> Iterator[tuple[FunctionType, Place]]:
    function = plain_function(value)
    if function is None:
        return
    given = node.args
    pairs = [
        *zip(reversed([*given.posonlyargs, *given.args]), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    for argument, default in pairs:
        if default is not None and any(_uses(ast.Expr(default), name) for name in names):
            yield function, _default(function, argument.arg, _value(default, owner, names))


def _default(function: FunctionType, name: str, value: Any) -> Place:
    """Return the default of a parameter as a place."""
    before = inspect.signature(function).parameters[name].default

    def put(each: Any) -> None:
        if name in (function.__kwdefaults__ or {}):
            function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), name: each}
            return
        with_default = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is not parameter.empty
            and parameter.kind is not parameter.KEYWORD_ONLY
        ]
        defaults = list(function.__defaults__ or ())
        defaults[with_default.index(name)] = each
        function.__defaults__ = tuple(defaults)

    return put, before, value
