"""A session of thousands of heads, as a recipe."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import repeated
from rejoin_conformance.kit.json_types import Json, JsonObject

_HEAD: Final[JsonObject] = {"id": "h<i:4>", "parents": ["r"], "state": "<i+1>"}
_SUMS: Final[list[Json]] = [
    {"accepted": True, "state": str(count * (count + 1) // 2)} for count in range(4098)
]

SESSION: Final = accepted(
    "history-merge/session",
    "session-of-4097-heads",
    "Each of 4,097 concurrent messages adds 1 to what the one before it added.",
    "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
    given={
        "messages": [{"id": "r", "parents": [], "state": "0"}, repeated(4097, _HEAD)],
        "state_type": "counter",
    },
    output={"steps": _SUMS},
    recipe=True,
)
