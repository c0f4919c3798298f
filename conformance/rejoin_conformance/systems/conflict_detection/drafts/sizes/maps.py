"""Version maps of many entries, and many version maps."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import number, repeated, with_fields
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject

CLASSIFY: Final = "conflict-detection/classify-version-map"
JOIN: Final = "conflict-detection/join-version-maps"
UPLOAD: Final = "conflict-detection/upload-version-map"


def drafts() -> tuple[Draft, ...]:
    """Return classifications, joins and uploads."""
    return (
        *(_all_larger(count) for count in (17, 257, 4097)),
        *(_last_smaller(count) for count in (17, 65, 257, 1025, 4097, 16_385)),
        _last_larger(4097),
        _all_equal(4097),
        *(_joined_maps(count) for count in (17, 257, 4097)),
        _joined_entries(8194),
        *(_uploaded(count) for count in (17, 65, 257, 1025)),
    )


def _map(count: int, added: int, *others: Json) -> JsonObject:
    """Return a map in which the entry of client i is i plus a number, and other entries."""
    value = number(f"<i+{added}>") if added else number()
    return with_fields(repeated(count, ["C<i:5>", value]), *others)


def _classified(
    name: str,
    summary: str,
    clauses: str,
    maps: tuple[JsonObject, JsonObject],
    found: str,
    literal: str = "",
) -> Draft:
    """Return the classification of two maps. literal: the one of `literal` if it differs."""
    return accepted(
        CLASSIFY,
        name,
        summary,
        f"CD-MAP-CLASSIFY {clauses}",
        given={"local": maps[0], "remote": maps[1]},
        output={"classification": found},
        otherwise={"literal": {"classification": literal}} if literal else None,
        recipe=True,
    )


def _all_larger(count: int) -> Draft:
    return _classified(
        f"map-of-{count}-larger-entries",
        f"A map follows another if all of {count:,} entries are larger.",
        "CD-MAP-FOLLOWS",
        (_map(count, 0), _map(count, 1)),
        "overwrite",
    )


def _last_smaller(count: int) -> Draft:
    last = f"C{count - 1:05}"
    return _classified(
        f"last-of-{count}-entries-smaller",
        f"A map does not follow another if the last of {count:,} entries is smaller.",
        "CD-MAP-FOLLOWS",
        (_map(count - 1, 0, [last, 7]), _map(count - 1, 1, [last, 6])),
        "conflict",
    )


def _last_larger(count: int) -> Draft:
    last = f"C{count - 1:05}"
    return _classified(
        f"last-of-{count}-entries-larger",
        f"A map follows another if the last of {count:,} entries is larger and the others are "
        "equal. `literal` requires that all are larger.",
        "CD-MAP-FOLLOWS",
        (_map(count - 1, 0, [last, 7]), _map(count - 1, 0, [last, 8])),
        "overwrite",
        "conflict",
    )


def _all_equal(count: int) -> Draft:
    return _classified(
        f"map-of-{count}-equal-entries",
        f"Two maps with {count:,} equal entries belong to the same version.",
        "CD-MAP-SAME",
        (_map(count, 0), _map(count, 0)),
        "same",
        "conflict",
    )


def _joined_maps(count: int) -> Draft:
    return accepted(
        JOIN,
        f"{count}-maps-joined",
        f"The join of {count:,} maps has the largest number of each client.",
        "CD-MAP-JOIN",
        given={
            "maps": [
                repeated(
                    count,
                    with_fields(["shared", number()], ["C<i:5>", number("<i+1>")], ["C<i+1:5>", 1]),
                )
            ]
        },
        output={
            "map": with_fields(
                repeated(count, ["C<i:5>", number("<i+1>")]),
                [f"C{count:05}", 1],
                ["shared", count - 1],
            )
        },
        recipe=True,
    )


def _joined_entries(count: int) -> Draft:
    """Return two maps; each has the larger number of every second client."""
    half = count // 2

    def alternating(even: int, odd: int) -> JsonObject:
        return with_fields(
            repeated(half, ["C<i:5>", number(f"<i+{even}>")], step=2),
            repeated(half, ["C<i:5>", number(f"<i+{odd}>")], start=1, step=2),
        )

    return accepted(
        JOIN,
        f"{count}-entries-joined",
        f"Of two maps of {count:,} entries, each has the larger number of every second client.",
        "CD-MAP-JOIN",
        given={"maps": [alternating(1, 2), alternating(2, 1)]},
        output={"map": with_fields(repeated(count, ["C<i:5>", number("<i+2>")]))},
        recipe=True,
    )


def _uploaded(count: int) -> Draft:
    """Return an upload after many conflict files were removed, each with a map of two entries."""
    own = with_fields(repeated(count, ["C<i:5>", number("<i+5>")]), ["me", 2])
    return accepted(
        UPLOAD,
        f"{count}-conflict-files-removed",
        f"An upload follows the versions in {count:,} conflict files that the user removed.",
        "CD-MAP-RESOLVE CD-MAP-UPLOAD",
        given={
            "nickname": "me",
            "local": {"me": 1},
            "removed": with_fields(
                repeated(
                    count,
                    [
                        "C<i:5>",
                        with_fields(["C<i:5>", number("<i+5>")], ["D<i:5>", number("<i+6>")]),
                    ],
                )
            ),
        },
        output={
            "map": with_fields(
                repeated(count, ["C<i:5>", number("<i+5>")]),
                repeated(count, ["D<i:5>", number("<i+6>")]),
                ["me", 2],
            )
        },
        otherwise={"literal": {"map": own}},
        recipe=True,
    )
