"""The code of the reference that runs while it answers a question: lines, or functions."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.limited_time import TooLongError
from rejoin_conformance.kit.modules import modules_of

_OFTEN: Final = 1000
"""The calls of a function after which its lines are no longer looked for."""


@contextmanager
def executing(
    paths: Container[str], *, lines: bool, within: Container[tuple[str, str]] | None = None
) -> Iterator[Counter[tuple[str, Any]]]:
    """Count what runs in the block, of the code of some source files.

    lines: whether to count lines, as (path, number of the line), or else calls of functions, as
    (path, qualified name). within: if only the lines of some functions are wanted, as (path,
    qualified name). Then a function is not looked at any longer when each of its lines has run, one
    that is called very often counts as run whole, and any other one counts as one line. This takes
    far less time.
    """
    found: Counter[tuple[str, Any]] = Counter()
    calls: Counter[int] = Counter()
    wanted: dict[int, set[int]] = {}  # by the ID of a code object, because its hash is slow
    seen: list[CodeType] = []  # so that no ID is given again

    def line(frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        if event == "line":
            found[frame.f_code.co_filename, frame.f_lineno] += 1
            if within is not None:
                left = wanted[id(frame.f_code)]
                left.discard(frame.f_lineno)
                frame.f_trace_lines = bool(left)
        return line

    def enter(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        left = wanted.get(id(code))
        if (left is not None and not left) or code.co_filename not in paths:
            return None
        if not lines:
            found[code.co_filename, code.co_qualname] += 1
            return None
        if within is None:
            return line
        if left is None:
            seen.append(code)
            is_wanted = (code.co_filename, code.co_qualname.partition(".<locals>")[0]) in within
            left = wanted[id(code)] = _lines_of(code) if is_wanted else set()
            if not is_wanted:
                found[code.co_filename, code.co_firstlineno] += 1
        calls[id(code)] += 1
        if calls[id(code)] > _OFTEN:
            found.update((code.co_filename, number) for number in left)
            left.clear()
        return line if left else None

    with _traced(enter):
        yield found


def _lines_of(code: CodeType) -> set[int]:
    """Return the lines of some code; its head is one of them only if it has no others."""
    lines = {number for *_, number in code.co_lines() if number}
    return lines - {code.co_firstlineno} or lines


@contextmanager
def limited_lines(paths: Container[str], most: int) -> Iterator[None]:
    """Run a block for at most so many lines of the code of some source files.

    Raises TooLongError beyond. The limit is the same on every machine.
    """
    left = most

    def line(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TooLongError
        return line

    def enter(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return line if frame.f_code.co_filename in paths else None

    with _traced(enter):
        yield


@contextmanager
def _traced(enter: Callable[..., Any]) -> Iterator[None]:
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)


def executed_functions(system: str) -> Callable[[Vector], frozenset[str]]:
    """Return a function that runs a vector and returns the dotted names of the functions executed.

    Both evaluations answer. The reference is not asked if the input does not match the schema. A
    function inside a function counts as the outer one.
    """
    operations = {operation.name: operation for operation in system_named(system).operations}
    modules = {str(path): name for name, path in modules_of("rejoin").items()}

    def executed(vector: Vector) -> frozenset[str]:
        operation = operations[vector.operation]
        if operation.input_fault(vector.input) is not None:
            return frozenset()
        with executing(modules, lines=False) as called:
            Question.of(vector).wrong_answer(operation)
        return frozenset(f"{modules[path]}.{name.partition('.<')[0]}" for path, name in called)

    return executed


def executes(called: Iterable[str], name: str) -> bool:
    """Return whether a function, a method of a class or a function of a module was called."""
    return any(f"{each}.".startswith(f"{name}.") for each in called)
