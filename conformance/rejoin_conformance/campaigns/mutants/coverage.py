"""Which vectors execute which lines of the reference."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Any, TypeAlias

from rejoin_conformance.campaigns.mutants.mutant import source_path
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import wrong_answers

Lines: TypeAlias = Mapping[str, Mapping[int, int]]
"""Module -> line -> the vectors that execute it, as bits of an integer by their place."""


def executed_lines(
    modules: Sequence[str],
    operations: Mapping[str, Operation],
    vectors: Iterable[tuple[int, Vector]],
) -> dict[str, dict[int, int]]:
    """Run vectors, and return the lines that they execute. vectors: (place, vector)."""
    names = {str(source_path(module)): module for module in modules}
    found: dict[str, dict[int, int]] = {module: {} for module in modules}
    for place, vector in vectors:
        if operations[vector.operation].input_fault(vector.input) is not None:
            continue  # the reference is not asked
        lines: set[tuple[str, int]] = set()
        sys.settrace(_tracer(names, lines))
        try:
            list(wrong_answers(operations[vector.operation], vector))
        finally:
            sys.settrace(None)
        for module, line in lines:
            found[module][line] = found[module].get(line, 0) | 1 << place
    return found


def added_up(parts: Iterable[Lines]) -> dict[str, dict[int, int]]:
    """The lines that any of the parts has."""
    total: dict[str, dict[int, int]] = {}
    for part in parts:
        for module, lines in part.items():
            mine = total.setdefault(module, {})
            for line, bits in lines.items():
                mine[line] = mine.get(line, 0) | bits
    return total


def _tracer(names: Mapping[str, str], lines: set[tuple[str, int]]) -> Callable[..., Any]:
    def local(frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        if event == "line":
            lines.add((names[frame.f_code.co_filename], frame.f_lineno))
        return local

    def enter(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return local if frame.f_code.co_filename in names else None

    return enter
