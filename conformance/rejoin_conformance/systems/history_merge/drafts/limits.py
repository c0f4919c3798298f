"""Fields at the limits of their schemas, and lists beyond 256 and 1,024 items."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.kit.json_types import Json, JsonObject

_TEXT: Final = "é" * 199


def _register(node_id: str, parents: list[str], state: str) -> JsonObject:
    return {"id": node_id, "parents": [*parents], "state": state}


def _registers(left: str, right: str) -> list[Json]:
    return [
        _register("r", [], _TEXT + "o"),
        _register("p", ["r"], left),
        _register("q", ["r"], right),
    ]


LIMITS: Final = (
    accepted(
        "history-merge/merge",
        "registers-of-200-characters",
        "The texts of registers differ only in the last of 200 characters.",
        "HM-3WAY-REGISTER HM-MERGE-STEP",
        given={
            "nodes": _registers(_TEXT + "o", _TEXT + "a"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
        output={"state": _TEXT + "a"},
    ),
    refused(
        "history-merge/merge",
        "registers-of-200-characters-conflict",
        "Two changes of the last of 200 characters conflict.",
        "HM-3WAY-CONFLICT HM-3WAY-REGISTER",
        given={
            "nodes": _registers(_TEXT + "a", _TEXT + "b"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
        mended={
            "nodes": _registers(_TEXT + "a", _TEXT + "a"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
    ),
    accepted(
        "history-merge/three-way-merge",
        "elements-of-5001-characters",
        "The names of elements differ only in the last of 5,001 characters.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={
            "origin": ["e" * 5000 + letter for letter in "abc"],
            "left": ["e" * 5000 + letter for letter in "bcd"],
            "right": ["e" * 5000 + letter for letter in "abe"],
        },
        output={"state": ["e" * 5000 + letter for letter in "bde"]},
    ),
)
