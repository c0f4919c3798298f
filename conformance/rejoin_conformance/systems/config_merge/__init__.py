"""The suite for config merge: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.choices import Readings

LARGEST_WINDOW: Final = 20
"""The largest N that an expression can name. A rule file can set any other."""

_WINDOWS: Final = {"given": None, **{str(n): n for n in range(1, LARGEST_WINDOW + 1)}}

READINGS: Final[Readings[cm.Reading]] = Readings(cm.READINGS, {"window": _WINDOWS})
"""The readings that a request, a campaign or a vector can name."""
