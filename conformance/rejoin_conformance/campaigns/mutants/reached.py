"""The functions of the reference that run while it answers a question."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

from rejoin_conformance.campaigns.mutants.exchanging import Loaded
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.corpus.verify import Question

FunctionName: TypeAlias = tuple[str, str]
"""Module and qualified name of a function."""


def reached_by(
    operations: Mapping[str, Operation], questions: Sequence[Question], reference: Loaded
) -> tuple[frozenset[FunctionName], ...]:
    """Return for each question the functions that run if nothing was asked before it."""
    names = {
        id(each.__code__): name
        for name, functions in reference.functions.items()
        for each in functions
    }
    found: list[frozenset[FunctionName]] = []
    for question in questions:
        for forget in reference.forget:
            forget()
        with _codes_entered() as codes:
            question.wrong_answer(operations[question.vector.operation])
        found.append(frozenset(names[code] for code in codes if code in names))
    return tuple(found)


@contextmanager
def _codes_entered() -> Iterator[set[int]]:
    """Collect the IDs of the codes that begin to run in the block."""
    codes: set[int] = set()

    def enter(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            codes.add(id(frame.f_code))

    sys.setprofile(enter)
    try:
        yield codes
    finally:
        sys.setprofile(None)
