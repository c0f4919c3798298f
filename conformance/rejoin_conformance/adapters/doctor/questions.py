"""What to ask an adapter: for each operation that it declares, the smallest vectors there are."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Case, Selection, cases_of
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import canonical_json


@frozen(kw_only=True)
class DoctorQuestions:
    """The smallest case of each operation, by what is expected of it.

    accepted: input with an output.
    rejected: input that must be rejected.
    without: operations that the corpus has no vector of.
    """

    accepted: tuple[Case, ...]
    rejected: tuple[Case, ...]
    without: tuple[str, ...]


def questions_for(hello: Hello, systems: Sequence[System]) -> DoctorQuestions:
    """The questions for an adapter, in the first reading that it declares.

    Raises UnknownReadingError for a reading that a system lacks, and CorpusError.
    """
    declared = frozenset(hello.operations)
    asked = [
        system for system in systems if any(each.name in declared for each in system.operations)
    ]
    vectors = {system.name: load_system(system.name) for system in asked}
    accepted: dict[str, Case] = {}
    rejected: dict[str, Case] = {}
    for case in cases_of(asked, vectors, Selection(), hello):
        name = case.operation.name
        if name in declared:
            found = accepted if "output" in case.expected else rejected
            if name not in found or _size(case) < _size(found[name]):
                found[name] = case
    return DoctorQuestions(
        accepted=tuple(accepted[name] for name in sorted(accepted)),
        rejected=tuple(rejected[name] for name in sorted(rejected)),
        without=tuple(
            each.name
            for system in asked
            for each in system.operations
            if each.name in declared and each.name not in {*accepted, *rejected}
        ),
    )


def _size(case: Case) -> int:
    return len(canonical_json(case.vector.input))
