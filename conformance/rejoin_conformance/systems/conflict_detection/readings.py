"""The readings of conflict detection by name."""

from __future__ import annotations

from typing import Final

from rejoin.conflict_detection.reading import READINGS as NAMED
from rejoin.conflict_detection.reading import Reading
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[Reading]] = Readings(NAMED)
"""What a request, a campaign or a vector may name."""
