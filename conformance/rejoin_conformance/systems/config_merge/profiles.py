"""The profiles of random histories, which `profiles.txt` beside this module states.

Only the proportions of weights within a group matter. `edits`: the range of the minimum number of
pushed edits; scenes may add a few. `clients`, `windows`: weights of the number of clients and of N.
`first_keys`: the range of the number of leaves in the first edit. `uniform`: 1 if events are drawn
one by one, all kinds equally likely.

Percentages. signed: histories in which messages must be signed. partial: fetches that leave some
ciphertexts out. unresolved: fetches after which the client continues without resolving. refused:
pushes that may not delete. delayed: pushes whose batch is delayed. repeated_value: assignments of a
value from a small pool. extreme_value: assignments of the smallest and largest values and of
unusual bytes.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

_TOLD: Final = profiles_told(text_beside(__file__))
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
