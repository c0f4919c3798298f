"""The operations of the history merge."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.field_words import described
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.systems.history_merge.operations import (
    merge_steps,
    merges,
    orders,
    sessions,
    states,
    unmerged,
)
from rejoin_conformance.systems.history_merge.operations.words import WORDS

_ALL: Final = (
    *orders.OPERATIONS,
    *states.OPERATIONS,
    *merges.OPERATIONS,
    *merge_steps.OPERATIONS,
    *sessions.OPERATIONS,
    *unmerged.OPERATIONS,
)

OPERATIONS: Final[tuple[Operation, ...]] = tuple(described(each, WORDS) for each in _ALL)
