"""The suite for config merge: operations, vectors, random histories, laws."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.law import laws_told
from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

LARGEST_WINDOW: Final = 20
"""The largest N that an expression can name. A rule file can set any other."""

_WINDOWS: Final = {"given": None, **{str(n): n for n in range(1, LARGEST_WINDOW + 1)}}

READINGS: Final[Readings[cm.Reading]] = Readings(cm.READINGS, {"window": _WINDOWS})
"""The readings that a request, a campaign or a vector can name."""

LAWS: Final = laws_told(text_beside(f"{__name__}.laws"), ("document", "libsession"))
"""The laws by name, in the order of reports. `laws.txt` states them with their premises."""

PROFILES: Final = profiles_told(text_beside(f"{__name__}.profiles"))
"""The profiles of random histories. `profiles.txt` states and explains their weights."""
