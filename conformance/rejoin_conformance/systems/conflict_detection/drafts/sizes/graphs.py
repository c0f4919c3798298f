"""Graphs of many versions: long, wide, with many clients, cached snapshots and leases."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.recipe_drafting import in_hex, repeated, with_fields
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.recipe import expand
from rejoin_conformance.systems.conflict_detection.snapshots import (
    content_id,
    encoded_snapshot,
    snapshot_id,
)

FOLLOWS: Final = "conflict-detection/follows"
WALK: Final = "conflict-detection/walk"
CLASSIFY: Final = "conflict-detection/classify-snapshot"
PURGE: Final = "conflict-detection/purge"
COLLECT: Final = "conflict-detection/collect-garbage"
SNAPSHOT_ID: Final = "conflict-detection/snapshot-id"

ROOT: Final[JsonObject] = {"id": "r", "parents": []}


def drafts() -> tuple[Draft, ...]:
    """Return long chains, wide merges, caches, clients, leases, parents and contents."""
    return (
        *(_walk_down_a_chain(count) for count in (17, 65, 257, 1025, 4097)),
        *(_walk_over_a_merge(count) for count in (17, 65, 257, 1025, 4097)),
        *_follows(),
        *(_purge_of_clients(count) for count in (17, 65, 257, 1025, 4097)),
        *(_purge_between(count) for count in (257, 4097)),
        *(_common_ancestors(count) for count in (9, 33, 129)),
        *(_garbage(count) for count in (17, 257)),
        *(_snapshot_of_parents(count) for count in (9, 17, 33, 65, 257, 1025)),
        _snapshot_of_65544_bytes(),
    )


def _chain(count: int) -> list[Json]:
    """Return r and a chain v0000, v0001, ... over it."""
    first: JsonObject = {"id": "v0000", "parents": ["r"]}
    each: JsonObject = {"id": "v<i:4>", "parents": ["v<i-1:4>"]}
    rest = repeated(count - 1, each, start=1)
    return [ROOT, first, rest]


def _walk_down_a_chain(count: int) -> Draft:
    return accepted(
        WALK,
        f"chain-of-{count}",
        f"The walk fetches each of {count:,} snapshots between theirs and ours.",
        "CD-WALK-STOP CD-WALK-ONCE",
        given={
            "snapshots": _chain(count),
            "cached": [],
            "local": "r",
            "remote": f"v{count - 1:04}",
        },
        output={"downloaded": [repeated(count, "v<i:4>")], "classification": "overwrite"},
        recipe=True,
    )


def _walk_over_a_merge(count: int) -> Draft:
    """Return a merge of many branches of two snapshots each; the lower ones are cached."""
    return accepted(
        WALK,
        f"merge-of-{count}-branches",
        f"The walk fetches the upper snapshot of each of {count:,} branches, and no cached one.",
        "CD-WALK-KNOWN CD-WALK-STOP",
        given={
            "snapshots": [
                ROOT,
                {"id": "ours", "parents": ["r"]},
                repeated(count, {"id": "a<i:4>", "parents": ["r"]}),
                repeated(count, {"id": "b<i:4>", "parents": ["a<i:4>"]}),
                {"id": "m", "parents": [repeated(count, "b<i:4>")]},
            ],
            "cached": ["r", repeated(count, "a<i:4>")],
            "local": "ours",
            "remote": "m",
        },
        output={"downloaded": [repeated(count, "b<i:4>"), "m"], "classification": "conflict"},
        recipe=True,
    )


def _follows() -> tuple[Draft, ...]:
    """Return questions whose answer needs every version, or the last of many parents."""
    wide: list[Json] = [
        ROOT,
        {"id": "s", "parents": ["r"]},
        repeated(4096, {"id": "p<i:4>", "parents": ["r"]}),
        {"id": "q", "parents": ["s"]},
        {"id": "m", "parents": [repeated(4096, "p<i:4>"), "q"]},
    ]
    cycle: list[Json] = [*_chain(4096)[2:], {"id": "x", "parents": ["v4095"]}]
    above: JsonObject = {"id": "y", "parents": ["x"]}
    each: JsonObject = {"id": "v<i>", "parents": ["v<i-1>"]}
    long_chain: list[Json] = [{"id": "v0", "parents": []}, repeated(65537, each, start=1)]
    return (
        accepted(
            FOLLOWS,
            "last-of-4097-parents",
            "A version follows another one through the last of its 4,097 parents only.",
            "CD-FOLLOWS-CLOSURE",
            given={"versions": wide, "later": "m", "earlier": "s"},
            output={"follows": True},
            recipe=True,
        ),
        accepted(
            FOLLOWS,
            "chain-of-8194",
            "The last version of a chain of 8,194 follows the first.",
            "CD-FOLLOWS-CLOSURE",
            given={"versions": _chain(8193), "later": "v8192", "earlier": "r"},
            output={"follows": True},
            recipe=True,
        ),
        accepted(
            FOLLOWS,
            "chain-of-65538",
            "The last version of a chain of 65,538 follows the first.",
            "CD-FOLLOWS-CLOSURE",
            given={"versions": long_chain, "later": "v65537", "earlier": "v0"},
            output={"follows": True},
            recipe=True,
        ),
        refused(
            FOLLOWS,
            "cycle-of-4097",
            "A cycle of 4,097 versions is refused.",
            "CD-DAG-ACYCLIC",
            given={
                "versions": [ROOT, {"id": "v0000", "parents": ["x"]}, *cycle, above],
                "later": "r",
                "earlier": "y",
            },
            mended={
                "versions": [*_chain(4096)[:2], *cycle, above],
                "later": "r",
                "earlier": "y",
            },
            recipe=True,
        ),
        accepted(
            CLASSIFY,
            "stale-by-4097",
            "A version that 4,097 versions followed is stale.",
            "CD-CLASSIFY-STALE",
            given={
                "snapshots": _chain(4097),
                "local": "v4096",
                "remote": "r",
            },
            output={"classification": "stale"},
            otherwise={"literal": {"classification": "conflict"}},
            recipe=True,
        ),
    )


def _purge_of_clients(count: int) -> Draft:
    return accepted(
        PURGE,
        f"currents-of-{count}-clients",
        f"A cache keeps the current snapshots of {count:,} clients and what lies between.",
        "CD-PURGE-COMMON-ANCESTOR CD-PURGE-INTERMEDIATE",
        given={
            "snapshots": [
                {"id": "old", "parents": []},
                {"id": "r", "parents": ["old"]},
                repeated(count, {"id": "a<i:4>", "parents": ["r"]}),
                repeated(count, {"id": "b<i:4>", "parents": ["a<i:4>"]}),
            ],
            "currents": with_fields(repeated(count, ["C<i>", "b<i:4>"])),
        },
        output={
            "common_ancestors": ["r"],
            "kept": [repeated(count, "a<i:4>"), repeated(count, "b<i:4>"), "r"],
        },
        recipe=True,
    )


def _purge_between(count: int) -> Draft:
    """Return a chain with a current snapshot at both ends."""
    old: JsonObject = {"id": "old", "parents": []}
    return accepted(
        PURGE,
        f"chain-of-{count}-between",
        f"A cache keeps {count:,} snapshots between the snapshots of two clients.",
        "CD-PURGE-INTERMEDIATE CD-PURGE-CURRENT",
        given={
            "snapshots": [old, {"id": "r", "parents": ["old"]}, *_chain(count)[1:]],
            "currents": {"A": "r", "B": f"v{count - 1:04}"},
        },
        output={"common_ancestors": ["r"], "kept": ["r", repeated(count, "v<i:4>")]},
        recipe=True,
    )


def _common_ancestors(count: int) -> Draft:
    """Return two merges of the same snapshots, each of which is a most recent common ancestor."""
    every = repeated(count, "a<i:4>")
    return accepted(
        PURGE,
        f"{count}-common-ancestors",
        f"Two clients have {count} most recent common ancestors, and a cache keeps all of them.",
        "CD-PURGE-COMMON-ANCESTOR",
        given={
            "snapshots": [
                ROOT,
                repeated(count, {"id": "a<i:4>", "parents": ["r"]}),
                {"id": "m", "parents": [every]},
                {"id": "n", "parents": [every]},
            ],
            "currents": {"A": "m", "B": "n"},
        },
        output={"common_ancestors": [every], "kept": [every, "m", "n"]},
        recipe=True,
    )


def _garbage(count: int) -> Draft:
    """Return renewals that end at different times: each keeps a branch of its own."""
    return accepted(
        COLLECT,
        f"{2 * count}-renewals",
        f"Of {2 * count} leases on branches, every second one has ended.",
        "CD-GARBAGE-LEASED CD-GARBAGE-UNLINKED CD-LEASE-RECURSIVE",
        given={
            "snapshots": [
                ROOT,
                repeated(2 * count, {"id": "a<i:4>", "parents": ["r"]}),
                repeated(2 * count, {"id": "b<i:4>", "parents": ["a<i:4>"]}),
            ],
            "renewals": [
                repeated(count, {"links": ["b<i:4>"], "until": 1001}, step=2),
                repeated(count, {"links": ["b<i:4>"], "until": 1000}, start=1, step=2),
            ],
            "now": 1000,
        },
        output={
            "kept": [repeated(count, "a<i:4>", step=2), repeated(count, "b<i:4>", step=2), "r"]
        },
        recipe=True,
    )


def _snapshot_of_parents(count: int) -> Draft:
    parents = [bytes.fromhex(f"{place:064x}") for place in range(count, 0, -1)]
    return accepted(
        SNAPSHOT_ID,
        f"{count}-parents",
        f"The ID of a snapshot covers all of its {count:,} parents, in their order.",
        "CD-SNAPSHOT-ID CD-SNAPSHOT-ENCODING CD-SNAPSHOT-PARENT-ORDER",
        given={"content": b"text".hex(), "parents": [parent.hex() for parent in parents]},
        output={
            "content_id": content_id(b"text").hex(),
            "encoded": encoded_snapshot(b"text", parents).hex(),
            "id": snapshot_id(b"text", parents).hex(),
        },
    )


def _snapshot_of_65544_bytes() -> Draft:
    text = in_hex(repeated(8193, "<i:8>"))
    content = bytes.fromhex(str(expand(text)))
    return accepted(
        SNAPSHOT_ID,
        "content-of-65544-bytes",
        "The ID of a snapshot covers all bytes of a content of 65,544 bytes.",
        "CD-SNAPSHOT-CONTENT-ID CD-SNAPSHOT-ID",
        given={"content": text, "parents": []},
        output={
            "content_id": content_id(content).hex(),
            "encoded": encoded_snapshot(content).hex(),
            "id": snapshot_id(content).hex(),
        },
        recipe=True,
    )
