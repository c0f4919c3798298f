"""Profiles of random histories as text: a summary, and the weights that are not as in `default`.

    default: 2 to 8 clients, every kind of event
        race 6, files 3:1 2:2, events 20-28
    racing: clients that change one file at the same time
        race 12, files 1:1

A weight is a number, a range such as `20-28`, or the weights of some values as `weight:value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from attrs import frozen

Weights: TypeAlias = Mapping[str, Any]

_PROFILE: Final = re.compile(r"^(\w+): (.*)((?:\n +.*)*)", re.MULTILINE)
_WEIGHT: Final = re.compile(r"([a-z][\w-]*)\s+([\d:\s-]*\d)")


@frozen
class Profiles:
    """The profiles of a text: profile -> its summary, and profile -> all its weights."""

    summaries: Mapping[str, str]
    weights: Mapping[str, Weights]

    def group(self, first: str, last: str) -> tuple[str, ...]:
        """Return the names of the weights from one to another one, as `default` lists them."""
        names = [*self.weights["default"]]
        return tuple(names[names.index(first) : names.index(last) + 1])


def profiles_told(text: str) -> Profiles:
    """Return the profiles of a text, `default` first.

    Raises ValueError for a weight that `default` does not have.
    """
    rows = _PROFILE.findall(text)
    usual = dict(_weights(rows[0][2]))
    weights = {name: dict(_weights(told)) for name, _, told in rows}
    for name, each in weights.items():
        if unknown := each.keys() - usual.keys():
            raise ValueError(f"profile {name}: no weight is called {min(unknown)}")
    return Profiles(
        {name: summary for name, summary, _ in rows},
        {name: {**usual, **each} for name, each in weights.items()},
    )


def _weights(told: str) -> Iterator[tuple[str, Any]]:
    for name, value in _WEIGHT.findall(told):
        if ":" in value:
            yield name, [tuple(map(int, each.split(":"))) for each in value.split()]
        else:
            yield name, tuple(map(int, value.split("-"))) if "-" in value else int(value)
