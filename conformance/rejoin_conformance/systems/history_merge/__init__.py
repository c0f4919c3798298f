"""The suite for history merge: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import history_merge as hm
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[hm.Reading]] = Readings(hm.READINGS, {"fold_order": hm.FOLD_ORDERS})
"""The readings that a request, a campaign or a vector can name."""

DEFAULT: Final = hm.DOCUMENT.name
"""The reading of every vector that names no other one."""
