"""Features that an adapter may lack and does not say so: each vector that needs them fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.runner.cases import BREAKS
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.document import Block, Code, Fold
from rejoin_conformance.kit.text import counted

_LEAST: Final = 2
"""One failure says nothing about a feature."""


def undeclared_blocks(records: Iterable[Record], failures: Iterable[Record]) -> Iterator[Block]:
    """Yield what to declare if the code does not have the features of which every vector fails."""
    found = features_that_fail(records, failures)
    if found:
        failed = sum(number for features in found.values() for number in features.values())
        missing = {operation: [*features] for operation, features in found.items()}
        listed = f'"without": {json.dumps(missing)}'
        yield Fold(
            f"Every vector that needs these features fails ({counted(failed, 'failure')}). If your "
            "code does not have them, declare it in the hello:",
            [Code(listed)],
        )


def features_that_fail(
    records: Iterable[Record], failures: Iterable[Record]
) -> Mapping[str, Mapping[str, int]]:
    """Return operation -> feature -> its wrong answers, for features of which no vector passes.

    Vectors without the feature must pass. A rejection that is expected does not count: code without
    the feature rejects every input.
    """
    failing = [each for each in failures if each.verdict not in BREAKS]
    names = {each.operation for each in failing}
    passed = [each for each in records if each.operation in names and each.verdict == "pass"]
    operations = {
        each.name: each for system in all_systems() for each in system.operations if each.features
    }
    found: dict[str, dict[str, int]] = {}
    for operation in (operations[name] for name in sorted(names & operations.keys())):
        wrong = [each.input or {} for each in failing if each.operation == operation.name]
        good = {each.key for each in passed if each.operation == operation.name}
        right = [
            vector.input
            for vector in load_system(operation.name.partition("/")[0])
            for reading, expected in vector.expected.items()
            if (vector.id, reading) in good and "output" in expected
        ]
        for feature in operation.features:
            number = sum(map(feature.needed_by, wrong))
            if number >= _LEAST and right and not any(map(feature.needed_by, right)):
                found.setdefault(operation.name, {})[feature.name] = number
                wrong = [each for each in wrong if not feature.needed_by(each)]
    return found
