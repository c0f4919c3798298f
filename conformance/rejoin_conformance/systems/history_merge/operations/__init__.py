"""The operations of the history merge."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.systems.history_merge.operations import merges, orders, sessions, states

OPERATIONS: Final[tuple[Operation, ...]] = (
    *orders.OPERATIONS,
    *states.OPERATIONS,
    *merges.OPERATIONS,
    *sessions.OPERATIONS,
)
