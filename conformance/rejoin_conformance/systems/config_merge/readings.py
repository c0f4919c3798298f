"""The readings of config merge by name."""

from __future__ import annotations

from typing import Final

from rejoin.config_merge.reading import READINGS as NAMED
from rejoin.config_merge.reading import Reading
from rejoin_conformance.contract.choices import Readings

READINGS: Final[Readings[Reading]] = Readings({reading.name: reading for reading in NAMED})
"""What a request, a campaign or a vector may name."""
