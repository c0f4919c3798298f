"""The suite for config merge: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[cm.Reading]] = Readings(cm.READINGS)
"""The readings that a request, a campaign or a vector can name."""
