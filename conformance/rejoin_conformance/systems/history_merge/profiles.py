"""The profiles of random histories, whose weights `profiles.txt` states and explains."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

_TOLD: Final = profiles_told(text_beside(__name__))
PROFILES: Final = _TOLD.weights
"""Profile -> its weights."""
SUMMARIES: Final = _TOLD.summaries
"""Profile -> a description of its histories in one line."""
