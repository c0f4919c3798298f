"""Write the files of a corpus without the random vectors that it does not need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.campaigns.distilling.by_mutants import Chosen
from rejoin_conformance.campaigns.mutants.deciding import Undecided, decided_by
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_MODEL, KeptHistory, Topic, Vector
from rejoin_conformance.corpus.generate import topic_text

WHY: Final = "random; other vectors notice every mutant and every knock-out that it notices"

NOTES: Final = (
    "Calls from {}. Each vector notices a mutant of the reference or of a port, or a knock-out, "
    "that no written vector notices. No person wrote these vectors: the expected result is the "
    "answer of the reference. `histories` states what each history is kept for."
)


def retired_text(before: Iterable[Mapping[str, Any]], retired: Iterable[str]) -> str:
    """Return the text of `vectors/retired.json` with more entries. before: those that it has."""
    entries = [*before, *({"id": name, "why": WHY} for name in retired)]
    lines = (f"  {json.dumps(dict(each), ensure_ascii=False)}" for each in entries)
    return '{\n "vectors": [\n' + ",\n".join(lines) + "\n ]\n}\n"


def text_of_needed(
    system: System, topic: Topic, vectors: Mapping[str, Vector], chosen: Chosen
) -> str:
    """Return the text of a file of histories with those histories whose vectors are needed.

    vectors: the random vectors of the system by their IDs. Raises EntriesError.
    """
    changes: dict[str, list[str]] = {}
    for name, noticed in chosen.needed.items():
        lineage = vectors[name].lineage
        if vectors[name].topic == topic.name and lineage is not None:
            changes.setdefault(lineage.history, []).extend(noticed)
    histories = with_clauses(
        system,
        [
            _with_purpose(each, sorted(changes[each.name]))
            for each in topic.histories
            if each.name in changes
        ],
        [vectors[name] for name in chosen.needed if vectors[name].topic == topic.name],
    )
    of_model = any(each.lineage.profile.startswith(OF_MODEL) for each in topic.histories)
    notes = NOTES.format(
        "shrunk behaviours of the formal model" if of_model else "shrunk random histories"
    )
    return topic_text(system, evolve(topic, notes=notes, histories=histories), ())


def with_clauses(
    system: System, histories: Sequence[KeptHistory], vectors: Sequence[Vector]
) -> tuple[KeptHistory, ...]:
    """Return histories with the clauses that their vectors decide. Raises EntriesError."""
    asked = [
        Undecided(call=Call(each.operation, each.input), readings=each.readings or system.readings)
        for each in vectors
    ]
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for vector, decided in zip(vectors, decided_by(system.name, asked), strict=True):
        assert vector.lineage is not None
        if decided.clauses:
            found.setdefault(vector.lineage.history, {})[vector.id.rpartition("/")[2]] = (
                decided.clauses
            )
    return tuple(evolve(each, decides=found.get(each.name, {})) for each in histories)


def _with_purpose(kept: KeptHistory, changes: list[str]) -> KeptHistory:
    more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
    shows = f"Notices {changes[0]}{more}, which no written vector notices"
    return evolve(kept, shows=shows, reaches=tuple(changes))
