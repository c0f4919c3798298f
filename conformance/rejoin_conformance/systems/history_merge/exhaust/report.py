"""The report of the exhaustive check as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.counterexamples import Case, described
from rejoin_conformance.systems.history_merge.exhaust.counts import Counts
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES
from rejoin_conformance.systems.history_merge.exhaust.units import QUESTIONS

Answers: TypeAlias = dict[int, set[Case]]
"""Number of a question -> its smallest counterexamples."""


def report(
    by_size: Mapping[int, Counts],
    answers: Answers,
    by_merge: Sequence[Json],
    by_registers: Sequence[Json] = (),
) -> JsonObject:
    """Return the report: the counts of each size, the premises, the smallest counterexamples.

    by_merge: the counts of the merges of sets, as data. by_registers: those of registers.
    """
    sizes: list[Json] = [
        {"nodes": nodes, **plain(counts)} for nodes, counts in sorted(by_size.items())
    ]
    premises: list[Json] = [
        {
            "name": premise.name,
            "statement": premise.statement,
            "sufficient": not any(
                counts.premises[place].order_dependent or counts.premises[place].not_associative
                for counts in by_size.values()
            ),
            "smallest": min(
                (
                    nodes
                    for nodes, counts in by_size.items()
                    if counts.premises[place].order_dependent
                    or counts.premises[place].not_associative
                ),
                default=None,
            ),
        }
        for place, premise in enumerate(PREMISES)
    ]
    cases = sorted(set().union(*answers.values()), key=lambda case: (len(case.parents), case))
    found: list[Json] = [
        {
            "answers": [
                QUESTIONS[number].name for number in sorted(answers) if case in answers[number]
            ],
            **described(case),
        }
        for case in cases
    ]
    return {
        "nodes": max(by_size),
        "sizes": sizes,
        "premises": premises,
        "counterexamples": found,
        "set_merges": [*by_merge],
        "registers": [*by_registers],
    }
