"""Faces: a wrong type of an argument is one clear error at each public function.

The functions of the reference do not check types, so that they stay literal. The package of each
system calls `check_arguments` once, and each function that it exports then checks its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import wraps
from importlib import import_module
from types import FunctionType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from rejoin.errors import RejoinError
from rejoin.plain import frozen_state

_PLAIN: Final[Mapping[object, type]] = {frozenset: Set, tuple: Sequence, bool: int}
"""Type of an annotation -> the type that is taken for it: plain sets and lists are taken too."""
_LONGEST: Final = 60
_MANY: Final = (Iterable, Collection, Sequence)
"""Types that text has too: it is a collection of its characters, which are seldom meant."""
_CODED: Final = ("Mapping[bytes, object]", "window")
"""Annotations, or names, of arguments whose types have codes in the protocol: the data of an
application and the window. The functions check them."""
_FROZEN: Final = ("frozenset[", "Lines")
"""How annotations begin of values for which a set or a list is made a frozenset or a tuple."""


def check_arguments(face: dict[str, Any], values: Collection[str] = ()) -> None:
    """Replace each function that a package exports by one that checks its arguments.

    face: the globals of the package. values: the functions that stay, because they are values of
    a reading and are compared with it. A function then raises TypeError if an argument has another
    type than its annotation, or has an element of another type that the function cannot use. The
    error names the function, the argument, the expected type and the given type.
    """
    for name in face["__all__"]:
        if isinstance(face[name], FunctionType) and name not in values:
            face[name] = _checked(face[name], face["__name__"])


def _checked(function: FunctionType, package: str) -> Callable[..., object]:
    where = f"{package.rpartition('.')[2]}.{function.__name__}"
    hints: dict[str, Any] = {}  # the first call fills them: a package must import fast
    fit: dict[str, set[type]] = {}
    columns: list[set[type]] = []
    texts = function.__annotations__.values()
    is_frozen = any(text.startswith(_FROZEN) for text in texts)

    def look(name: str, value: object) -> None:
        if not _fits(value, hints[name]):
            raise _refusal(f"{where}: argument {name}", function.__annotations__[name], value)
        fit[name].add(type(value))

    @wraps(function)
    def call(*given: object, **named: object) -> object:
        if not hints:
            hints.update(_hints(function))
            fit.update((name, set()) for name in hints)
            columns.extend(fit.values())
        for known, value in zip(columns, given, strict=False):
            if type(value) not in known:
                look(next(name for name, each in fit.items() if each is known), value)
        for name, value in named.items():
            if name in fit and type(value) not in fit[name]:
                look(name, value)
        if is_frozen:
            given = tuple(map(frozen_state, given))
        try:
            return function(*given, **named)
        except RejoinError:
            raise
        except Exception as error:
            for name, value in (*zip(fit, given, strict=False), *named.items()):
                for each in _unfit_elements(value, hints.get(name)):
                    expected = function.__annotations__[name].partition("[")[2][:-1]
                    part = f"{where}: each element of argument {name}"
                    raise _refusal(part, expected, each) from error
            raise

    call.__module__ = package  # where pickle looks for it
    return call


def _refusal(what: str, expected: str, given: object) -> TypeError:
    """Return the error for a value of another type. Variables of types are left out."""
    for variable in "KSTV":
        expected = expected.replace(f"[{variable}]", "")
    found, shown = type(given).__name__, repr(given)
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
    return TypeError(f"{what} must be of type {expected}, not {found}: {shown}")


def _hints(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield each parameter with the value of its annotation."""
    # A rule file can put a function of another module here, which has the name of the first one.
    names = {"Mapping": Mapping, **vars(import_module(function.__module__))}
    for name, text in function.__annotations__.items():
        if name in _CODED or text in _CODED:
            yield name, object
        elif name != "return":
            hint = eval(text, names)  # noqa: S307 - an annotation of the reference
            # A recursive alias, such as that of data, is a string. Its type is the first word.
            if isinstance(hint, str):
                hint = eval(hint.partition("[")[0], names)  # noqa: S307 - the alias above
            yield name, hint


def _types(hint: Any) -> tuple[type, ...]:
    """Return the types that a value for an annotation can have; `object` if that cannot be told."""
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return tuple(kind for each in get_args(hint) for kind in _types(each))
    kind = type(None) if hint is None else get_origin(hint) or hint
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return (object,)
    return (_PLAIN.get(kind, kind),)


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value has the type of an annotation, or of one that was imported again."""
    kinds = _types(hint)
    if isinstance(value, str | bytes) and not (isinstance(value, str) and str in get_args(hint)):
        kinds = tuple(each for each in kinds if each not in _MANY)  # its characters are no elements
    mro = {(each.__module__, each.__qualname__) for each in type(value).__mro__}
    return isinstance(value, kinds) or any((k.__module__, k.__qualname__) in mro for k in kinds)


def _unfit_elements(value: object, hint: Any) -> Iterator[object]:
    """Yield the elements of a collection that do not have the type of its annotation."""
    if isinstance(value, Collection) and _types(hint)[0] in (*_MANY, Set) and len(get_args(hint)):
        yield from (each for each in value if not _fits(each, get_args(hint)[0]))
