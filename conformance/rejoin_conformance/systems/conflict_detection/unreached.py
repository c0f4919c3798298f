"""The public functions of conflict detection that no operation calls."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.unreached import Unreached

_REASONS: Final = {
    "alternatives.recent": "only a reading that keeps less history calls it, and no vector has one",
    "alternatives.is_previous_taken": "only a reading with other names of conflict files calls it, "
    "and no vector has one",
    "four_party_example.simultaneous_update": "it runs the document's example of four clients with "
    "the other functions",
    "three_clients_example.three_clients": "it runs the document's example of three clients with "
    "the other functions",
    "objects.capabilities": "it lists the stored objects for users of the library",
    "snapshots.Snapshot.is_deletion": "no rule depends on it: the functions compare the content "
    "with None",
    "version_maps.without_zeros": "it is a normal form for users of the library; comparisons count "
    "a missing entry as zero",
}
UNREACHED: Final = tuple(
    Unreached(name=f"rejoin.conflict_detection.{name}", reason=reason)
    for name, reason in _REASONS.items()
)
