"""The suite for history merge: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import history_merge as hm
from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.law import laws_told
from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

READINGS: Final[Readings[hm.Reading]] = Readings(hm.READINGS, {"fold_order": hm.FOLD_ORDERS})
"""The readings that a request, a campaign or a vector can name."""

DEFAULT: Final = hm.DOCUMENT.name
"""The reading of every vector that names no other one."""

LAWS: Final = laws_told(text_beside(f"{__name__}.laws"), ("document",))
"""The laws by name, in the order of reports. `laws.txt` states them with their premises."""

PROFILES: Final = profiles_told(text_beside(f"{__name__}.profiles"))
"""The profiles of random histories. `profiles.txt` states and explains their weights."""
