"""The mutants that no input can show, each with its argument: `equivalent.toml`.

An entry names a mutant by the text of its change, not by a line, so that it stays valid while the
code around it moves:

    [[equivalent]]
    function = "rejoin.history_merge.graph.Graph.add"
    kind = "condition-fixed"
    before = "..."
    after = "..."
    argument = "Why no input of an operation can show the change."
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from attrs import fields, frozen

from rejoin_conformance.campaigns.mutants.mutant import Mutant

FILE: Final = "equivalent.toml"


class EquivalentError(Exception):
    """An invalid list of equivalent mutants: the file, the entry, and what is wrong with it."""


@frozen(kw_only=True)
class Equivalent:
    """One entry. occurrence: which of several equal changes of a function, from 0."""

    function: str
    kind: str
    before: str
    after: str
    argument: str
    occurrence: int = 0

    @property
    def change(self) -> tuple[str, str, str, str, int]:
        """What the entry and its mutant have in common."""
        return (self.function, self.kind, self.before, self.after, self.occurrence)


def change_of(mutant: Mutant) -> tuple[str, str, str, str, int]:
    """The change of a mutant, in the form of `Equivalent.change`."""
    function = f"{mutant.module}.{mutant.function}".rstrip(".")
    return (function, mutant.kind, mutant.before, mutant.after, mutant.occurrence)


def load_equivalents(path: Path) -> tuple[Equivalent, ...]:
    """Read a list; empty if there is no file. Raises EquivalentError, one line."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EquivalentError(f"{path}: {error}") from None
    if set(data) - {"equivalent"}:
        raise EquivalentError(f"{path}: the only table is [[equivalent]]")
    return tuple(_entry(path, number, each) for number, each in enumerate(data["equivalent"], 1))


def unknown_entries(
    equivalents: Iterable[Equivalent], mutants: Iterable[Mutant]
) -> tuple[Equivalent, ...]:
    """The entries that name no mutant: the code changed, or a text has a mistake."""
    known = set(map(change_of, mutants))
    return tuple(each for each in equivalents if each.change not in known)


def _entry(path: Path, number: int, value: Any) -> Equivalent:
    kinds = {each.name: int if each.name == "occurrence" else str for each in fields(Equivalent)}
    needed = kinds.keys() - {"occurrence"}
    if not isinstance(value, dict) or not needed <= value.keys() <= kinds.keys():
        raise EquivalentError(
            f"{path}: entry {number} needs the fields {', '.join(sorted(needed))}"
        )
    for name, each in value.items():
        if type(each) is not kinds[name]:
            raise EquivalentError(f"{path}: entry {number}: {name} is not of type {kinds[name]}")
    if not value["argument"].strip():
        raise EquivalentError(f"{path}: entry {number}: the argument is empty")
    return Equivalent(**value)
