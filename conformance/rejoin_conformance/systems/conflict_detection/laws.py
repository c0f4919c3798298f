"""The laws of conflict detection, each with its premises: `laws.txt` states them."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import laws_told
from rejoin_conformance.kit.locations import text_beside

LAWS: Final = laws_told(text_beside(__name__), ("repaired", "literal"))
"""The laws by name, in the order of reports."""
