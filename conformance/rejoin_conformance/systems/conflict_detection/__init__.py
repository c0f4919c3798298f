"""The suite for conflict detection: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[cd.Reading]] = Readings(
    cd.READINGS,
    {"kept_generations": {"all": None, **{str(number): number for number in range(17)}}},
)
"""The readings that a request, a campaign or a vector can name."""
