"""The coverage of questions: the lines of the reference that each executes, and how many."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.in_force import loaded
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.executed import executing
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject


@frozen
class Coverage:
    """The lines that each question executes.

    lines: (module, line) -> the questions that execute it, as bits of an integer by their place.
    costs: place of a question -> the lines that it executes, as often as it executes them.
    seconds: place of a question -> the processor time that it took while it was traced, which is
        several times the usual one.
    """

    lines: dict[tuple[str, int], int] = field(factory=dict)
    costs: dict[int, int] = field(factory=dict)
    seconds: dict[int, float] = field(factory=dict)

    def executing(self, module: str, lines: Iterable[int]) -> Iterator[int]:
        """Yield the places of the questions that execute any of these lines of a module."""
        bits = reduce(or_, (self.lines.get((module, line), 0) for line in lines), 0)
        while bits:
            lowest = bits & -bits
            yield lowest.bit_length() - 1
            bits ^= lowest


def executed_by(
    system: str,
    modules: Sequence[str],
    questions: Iterable[tuple[int, Question]],
    *,
    afresh: bool = False,
    functions: Iterable[tuple[str, str]] | None = None,
) -> Iterator[JsonObject]:
    """Ask questions, and yield the lines that each executes, as data for `coverage_of`.

    questions: (place, question). A question that executes no line yields nothing. afresh: whether
    nothing that the reference has kept from earlier questions answers. functions: those whose lines
    are asked for, as (module, qualified name); None for all.
    """
    names = {str(source_path(module)): module for module in modules}
    within = None
    if functions is not None:
        within = {(str(source_path(module)), name) for module, name in functions}
    operations = {each.name: each for each in system_named(system).operations}
    forget = loaded(system).forget if afresh else ()
    for place, question in questions:
        for each in forget:
            each()
        start = time.process_time()
        with executing(names, lines=True, within=within) as lines:
            question.wrong_answer(operations[question.vector.operation])
        micros = round((time.process_time() - start) * 1e6)
        found: dict[str, Any] = {}
        for path, line in lines:
            found.setdefault(names[path], []).append(line)
        if lines:
            yield {"place": place, "cost": lines.total(), "micros": micros, "lines": found}


def coverage_of(executed: Iterable[Mapping[str, Any]]) -> Coverage:
    """Return the coverage of all questions together. executed: see `executed_by`."""
    coverage = Coverage()
    for each in executed:
        place = each["place"]
        coverage.costs[place] = each["cost"]
        coverage.seconds[place] = each["micros"] / 1e6
        for module, lines in each["lines"].items():
            for line in lines:
                key = (module, line)
                coverage.lines[key] = coverage.lines.get(key, 0) | 1 << place
    return coverage
