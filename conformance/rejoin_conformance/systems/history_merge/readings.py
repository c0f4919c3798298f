"""The readings of the history merge by name. A fold order is written by its own name."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge.readings import FOLD_ORDERS, Reading
from rejoin.history_merge.readings import READINGS as NAMED
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[Reading]] = Readings(NAMED, {"fold_order": FOLD_ORDERS})
"""The readings that a request, a campaign or a vector can name."""
