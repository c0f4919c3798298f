"""Config merge: bytes per message, ignored messages and lost edits, for each window N.

The same random histories run once for each N, which replaces the N of every history. The counts
depend only on the profile, the seed and the number of histories.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Cost, history_seed
from rejoin_conformance.systems.config_merge import PROFILES
from rejoin_conformance.systems.config_merge.drawing import generate_history
from rejoin_conformance.systems.config_merge.outcome import costs_of
from rejoin_conformance.systems.config_merge.run import run_history
from series import TradeOff, swept

NAME: Final = "window"
SEED: Final = 1
DRAWN_FROM: Final = ("default", "partitioned")
BYTES: Final = "bytes per message"
LOST: Final = "edits lost per 100"


def measured(histories: int = 1000, windows: Sequence[int] = tuple(range(1, 13))) -> TradeOff:
    """Return the costs of the first histories of each profile, under each window."""
    return TradeOff(
        name=NAME,
        title="Config merge: the price of a window of N seqnos",
        along="N",
        at=tuple(windows),
        drawn=(BYTES, LOST),
        series=swept(partial(_costs, histories), DRAWN_FROM, windows),
    )


def _costs(histories: int, profile: str, window: int) -> dict[str, Cost]:
    """Return the sums of the costs of all histories under one window."""
    reading = evolve(cm.DOCUMENT, window=window)
    sums: dict[str, Cost] = {}
    for index in range(histories):
        seed = history_seed(SEED, "config-merge", profile, index)
        run = run_history(generate_history(PROFILES.weights[profile], seed), reading)
        for quantity, cost in costs_of(run).items():
            sums[quantity] = cost + sums[quantity] if quantity in sums else cost
    return sums
