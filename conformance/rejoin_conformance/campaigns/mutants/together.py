"""Several mutants in force at once, and the sets of mutants that can be.

Two mutants can be in force at once if neither changes code inside the other's change. What one of
them does can hide another one, or two of them can show what neither shows alone. So a result of
several mutants counts only after it was seen with one of them alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import loaded_reference
from rejoin_conformance.campaigns.mutants.exchanging import (
    NotInForceError,
    exchange_code,
    import_afresh,
)
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.source import source_of
from rejoin_conformance.contract.operation import Operation

Clash: TypeAlias = frozenset[str]
"""The names of mutants that show together what none of them shows alone."""


@frozen(kw_only=True)
class _Joined:
    """Several mutants of one function, or of one module, as one change: see `exchanging.Change`."""

    module: str
    function: str
    numbers: tuple[int, ...]

    @property
    def place(self) -> str:
        return f"{self.module}.{self.function}".rstrip(".")

    def function_code(self) -> CodeType:
        return source_of(self.module).changed_together(self.numbers)

    def module_code(self) -> CodeType:
        return source_of(self.module).changed_module(*self.numbers)


def put_all_in_force(
    system: str, corpus: Corpus, mutants: Iterable[Mutant]
) -> Mapping[str, Operation]:
    """Put mutants in force in this process, for good; return the operations with them.

    Raises NotInForceError if that cannot be done, and any exception of the changed code.
    """
    chosen = tuple(mutants)
    if all(each.function for each in chosen):
        try:
            for change in _joined((each.module, each.function, each.number) for each in chosen):
                exchange_code(change, loaded_reference(system))
        except NotInForceError:
            pass  # a function is used up at import, or has another number of free variables
        else:
            return corpus.operations
    changes = _joined((each.module, "", each.number) for each in chosen)
    return {operation.name: operation for operation in import_afresh(system, *changes)}


def groups_of(
    mutants: Sequence[Mutant], clashes: Collection[Clash] = ()
) -> tuple[tuple[Mutant, ...], ...]:
    """Return all mutants in groups, each of which can be in force at once.

    Each mutant is in the first group that it fits into. No group contains a whole clash.
    """
    groups: list[list[Mutant]] = []
    for mutant in mutants:
        of_mutant = [each for each in clashes if mutant.name in each]
        fitting = (each for each in groups if _fits(mutant, each, of_mutant))
        group = next(fitting, None)
        if group is None:
            groups.append([mutant])
        else:
            group.append(mutant)
    return tuple(map(tuple, groups))


def _fits(mutant: Mutant, group: Sequence[Mutant], clashes: Sequence[Clash]) -> bool:
    near = (
        each
        for each in group
        if each.module == mutant.module
        and (each.function == mutant.function or not each.function or not mutant.function)
    )
    if any(_overlap(mutant.module, mutant.number, each.number) for each in near):
        return False
    names = {mutant.name, *(each.name for each in group)} if clashes else set[str]()
    return not any(each <= names for each in clashes)


@lru_cache(maxsize=100_000)
def _overlap(module: str, number: int, other: int) -> bool:
    return source_of(module).overlap(number, other)


def _joined(changes: Iterable[tuple[str, str, int]]) -> tuple[_Joined, ...]:
    """Join changes of the same place. changes: (module, function, number)."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for module, function, number in changes:
        numbers.setdefault((module, function), []).append(number)
    return tuple(
        _Joined(module=module, function=function, numbers=tuple(sorted(each)))
        for (module, function), each in numbers.items()
    )
