"""The questions of the doctor: the smallest vectors of the operations that an adapter declares."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, cases_of
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import canonical_json


@frozen
class Questions:
    """The smallest cases of each operation.

    accepted: cases whose input has an output. rejected: cases whose input must be rejected.
    without: the operations without a vector that the adapter can be asked.
    """

    accepted: tuple[Case, ...]
    rejected: tuple[Case, ...]
    without: tuple[str, ...]


def questions_of(hello: Hello, systems: Sequence[System]) -> Questions:
    """Return the questions for an adapter, in the first reading that it declares.

    Raises DeclarationError for a reading that a system does not have or a feature that an operation
    does not have, and CorpusError.
    """
    names = frozenset(hello.operations)
    asked = [system for system in systems if any(each.name in names for each in system.operations)]
    vectors = {
        system.name: [each for each in load_system(system.name) if each.operation in names]
        for system in asked
    }
    accepted: dict[str, Case] = {}
    rejected: dict[str, Case] = {}
    for case in cases_of(asked, vectors, Selection(), hello):
        name = case.operation.name
        if not case.missing:
            found = accepted if "output" in case.expected else rejected
            if name not in found or _size(case) < _size(found[name]):
                found[name] = case
    every = (each.name for system in asked for each in system.operations if each.name in names)
    return Questions(
        tuple(accepted[name] for name in sorted(accepted)),
        tuple(rejected[name] for name in sorted(rejected)),
        tuple(name for name in every if name not in {*accepted, *rejected}),
    )


def _size(case: Case) -> int:
    return len(canonical_json(case.vector.input))
