"""The readings of conflict detection by name."""

from __future__ import annotations

from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[cd.Reading]] = Readings(cd.READINGS)
"""What a request, a campaign or a vector may name."""
