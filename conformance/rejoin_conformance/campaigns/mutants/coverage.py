"""The coverage of the vectors: the lines of the reference that each executes, and how many."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import FrameType
from typing import Any

from attrs import frozen

from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject


@frozen
class Coverage:
    """The lines that each vector executes.

    lines: module -> line -> the vectors that execute it, as bits of an integer by their place.
    costs: place of a vector -> the lines that it executes, counted as often as it executes them.
    seconds: place of a vector -> the processor time that it took while it was traced, which is
        several times the usual one.
    """

    lines: Mapping[str, Mapping[int, int]]
    costs: Mapping[int, int]
    seconds: Mapping[int, float]

    def executing(self, module: str, lines: Iterable[int]) -> int:
        """Return the vectors that execute any of these lines of a module, as bits."""
        executed = self.lines.get(module, {})
        return reduce(or_, (executed.get(line, 0) for line in lines), 0)

    def to_json(self) -> JsonObject:
        """Return the coverage as data."""
        return {
            "lines": {
                module: {str(line): f"{bits:x}" for line, bits in lines.items()}
                for module, lines in self.lines.items()
            },
            "costs": {str(place): cost for place, cost in self.costs.items()},
            "micros": {str(place): round(each * 1e6) for place, each in self.seconds.items()},
        }

    @classmethod
    def from_json(cls, value: Any) -> Coverage:
        """Return the coverage that `to_json` describes."""
        lines = {
            module: {int(line): int(bits, 16) for line, bits in each.items()}
            for module, each in value["lines"].items()
        }
        return cls(
            lines,
            {int(place): cost for place, cost in value["costs"].items()},
            {int(place): micros / 1e6 for place, micros in value["micros"].items()},
        )


def coverage_of(
    modules: Sequence[str],
    operations: Mapping[str, Operation],
    questions: Iterable[tuple[int, Question]],
) -> Coverage:
    """Ask vectors, and return the lines that they execute.

    questions: (place of the vector, question).
    """
    names = {str(source_path(module)): module for module in modules}
    found: dict[str, dict[int, int]] = {module: {} for module in modules}
    costs: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for place, question in questions:
        lines: dict[tuple[str, int], int] = {}
        start = time.process_time()
        sys.settrace(_tracer(names, lines))
        try:
            question.wrong_answer(operations[question.vector.operation])
        finally:
            sys.settrace(None)
        if lines:
            costs[place] = sum(lines.values())
            seconds[place] = time.process_time() - start
        for path, line in lines:
            module = found[names[path]]
            module[line] = module.get(line, 0) | 1 << place
    return Coverage(found, costs, seconds)


def added_up(parts: Iterable[Coverage]) -> Coverage:
    """Return the coverage of all parts together."""
    lines: dict[str, dict[int, int]] = {}
    costs: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for part in parts:
        costs |= part.costs
        seconds |= part.seconds
        for module, line, bits in _each(part):
            mine = lines.setdefault(module, {})
            mine[line] = mine.get(line, 0) | bits
    return Coverage(lines, costs, seconds)


def places_of(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set, in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _each(coverage: Coverage) -> Iterator[tuple[str, int, int]]:
    for module, lines in coverage.lines.items():
        for line, bits in lines.items():
            yield module, line, bits


def _tracer(names: Mapping[str, str], lines: dict[tuple[str, int], int]) -> Callable[..., Any]:
    """Return a trace function that counts the executed lines: (path, line) -> times."""

    def local(frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        if event == "line":
            place = (frame.f_code.co_filename, frame.f_lineno)
            lines[place] = lines.get(place, 0) + 1
        return local

    def enter(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return local if frame.f_code.co_filename in names else None

    return enter
