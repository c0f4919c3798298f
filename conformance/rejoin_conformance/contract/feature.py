"""A feature of an operation: a part of it that an implementation can leave out.

An implementation names the features that it leaves out. It is then asked nothing that needs them,
and the parts of an output that it leaves out are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject

Change: TypeAlias = Callable[[JsonObject], JsonObject]
"""A function that returns a changed copy of an input or an output."""


def _never(_: JsonObject) -> bool:
    return False


@frozen(kw_only=True)
class Feature:
    """A part of an operation.

    name: unique in its operation. summary: what an implementation without it cannot do, as the
        documentation says it.
    needed_by: whether an input that matches the schema needs the feature.
    reduced: an input that needs the feature -> a similar input that does not need it. Random
        histories ask the similar input instead. None if there is no such input.
    dropped: an output of the reference -> the output without the part that this feature adds. The
        function also takes an output of an adapter that matches no schema; it can then raise any
        exception. None if the feature concerns inputs only.
    """

    name: str
    summary: str
    needed_by: Callable[[JsonObject], bool] = _never
    reduced: Change | None = None
    dropped: Change | None = None


def needed(features: Iterable[Feature], value: JsonObject) -> str:
    """Return the name of the first feature that an input needs, or an empty text."""
    return next((each.name for each in features if each.needed_by(value)), "")


def reduced(features: Iterable[Feature], value: JsonObject) -> JsonObject:
    """Return an input without the given features, as far as they can be taken out of it."""
    for each in features:
        if each.reduced is not None and each.needed_by(value):
            value = each.reduced(value)
    return value


def dropped(features: Iterable[Feature], output: JsonObject) -> JsonObject:
    """Return an output without the parts that the given features add."""
    for each in features:
        if each.dropped is not None:
            output = each.dropped(output)
    return output
