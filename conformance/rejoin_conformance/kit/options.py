"""Options as fields of a frozen attrs class.

One class says what a group of options is: the command line and pytest parse it, a manifest keeps
it, and the work takes it. A field whose type is such a class adds the options of that class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from rejoin_conformance.kit.json_forms import OPTIONAL

T = TypeVar("T")
_OPTION: Final = "option"


@frozen(kw_only=True)
class Said:
    """What a field says of itself as an option.

    help: one sentence. name: the name of the option if it is not the name of the field. shown: the
    default as the help prints it, if it is not the value. least, most: the bounds of a number.
    form: what the command line uses to parse the value, if the type of the field does not say it.
    writes: whether the command writes to the file that the value names. argument: whether it is an
    argument, without a name.
    """

    help: str = ""
    name: str = ""
    metavar: str = ""
    shown: str = ""
    least: float | None = None
    most: float | None = None
    form: Any = None
    writes: bool = False
    argument: bool = False


def opt(help: str, default: Any = attrs.NOTHING, **said: Any) -> Any:  # noqa: A002 - as in click
    """Return a field that is an option. The option is required if the field has no default.

    said: further fields of `Said`.
    """
    optional = {} if default is attrs.NOTHING else OPTIONAL
    metadata = {_OPTION: Said(help=help, **said), **optional}
    return attrs.field(default=default, kw_only=True, metadata=metadata)


def arg(metavar: str = "", default: Any = attrs.NOTHING, *, form: Any = None) -> Any:
    """Return a field that is an argument. It is required if the field has no default."""
    return opt("", default, metavar=metavar, form=form, argument=True)


@frozen(kw_only=True)
class Parameter:
    """One option or argument of a class.

    field: the name of the field. kind: the type of one value. many: whether it may be repeated.
    choices: the only values, if they are listed.
    """

    field: str
    kind: type[Any]
    many: bool
    choices: tuple[str, ...]
    default: Any
    said: Said

    @property
    def name(self) -> str:
        """Return the name of the option without its dashes."""
        return self.said.name or self.field.replace("_", "-")

    @property
    def required(self) -> bool:
        """Return whether a value must be given."""
        return self.default is attrs.NOTHING


def parameters(kind: type[Any]) -> Iterator[Parameter]:
    """Yield the parameters of a class of options, in the order of its fields."""
    hints = get_type_hints(kind)
    for each in attrs.fields(kind):
        hint, said = hints[each.name], each.metadata.get(_OPTION)
        if attrs.has(hint) and said is None:
            yield from parameters(hint)
        elif said is not None:
            many = get_origin(hint) is tuple
            one = _without_none(get_args(hint)[0] if many else hint)
            choices = get_args(one) if get_origin(one) is Literal else ()
            yield Parameter(
                field=each.name,
                kind=str if choices else one,
                many=many,
                choices=choices,
                default=each.default,
                said=said,
            )


def made(kind: type[T], values: dict[str, Any]) -> T:
    """Return the options that values of the fields describe. Takes these values out of `values`.

    What is given twice counts once.
    """
    fields: dict[str, Any] = {}
    hints = get_type_hints(kind)
    listed: Any = attrs.fields(kind)  # type: ignore[arg-type]  # a class of attrs
    for each in listed:
        if _OPTION in each.metadata:
            value = values.pop(each.name)
            if isinstance(value, tuple):
                value = tuple(one for at, one in enumerate(value) if one not in value[:at])
            fields[each.name] = value
        elif attrs.has(hints[each.name]):
            fields[each.name] = made(hints[each.name], values)
    return kind(**fields)


def _without_none(hint: Any) -> Any:
    """Return the type of a value that may also be None, such as int for `int | None`."""
    if get_origin(hint) is Literal:
        return hint
    return next((each for each in get_args(hint) if each is not type(None)), hint)
