"""Guesses: values that the reference has on its way, each with another one in its place.

A mutant changes the source at one place. Implementations also go wrong with values: they take the
first of several elements, forget the last one, begin with nothing or turn an order round. Marks
around the values of a function let each of them be exchanged for a part of it, one at a time,
without compiling the function again. All of this happens in a forked process.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any, Final

from rejoin_conformance.campaigns.mutants.in_force import loaded
from rejoin_conformance.campaigns.mutants.source import Function, lines_of

_PARTS: Final[Mapping[str, slice]] = {
    "first": slice(1),
    "last": slice(-1, None),
    "first two": slice(2),
    "not first": slice(1, None),
    "not last": slice(-1),
    "none": slice(0),
    "turned": slice(None, None, -1),
}
_UNMARKED: Final = (
    ast.FunctionDef | ast.ClassDef | ast.Raise | ast.Assert | ast.Import | ast.ImportFrom
)
_PLAIN: Final = ast.Constant | ast.Starred | ast.Lambda | ast.GeneratorExp | ast.JoinedStr
_MARK: Final = "_passing_a_mark"
"""The name among the built-in functions that marked functions call."""


def parts_of(value: Any) -> Mapping[str, Any]:
    """Return what can take the place of a value, by name: values of its type, all different."""
    listed: Sequence[Any] = ()
    made: Callable[[Any], Any] = type(value)
    match value:
        case bool():
            return {"not": not value}
        case int():
            return {"more": value + 1, "less": value - 1}
        case Mapping():
            listed, made = sorted(value), lambda keys: {key: value[key] for key in keys}
        case set() | frozenset():
            listed = sorted(value)
        case list() | tuple():
            listed = value
    found = {"": listed}
    for name, chosen in _PARTS.items():
        if listed[chosen] not in found.values():
            found[name] = listed[chosen]
    return {name: made(each) for name, each in found.items() if name}


@contextmanager
def guessed(system: str, number: int, name: str) -> Iterator[None]:
    """Let parts with this name pass a mark while the block runs."""

    def part(at: int, value: Any) -> Any:
        return parts_of(value).get(name, value) if at == number else value

    with _passing(system, part):
        yield


@contextmanager
def guesses(system: str) -> Iterator[set[tuple[int, str]]]:
    """Collect the marks that values pass while the block runs, with the names of their parts."""
    found: set[tuple[int, str]] = set()

    def collect(number: int, value: Any) -> Any:
        with suppress(Exception):  # elements without an order
            found.update((number, name) for name in parts_of(value))
        return value

    with _passing(system, collect):
        yield found


@contextmanager
def _passing(system: str, seen: Callable[[int, Any], Any]) -> Iterator[None]:
    """Let marked functions give values to `seen`, and go on with what it returns."""
    for forget in loaded(system).forget:
        forget()
    vars(builtins)[_MARK] = seen
    try:
        yield
    finally:
        del vars(builtins)[_MARK]


def marked(function: Function, wanted: Container[int]) -> tuple[Function, Sequence[range]]:
    """Return a function with marks around values, and the lines of the statement of each mark.

    wanted: lines; the values are those that their statements iterate over, assign, return and give
    to calls.
    """
    node = deepcopy(function.node)
    marks: list[range] = []

    def mark(value: ast.expr) -> ast.expr:
        if isinstance(value, _PLAIN):
            return value
        marks.append(lines)
        called = [ast.Constant(len(marks) - 1), value]
        changed = ast.Call(ast.Name(_MARK, ast.Load()), called, [])
        for each in (changed, changed.func, called[0]):
            ast.copy_location(each, value)
        return changed

    for statement in [each for each in ast.walk(node) if isinstance(each, ast.stmt)]:
        first, last = lines_of(statement)
        lines = range(first, last + 1)
        is_marked = not isinstance(statement, _UNMARKED) and any(each in wanted for each in lines)
        for holder in [*_holders(statement)] if is_marked else ():
            match holder:
                case ast.For() | ast.comprehension():
                    holder.iter = mark(holder.iter)
                case ast.Assign() | ast.AnnAssign() | ast.Return() if holder.value is not None:
                    holder.value = mark(holder.value)
                case ast.Call():
                    holder.args = [*map(mark, holder.args)]
                    for keyword in holder.keywords:
                        keyword.value = mark(keyword.value)
    return Function(function.name, node), marks


def _holders(statement: ast.stmt) -> Iterator[Any]:
    yield statement
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from ast.walk(child)
