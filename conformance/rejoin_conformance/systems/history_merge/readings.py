"""The readings of the history merge by name; a fold order is spelled by its own."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge.readings import FOLD_ORDERS, Reading
from rejoin.history_merge.readings import READINGS as NAMED
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[Reading]] = Readings(NAMED, {"fold_order": FOLD_ORDERS})
"""What a request, a campaign or a vector may name."""
