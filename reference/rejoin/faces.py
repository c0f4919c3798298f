"""Faces: a wrong type of an argument is one clear error at each public function and constructor.

The functions of the reference do not check types, so that they stay literal. The package of each
system calls `check_arguments` once, and each function that it exports then checks its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import wraps
from importlib import import_module
from types import FunctionType, UnionType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

from rejoin.plain import frozen_state

_PLAIN: Final[Mapping[object, type]] = {frozenset: Set, tuple: Sequence}
"""Type of an annotation -> the type that is taken for it: plain sets and lists are taken too."""
_LONGEST: Final = 60
_MANY: Final = (Iterable, Collection, Sequence)
"""Types that a text and a mapping have too: they are collections of characters, and of keys, which
are seldom meant."""
_NAMES: Final[Mapping[str, Any]] = {"Mapping": Mapping, **dict.fromkeys("KSTV", object)}
"""Names in annotations that their modules may lack, and the variables of types."""
_CODED: Final = "Mapping[bytes, object]"
"""Annotation of the data of an application, whose wrong types have codes in the protocol."""
_FROZEN: Final = ("frozenset[", "Set", "Lines")
"""How annotations begin of values for which a set or a list is made a frozenset or a tuple."""


class _Unfit(NamedTuple):
    """A part of an argument that has another type. part: the words before `argument`."""

    part: str
    expected: str
    value: object


def check_arguments(
    face: dict[str, Any], made: Collection[str], values: Collection[str] = ()
) -> None:
    """Let each function that a package exports check its arguments, and the classes of inputs.

    face: the globals of the package. made: the classes that users make; the others are results.
    values: the functions that stay, because they are values of a reading and are compared with it.
    A call then raises TypeError if an argument, or an element, a key or a value of it, has another
    type than its annotation. A constructor looks only into what it copies. The error names the
    function, the argument, the expected type and the given type.
    """
    for name in face["__all__"]:
        one = face[name]
        if isinstance(one, FunctionType) and name not in values:
            face[name] = _checked(one, name, face)
        elif name in made:
            one.__init__ = _checked(one.__init__, name, face, of_self=1)


def _checked(
    function: Any, name: str, face: Mapping[str, Any], of_self: int = 0
) -> Callable[..., object]:
    """Return a function that checks its arguments. of_self: 1 for a constructor, else 0."""
    where = f"{face['__name__'].rpartition('.')[2]}.{name}"
    texts = {each: text for each, text in function.__annotations__.items() if each != "return"}
    checks: dict[str, _Check] = {}  # the first call fills them: a package must import fast
    known: dict[str, set[type]] = {each: set() for each in texts}
    columns = [*known.items()]
    alike = [each for each, text in texts.items() if text == "K"]
    is_frozen = any(text.startswith(_FROZEN) for text in texts.values())

    def look(name: str, value: object) -> None:
        if not checks:
            checks.update(_checks(function, texts, face, shallow=of_self == 1))
        check = checks[name]
        unfit = check.unfit(value)
        if unfit is not None:
            shown = repr(unfit.value)
            shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
            expected = unfit.expected
            for variable in (*"KSTV", "object"):
                expected = expected.replace(f"[{variable}]", "")
            what = f"{where}: {unfit.part}argument {name} must be of type {expected}"
            raise TypeError(f"{what}, not {type(unfit.value).__name__}: {shown}")
        if type(value) in check.known:
            known[name].add(type(value))

    @wraps(function)
    def call(*given: object, **named: object) -> object:
        for (each, kinds), value in zip(columns, given[of_self:], strict=False):
            if type(value) not in kinds:
                look(each, value)
        for each, value in named.items():
            if each in known and type(value) not in known[each]:
                look(each, value)
        if len(alike) > 1:
            _check_alike(where, alike, {**dict(zip(texts, given[of_self:], strict=False)), **named})
        if is_frozen:
            given = tuple(map(frozen_state, given))
            named = {each: frozen_state(value) for each, value in named.items()}
        return function(*given, **named)

    if not of_self:
        call.__module__ = face["__name__"]  # where pickle looks for it
    return call


def _check_alike(where: str, names: Sequence[str], given: Mapping[str, object]) -> None:
    """Raise TypeError if arguments whose types may be any, but one, have several."""
    kinds = [type(given[each]).__name__ for each in names if each in given]
    if len({*kinds}) > 1:
        what = f"{where}: arguments {' and '.join(names)} must be of one type"
        raise TypeError(f"{what}, not {' and '.join(kinds)}")


def _checks(
    function: Any, texts: Mapping[str, str], face: Mapping[str, Any], *, shallow: bool
) -> Iterator[tuple[str, _Check]]:
    """Yield each parameter with the check of its annotation.

    shallow: whether to look only into collections that are copied.
    """
    # A rule file can put a function of another module here, which has the name of the first one.
    names = {**face, **vars(import_module(function.__module__)), **_NAMES}
    for name, text in texts.items():
        hint = object if text == _CODED else _value(text, names)
        yield name, _Check(hint, text, deep=not shallow or text.startswith("Iterable"))


def _value(text: str, names: Mapping[str, Any], depth: int = 3) -> Any:
    """Return the value of an annotation. A recursive alias, such as that of data, is a text.

    depth: how often an alias in an alias is looked into, before its first word is its type.
    """
    if not depth:
        return names.get(text.partition("[")[0], object)
    parts = text
    for mark in "[],|":
        parts = parts.replace(mark, " ")
    words = [word for word in parts.split() if isinstance(names.get(word), str)]
    inner = {word: _value(names[word], names, depth - 1) for word in words}
    return eval(text, {**names, **inner})  # noqa: S307 - an annotation of the reference


class _Check:
    """Whether values have the type of an annotation.

    known: types of which every value fits. deep: whether to look at the elements of a collection.
    """

    def __init__(self, hint: Any, text: str, *, deep: bool = True) -> None:
        is_union = isinstance(hint, UnionType) or get_origin(hint) is Union
        options = get_args(hint) if is_union else [hint]
        self.text = text
        self.known: set[type] = set()
        self._options = [(each, _parts(each) if deep else ()) for each in options]
        self._fitting: dict[type, list[tuple[tuple[_Check, ...], bool]]] = {}

    def unfit(self, value: Any) -> _Unfit | None:
        """Return what of a value does not have the type, or None."""
        kind, first = type(value), None
        if kind in self.known:
            return None
        for parts, is_mapping in self._fitting.get(kind) or self._fitting_of(value):
            if not parts:
                return None
            found = self._unfit_part(value, parts, is_mapping=is_mapping)
            if found is None:
                return None
            first = first or found
        return first or _Unfit("", self.text, value)

    def _fitting_of(self, value: object) -> list[tuple[tuple[_Check, ...], bool]]:
        """Return the parts of each option that a value fits, and whether it is a mapping."""
        is_many, is_mapping = isinstance(value, Collection), isinstance(value, Mapping)
        options = [(each, parts if is_many else ()) for each, parts in self._options]
        fitting = [(parts, is_mapping) for each, parts in options if _fits(value, each)]
        if not any(get_origin(each) is Literal for each, _ in self._options):
            self._fitting[type(value)] = fitting
            if any(not parts for parts, _ in fitting):
                self.known.add(type(value))
        return fitting

    def _unfit_part(
        self, value: Any, parts: tuple[_Check, ...], *, is_mapping: bool
    ) -> _Unfit | None:
        """Return the first element, key or value of a collection that has another type."""
        rows: tuple[tuple[str, _Check, Collection[object]], ...] = (("element", parts[0], value),)
        if is_mapping:
            rows = (("key", parts[0], value), ("value", parts[1], value.values()))
        elif len(parts) > 1:
            if len(value) != len(parts):
                return _Unfit("", self.text, value)
            rows = tuple(
                ("element", part, (each,)) for part, each in zip(parts, value, strict=True)
            )
        for name, part, many in rows:
            if not part.known.issuperset(map(type, many)):
                for each in many:
                    unfit = part.unfit(each)
                    if unfit is not None:
                        return unfit._replace(part=f"{unfit.part}each {name} of ")
        return None


def _parts(hint: Any) -> tuple[_Check, ...]:
    """Return the checks of the elements, or of keys and values; nothing if they can be any."""
    kinds = [each for each in get_args(hint) if each is not Ellipsis]
    origin = get_origin(hint)
    is_many = origin in (*_MANY, *_PLAIN, Set, Mapping, dict, list)
    if not is_many or {*map(_type, kinds)} <= {object}:
        return ()
    return tuple(_Check(each, _spelled(each)) for each in kinds)


def _type(hint: Any) -> type:
    """Return the type that a value for an annotation must have."""
    kind = type(None) if hint is None else get_origin(hint) or hint
    return _PLAIN.get(kind, kind) if isinstance(kind, type) and kind is not Any else object


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value has the type of an annotation, or of one that was imported again."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    kind = _type(hint)
    if getattr(kind, "_is_protocol", False):
        names = [name for name in vars(kind) if not name.startswith("_")]
        return not isinstance(value, type) and all(hasattr(value, name) for name in names)
    is_seldom_meant = kind in _MANY and isinstance(value, str | bytes | Mapping)
    if is_seldom_meant or (kind is int and isinstance(value, bool)):
        return False
    same = (kind.__module__, kind.__qualname__)
    mro = ((each.__module__, each.__qualname__) for each in type(value).__mro__)
    return isinstance(value, kind) or same in mro


def _spelled(hint: Any) -> str:
    """Return the text of a type."""
    if hint is type(None):
        return "None"
    origin, inner = get_origin(hint), [_spelled(each) for each in get_args(hint)]
    if isinstance(hint, UnionType) or origin is Union:
        return " | ".join(inner)
    name: str = getattr(origin or hint, "__name__", "..." if hint is Ellipsis else str(hint))
    return f"{name}[{', '.join(inner)}]" if inner else name
