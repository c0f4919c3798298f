"""The suite for conflict detection: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.law import laws_told
from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

READINGS: Final[Readings[cd.Reading]] = Readings(
    cd.READINGS,
    {"kept_generations": {"all": None, **{str(number): number for number in range(17)}}},
)
"""The readings that a request, a campaign or a vector can name."""

LAWS: Final = laws_told(text_beside(f"{__name__}.laws"), ("repaired", "literal"))
"""The laws by name, in the order of reports. `laws.txt` states them with their premises."""

PROFILES: Final = profiles_told(text_beside(f"{__name__}.profiles"))
"""The profiles of random histories. `profiles.txt` states and explains their weights."""
