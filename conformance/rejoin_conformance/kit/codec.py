"""Convert values to JSON and back: attrs classes by their annotations, without coercion.

`plain` turns a value into JSON, and `read` turns JSON into a value. An attrs object becomes a JSON
object with a field for each attribute, a tuple becomes a list, and bytes become lower-case hex.
`json_forms` contains annotations that restrict the values further.

The input may be any file. If it does not have exactly the annotated form, `read` raises an error
with one short line that names the place and the expected form: `$.events[3].client: expected an
integer from 0 to 7, found "A"`. No class contains itself, so the classes bound the depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from functools import partial
from itertools import repeat
from operator import eq
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_origin

import attrs
from cattrs import AttributeValidationNote, ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from rejoin_conformance.kit.json_forms import (
    DECIMAL,
    IS_DECIMAL,
    BigInt,
    MalformedError,
    Where,
    is_optional,
    json_name,
    shown_value,
    unexpected,
)
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import shown_line

T = TypeVar("T")


def _strict_converter() -> Converter:
    """Return a converter that reads exactly the form that it writes."""
    converter = Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    converter.register_unstructure_hook(bytes, bytes.hex)
    for kind, expected in ((bool, "true or false"), (int, "an integer"), (str, "a string")):
        converter.register_structure_hook(kind, _exactly(kind, expected))
    converter.register_structure_hook(bytes, _bytes)
    for origins, structure in (
        ({Literal}, _literal),
        ({tuple, list}, _list),
        ({dict, Mapping, Counter}, _map),
        ({Annotated}, _annotated),
    ):
        converter.register_structure_hook_factory(_comes_from(origins), structure)
    converter.register_structure_hook_factory(attrs.has, _class)
    converter.register_structure_hook_func(lambda kind: kind == JsonObject, _object)
    converter.register_unstructure_hook_factory(attrs.has, _from_class)
    converter.register_unstructure_hook_func(lambda kind: kind == BigInt, str)
    for free in (Json, JsonObject):  # passed through unchanged, at any depth
        converter.register_unstructure_hook_func(partial(eq, free), lambda value: value)
    return converter


_Hook: TypeAlias = Callable[[Any, Any], Any]


def _comes_from(origins: Set[Any]) -> Callable[[Any], bool]:
    return lambda kind: get_origin(kind) in origins


def _exactly(kind: type, expected: str) -> _Hook:
    def structure(value: Any, _: object) -> Any:
        if type(value) is not kind:
            raise unexpected(expected, value)
        return value

    return structure


def _bytes(value: Any, _: object) -> bytes:
    try:
        read_bytes = bytes.fromhex(value)
    except (TypeError, ValueError):
        raise unexpected("bytes in lower-case hex", value) from None
    if read_bytes.hex() != value:
        raise unexpected("bytes in lower-case hex", value)
    return read_bytes


def _object(value: Any, _: object) -> dict[str, Any]:
    if type(value) is not dict:
        raise unexpected("an object", value)
    return value


def _literal(kind: Any, _: Converter) -> _Hook:
    names = get_args(kind)

    def structure(value: Any, _: object) -> Any:
        if type(value) is not str or value not in names:
            raise unexpected(f"one of {', '.join(names)}", value)
        return value

    return structure


def _list(kind: Any, converter: Converter) -> _Hook:
    """Return how to read a list: of items of one kind, or of as many items as there are kinds."""
    make, kinds = get_origin(kind), get_args(kind)
    fixed = make is tuple and kinds[1:] != (...,)
    pairs = [(converter.get_structure_hook(each), each) for each in (kinds if fixed else kinds[:1])]
    expected = f"a list of length {len(kinds)}" if fixed else "a list"

    def structure(value: Any, _: object) -> Any:
        if type(value) is not list or (fixed and len(value) != len(pairs)):
            raise unexpected(expected, value)
        taken: list[Any] = []
        try:
            for each, (hook, item) in zip(value, pairs if fixed else repeat(*pairs), strict=False):
                taken.append(hook(each, item))
        except MalformedError as error:
            raise error.inside(f"[{len(taken)}]") from None
        return make(taken)

    return structure


def _map(kind: Any, converter: Converter) -> _Hook:
    item = int if get_origin(kind) is Counter else get_args(kind)[1]
    make = Counter if get_origin(kind) is Counter else dict
    hook = converter.get_structure_hook(item)

    def structure(value: Any, _: object) -> Any:
        taken: dict[str, Any] = {}
        for name, each in _object(value, None).items():
            try:
                taken[name] = hook(each, item)
            except MalformedError as error:
                raise error.inside(f"[{shown_value(name)}]") from None
        return make(taken)

    return structure


def _annotated(kind: Any, converter: Converter) -> _Hook:
    origin, *metadata = get_args(kind)
    if IS_DECIMAL in metadata:
        return _decimal
    tests = [each for each in metadata if isinstance(each, Where)]
    hook = converter.get_structure_hook(origin)

    def structure(value: Any, _: object) -> Any:
        taken = hook(value, origin)
        for where in tests:
            if not where.test(taken):
                raise unexpected(where.expected, value)
        return taken

    return structure


def _decimal(value: Any, _: object) -> int:
    if type(value) is not str or not DECIMAL.fullmatch(value):
        raise unexpected(IS_DECIMAL.expected, value)
    return int(value)


def _class(kind: Any, converter: Converter) -> _Hook:
    attributes = _resolved(kind)
    names = {json_name(each): not is_optional(each) for each in attributes}
    required = {name for name, needed in names.items() if needed}
    make = make_dict_structure_fn(kind, converter, **_overrides(attributes))

    def structure(value: Any, _: object) -> Any:
        given = _object(value, None).keys()
        if not given <= names.keys():
            fields = f"; the fields are {', '.join(names)}" if names else ""
            raise MalformedError(f"unknown field {shown_value(min(given - names.keys()))}{fields}")
        if not required <= given:
            raise MalformedError(f"the field {min(required - given)} is missing")
        try:
            return make(value, kind)
        except ClassValidationError as errors:
            raise _first(errors, attributes) from None

    return structure


def _first(errors: ClassValidationError, attributes: tuple[attrs.Attribute[Any], ...]) -> Exception:
    """Return the first error among an object's fields, with its path from the object."""
    error = errors.exceptions[0]
    notes = [*getattr(error, "__notes__", ())]
    if not isinstance(error, MalformedError):  # from the class itself, by a validator
        return MalformedError(shown_line(str(error)))
    place = next(note.name for note in notes if isinstance(note, AttributeValidationNote))
    error.__notes__ = []
    return error.inside("." + next(json_name(each) for each in attributes if each.name == place))


def _from_class(kind: Any, converter: Converter) -> Callable[[Any], dict[str, Any]]:
    return make_dict_unstructure_fn(kind, converter, **_overrides(_resolved(kind)))


def _resolved(kind: Any) -> tuple[attrs.Attribute[Any], ...]:
    """Return the attributes of a class with resolved annotations."""
    attrs.resolve_types(kind)
    return tuple(each for each in attrs.fields(kind) if each.init)


def _overrides(attributes: tuple[attrs.Attribute[Any], ...]) -> dict[str, Any]:
    return {
        each.name: override(rename=json_name(each), omit_if_default=is_optional(each))
        for each in attributes
    }


_STRICT: Final = _strict_converter()


def plain(value: Any) -> JsonObject:
    """Return an attrs value as JSON."""
    made: JsonObject = _STRICT.unstructure(value)
    return made


def read(value: object, kind: type[T], error: type[Exception] = MalformedError) -> T:
    """Return JSON as a value of a class or another annotation; the inverse of `plain`.

    error: the exception class to raise, with a one-line message, if the JSON does not have exactly
    that form.
    """
    try:
        return _STRICT.structure(value, kind)
    except MalformedError as fault:
        if error is MalformedError:
            raise
        raise error(str(fault)) from None
