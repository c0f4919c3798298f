"""The public functions of conflict detection that no operation calls."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.unreached import Unreached

_PACKAGE: Final = "rejoin.conflict_detection"

UNREACHED: Final = (
    Unreached(
        name=f"{_PACKAGE}.four_party_example.simultaneous_update",
        reason="it runs the document's example of four clients with the other functions",
    ),
    Unreached(
        name=f"{_PACKAGE}.three_clients_example.three_clients",
        reason="it runs the document's example of three clients with the other functions",
    ),
    Unreached(
        name=f"{_PACKAGE}.objects.capabilities",
        reason="it lists the stored objects for users of the library",
    ),
    Unreached(
        name=f"{_PACKAGE}.snapshots.Snapshot.is_deletion",
        reason="no rule depends on it: the functions compare the content with None",
    ),
    Unreached(
        name=f"{_PACKAGE}.version_maps.without_zeros",
        reason="it is a normal form for users of the library; comparisons count a missing entry as "
        "zero",
    ),
)
