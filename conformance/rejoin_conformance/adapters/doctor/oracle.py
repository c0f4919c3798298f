"""Check which operations the oracle answers, and whether its answers to the corpus are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rejoin_conformance.adapters.oracle import NOT_INSTALLED, answer_of, is_rejection, oracle_of
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.document import Block, Fold, Items, Text
from rejoin_conformance.kit.text import counted


@frozen
class CheckedOracle:
    """The oracle of a system after a check.

    operations: the number of operations that it answers. changed: the operations that it does not
    answer, because their vectors changed after it was built. asked: the number of its answers that
    were requested, one for each vector and reading. unsaid: the number of requests without an
    answer. wrong: the IDs of the vectors that it answered wrong.
    """

    system: str
    operations: int = 0
    changed: tuple[str, ...] = ()
    asked: int = 0
    unsaid: int = 0
    wrong: tuple[str, ...] = ()


def checked_oracle(system: System) -> CheckedOracle:
    """Ask the oracle of a system the vectors of the operations that it answers."""
    oracle = oracle_of(system.name)
    if oracle is None:
        return CheckedOracle(system.name)
    asked = unsaid = 0
    wrong = []
    for vector in load_system(system.name):
        for reading in vector.readings:
            if not oracle.answers(vector.operation, reading):
                continue
            asked += 1
            _, said = oracle.ask(vector.operation, reading, vector.input)
            expected = vector.expected[reading].get("output")
            if said is None:
                unsaid += 1
            elif not (
                said == answer_of(Output(expected))
                if isinstance(expected, dict)
                else is_rejection(said)
            ):
                wrong.append(f"{vector.id} [{reading}]")
    number = len(oracle.operations)
    return CheckedOracle(system.name, number, oracle.changed, asked, unsaid, tuple(wrong))


def oracle_blocks(checked: Sequence[CheckedOracle]) -> Iterator[Block]:
    """Yield the results of the check, system by system."""
    if not any(each.operations or each.changed for each in checked):
        yield Text(NOT_INSTALLED)
        return
    for each in checked:
        right = each.asked - each.unsaid - len(each.wrong)
        said = f"{each.system}: answers {counted(each.operations, 'operation')}, and"
        yield Text(f"{said} {right:,} of {counted(each.asked, 'vector')} as expected")
        if each.unsaid:
            yield Text(f"leaves {counted(each.unsaid, 'vector')} to the reference")
        if each.changed:
            yield Fold(
                "does not answer, because the vectors changed; to build it again: make setup",
                [Items([*each.changed])],
            )
        if each.wrong:
            yield Fold("wrong, a fault of Rejoin", [Items([*each.wrong])])
