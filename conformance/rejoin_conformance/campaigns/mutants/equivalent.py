"""The mutants that no input can show, each with its argument: `equivalent.toml`.

An entry names a mutant by the text of its change, not by a line, so that it stays valid while the
code around it moves:

    [[equivalent]]
    function = "rejoin.history_merge.graph.Graph.add"
    kind = "condition-fixed"
    before = "..."
    after = "..."
    argument = "Why no input of an operation can show the change."

All mutants of a function, a class or a module that no operation runs have one entry together. It is
refuted by any vector that executes a line of it:

    [[unreachable]]
    function = "rejoin.history_merge.acceptance.session_of"
    argument = "Why no operation runs it."
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, TypeAlias, TypeVar

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_forms import OPTIONAL, Where

T = TypeVar("T")

FILE: Final = "equivalent.toml"

Reason: TypeAlias = Annotated[str, Where(lambda text: bool(text.strip()), "a reason")]
"""Why there is an entry."""


class EntriesError(ExpectedError):
    """An invalid file of entries: the file, the entry and what is wrong, in one line."""


def entries_in(path: Path, form: type[T]) -> T:
    """Return the entries of a TOML file; none if there is no file.

    form: an attrs class with a tuple of entries for each table. Raises EntriesError.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return read(data, form, error=ValueError)
    except (OSError, ValueError) as error:  # text that is not UTF-8 or not TOML, too
        raise EntriesError(f"{path}: {error}") from None


@frozen(kw_only=True)
class Equivalent:
    """One entry. occurrence: which of several equal changes of a function, from 0."""

    function: str
    kind: str
    before: str
    after: str
    argument: Reason
    occurrence: int = field(default=0, metadata=OPTIONAL)

    @property
    def change(self) -> tuple[str, str, str, str, int]:
        """Return the fields by which an entry names its mutant."""
        return (self.function, self.kind, self.before, self.after, self.occurrence)


@frozen(kw_only=True)
class Unreachable:
    """A function, class or module that no operation runs, by its dotted name."""

    function: str
    argument: Reason

    def holds(self, mutant: Mutant) -> bool:
        """Return whether the mutant changes it."""
        return f"{mutant.place}.".startswith(f"{self.function}.")


@frozen(kw_only=True, slots=False)
class Argued:
    """The mutants for which no vector is possible, each with its argument."""

    equivalent: tuple[Equivalent, ...] = field(default=(), metadata=OPTIONAL)
    unreachable: tuple[Unreachable, ...] = field(default=(), metadata=OPTIONAL)

    def argument(self, mutant: Mutant) -> str | None:
        """Return the argument for a mutant, or None if there is none."""
        for each in self.unreachable:
            if each.holds(mutant):
                return each.argument
        return self._arguments.get(change_of(mutant))

    def is_unreachable(self, mutant: Mutant) -> bool:
        """Return whether an entry says that no operation runs the code of the mutant."""
        return any(each.holds(mutant) for each in self.unreachable)

    @cached_property
    def _arguments(self) -> Mapping[tuple[str, str, str, str, int], str]:
        return {each.change: each.argument for each in self.equivalent}


def change_of(mutant: Mutant) -> tuple[str, str, str, str, int]:
    """Return the change of a mutant, in the form of `Equivalent.change`."""
    return (mutant.place, mutant.kind, mutant.before, mutant.after, mutant.occurrence)


def load_argued(path: Path) -> Argued:
    """Read a list; empty if there is no file. Raises EntriesError."""
    return entries_in(path, Argued)


def unknown_entries(
    argued: Argued, mutants: Sequence[Mutant]
) -> tuple[Equivalent | Unreachable, ...]:
    """Return the entries that name no mutant: the code changed, or a text has a mistake."""
    known = set(map(change_of, mutants))
    return (
        *(each for each in argued.equivalent if each.change not in known),
        *(each for each in argued.unreachable if not any(map(each.holds, mutants))),
    )
