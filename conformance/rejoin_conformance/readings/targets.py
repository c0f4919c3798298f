"""Find the function or constant of the reference that a dotted name means, and what reads it."""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from types import FunctionType, ModuleType, NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin

import attrs
from attrs import frozen

from rejoin_conformance.kit.modules import modules_of
from rejoin_conformance.readings.worlds import definition, module_and_rest

REFERENCE: Final = "rejoin"

FAST: Final = "fast_"
"""How the names of functions begin that answer where a literal function is too slow."""


def readers_of(name: str, package: str) -> tuple[str, ...]:
    """Return the functions of a package whose code reads a field of this name: dotted names."""
    return _reading(package, lambda node: _is_field(node, name))[0]


def plain_function(value: object) -> FunctionType | None:
    """Return the function under a static method, class method, property or cache, or None."""
    match value:
        case FunctionType():
            return plain_function(getattr(value, "__wrapped__", None)) or value
        case staticmethod() | classmethod():
            return plain_function(value.__func__)
        case property():
            return plain_function(value.fget)
        case functools.cached_property():
            return plain_function(value.func)
    return plain_function(getattr(value, "__wrapped__", None)) if callable(value) else None


def package_of(system: str) -> str:
    """Return the package of a system's reference."""
    return f"{REFERENCE}.{system.replace('-', '_')}"


PLAIN: Final = (int, bytes, str)
"""The types of constants that can be replaced, apart from attrs classes."""


class UnknownTargetError(LookupError):
    """A dotted name that cannot be overridden. The message says why or suggests another name."""

    def __str__(self) -> str:
        return str(self.args[0])


@frozen
class Target:
    """A function or constant of the reference that a rule file changes.

    name: its dotted name in the rule file. defined_as: its dotted name where it is defined.
    readers: the functions whose answers can change: the function itself, or those that read the
    constant. value: a constant's new value; None for a function. held: whether something else than
    a function holds the constant, such as a default.
    """

    name: str
    defined_as: str
    readers: tuple[str, ...]
    value: Any = None
    held: bool = False


def target_of(name: str, value: Any) -> Target:
    """Return the target of an override, by its dotted name. Raises UnknownTargetError."""
    original, owner = value_at(name)
    function = None if isinstance(original, type) else plain_function(original)
    is_code = function is not None or isinstance(original, type | ModuleType)
    if isinstance(owner, ModuleType) and original is not None and not is_code:
        return _constant(name, original, owner, value)
    if function is None:
        raise UnknownTargetError(f"{name[:120]!r} is not a function of the reference")
    if getattr(owner, "_is_protocol", False):
        raise UnknownTargetError(
            f"{name} only declares an interface; override it in a class that implements "
            f"{owner.__qualname__}"
        )
    last = name.rpartition(".")[2]
    if isinstance(owner, type) and last not in vars(owner):
        heir = next(each for each in owner.__mro__ if last in vars(each))
        there = f"{heir.__module__}.{heir.__qualname__}"
        raise UnknownTargetError(f"{owner.__qualname__} inherits {last!r}; override {there}.{last}")
    if not callable(value):
        raise UnknownTargetError(f"{name} is a function; the new value must be a function too")
    _check_parameters(name, function, value)
    defined_as = f"{function.__module__}.{function.__qualname__}"
    return Target(name, defined_as, (defined_as,))


def value_at(name: str) -> tuple[Any, Any]:
    """Return the value that a dotted name means, and the module or class that contains it.

    Raises UnknownTargetError.
    """
    parts = name.split(".")
    if parts[0] != REFERENCE or len(parts) < 2:
        raise UnknownTargetError(f"{name[:120]!r} is not a dotted name that begins with `rejoin.`")
    found_in, rest = module_and_rest(name)
    owner: Any = importlib.import_module(found_in)
    if not rest:
        return owner, None
    for place, part in enumerate(rest):
        found = inspect.getattr_static(owner, part, None)
        if found is None or (place < len(rest) - 1 and not isinstance(found, type)):
            raise UnknownTargetError(_not_found(name, owner, part))
        if place < len(rest) - 1:
            owner = found
    return inspect.getattr_static(owner, rest[-1], None), owner


@cache
def fast_counterparts(name: str) -> tuple[str, ...]:
    """Return the fast functions that can answer instead of a literal function: dotted names.

    `fast_lca_u_of_past` answers instead of `lca_u`. A function that none is named after has those
    of the sister module: `fast_partial_orders` is the sister of `partial_orders`.
    """
    module, _, last = name.rpartition(".")
    package, _, section = module.rpartition(".")
    trees = _trees(".".join(name.split(".")[:2]))
    functions = [each for where, tree in trees for each, _, body in _parts(where, tree) if body]
    own = {each: each.rpartition(".")[2] for each in functions}
    literal = {each for each in own.values() if not each.startswith(FAST)}
    fast = {each: it.removeprefix(FAST) for each, it in own.items() if it.startswith(FAST)}
    found = [
        each
        for each, it in fast.items()
        if last == max((o for o in literal if f"{it}_".startswith(f"{o}_")), key=len, default="")
    ]
    beside = [each for each in fast if each.startswith(f"{package}.{FAST}{section}.")]
    return tuple(found or beside)


def _constant(name: str, original: Any, owner: ModuleType, value: Any) -> Target:
    kind, given = type(original), type(value)
    if given is not kind:
        raise UnknownTargetError(
            f"{name} is of type {kind.__name__}; the new value is of type {given.__name__}"
        )
    last, held = name.rpartition(".")[2], False
    package = ".".join(owner.__name__.split(".")[:2])
    if isinstance(original, PLAIN):
        readers, held = _reading(package, lambda node: _is_read(node, last))
    elif attrs.has(kind):
        names = [each.name for each in attrs.fields(kind)]
        changed = {each for each in names if getattr(original, each) != getattr(value, each)}
        readers, _ = _reading(package, lambda node: any(_is_field(node, each) for each in changed))
    else:
        raise UnknownTargetError(
            f"{name} is of type {kind.__name__}; only numbers, text, bytes and attrs values can be "
            "replaced"
        )
    definers = [module for module, tree in _trees(package) if definition(tree, [last])]
    if not definers:
        raise UnknownTargetError(f"{name} is not defined in the source text of the reference")
    definer = owner.__name__ if owner.__name__ in definers else definers[0]
    return Target(name, f"{definer}.{last}", readers, value, held=held)


@cache
def _trees(package: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return the modules of a package: (dotted name, tree)."""
    return tuple(
        (name, ast.parse(path.read_text(encoding="utf-8")))
        for name, path in sorted(modules_of(REFERENCE).items())
        if f"{name}.".startswith(f"{package}.")
    )


_Reads: TypeAlias = Callable[[ast.AST], bool]


def _reading(package: str, reads: _Reads) -> tuple[tuple[str, ...], bool]:
    """Return the functions that read something, and whether something reads it on import."""
    parts = [each for module, tree in _trees(package) for each in _parts(module, tree)]
    held = {name for name, imported, _ in parts if _any(reads, imported)}
    return tuple(
        name
        for name, imported, called in parts
        if called and (name in held or _any(reads, called)) and _decides(name)
    ), bool(held)


def _parts(
    where: str, tree: ast.Module | ast.ClassDef
) -> Iterator[tuple[str, Sequence[ast.AST], Sequence[ast.AST]]]:
    """Yield the dotted name of each function, its defaults and its body.

    Any other statement has the name of its module or class, and no body.
    """
    for node in tree.body:
        name = f"{where}.{getattr(node, 'name', '')}"
        if isinstance(node, ast.ClassDef):
            yield from _parts(name, node)
        elif isinstance(node, ast.FunctionDef):
            yield name, [node.args], node.body
        else:
            yield where, [node], []


def _decides(name: str) -> bool:
    """Return whether a function is no special method but a call; such a method decides nothing."""
    last = name.rpartition(".")[2]
    return not last.startswith("__") or last == "__call__"


def _any(reads: _Reads, nodes: Iterable[ast.AST]) -> bool:
    return any(reads(inner) for each in nodes for inner in ast.walk(each))


def _is_field(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name


def _is_read(node: ast.AST, name: str) -> bool:
    is_name = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    return is_name or _is_field(node, name)


def _check_parameters(name: str, original: FunctionType, function: Callable[..., Any]) -> None:
    """Raise UnknownTargetError if the function cannot be called with the original's arguments."""
    try:
        ours, theirs = inspect.signature(function), inspect.signature(original)
    except (TypeError, ValueError):
        return
    required = [
        each
        for each in theirs.parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    positional = [each for each in required if each.kind is not each.KEYWORD_ONLY]
    keywords = {each.name: None for each in required if each.kind is each.KEYWORD_ONLY}
    try:
        ours.bind(*(None for _ in positional), **keywords)
    except TypeError as error:
        raise UnknownTargetError(
            f"the function for {name} must accept the arguments of "
            f"{name.rpartition('.')[2]}{theirs}: {error}"
        ) from None


_ALIKE: Final = ((set, frozenset), (list, tuple), (bool, int))
"""Types of which the reference takes each for the other."""


def returned_hint(function: FunctionType) -> Any:
    """Return the type that the annotation of a function says; Any for a name that is not there."""
    try:
        return eval(function.__annotations__["return"], function.__globals__)  # noqa: S307 - ours
    except (KeyError, NameError, TypeError):  # a name for the type checker alone
        return Any


def fits(value: object, hint: Any = Any) -> bool:
    """Return whether a value and its items have the type of an annotation. Type variables fit."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return any(fits(value, each) for each in parts)
    if origin is Literal:
        return value in parts
    kind = NoneType if hint is None else origin or hint
    if hint is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    items: Any = value
    if not isinstance(value, next((each for each in _ALIKE if kind in each), kind)):
        return False
    if issubclass(kind, Mapping) and parts:
        return all(fits(key, parts[0]) and fits(each, parts[1]) for key, each in items.items())
    if issubclass(kind, tuple) and parts and Ellipsis not in parts:
        return len(items) == len(parts) and all(map(fits, items, parts))
    return not issubclass(kind, Sequence | Set) or all(fits(each, *parts[:1]) for each in items)


def _not_found(name: str, owner: Any, part: str) -> str:
    there = [each for each, value in vars(owner).items() if plain_function(value) is not None]
    there += [each.name for each in pkgutil.iter_modules(getattr(owner, "__path__", ()))]
    near = difflib.get_close_matches(part, there, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the reference has no function {name[:120]!r}: no {part!r} in {owner.__name__}{hint}"
