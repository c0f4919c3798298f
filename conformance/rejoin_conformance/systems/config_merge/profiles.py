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
SCENES: Final = _TOLD.group("solo", "noise")
"""The methods of `Drawing` that draw a scene."""
CHANGES: Final = _TOLD.group("assign", "clear")
"""Changes of the usual kind for a path, a value of an unusual kind (reshape), and the removal of a
whole dict or set (clear)."""
NOISE: Final = _TOLD.group("again", "last-seqno")
"""Injections. Those up to `signed-copy` come from honest programs."""
