"""The functions of the reference that a vector executes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import Any

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.import_graph import modules_of


def executed_functions(system: str) -> Callable[[Vector], frozenset[str]]:
    """Return a function that runs a vector and returns the dotted names of the functions executed.

    Both evaluations answer. The reference is not asked if the input does not match the schema. A
    function inside a function counts as the outer one.
    """
    operations = {operation.name: operation for operation in system_named(system).operations}
    modules = {str(path): name for name, path in modules_of("rejoin").items()}

    def executed(vector: Vector) -> frozenset[str]:
        operation = operations[vector.operation]
        called: set[str] = set()
        if operation.input_fault(vector.input) is None:
            sys.settrace(_recorder(modules, called))
            try:
                Question.of(vector).wrong_answer(operation)
            finally:
                sys.settrace(None)
        return frozenset(called)

    return executed


def executes(called: Iterable[str], name: str) -> bool:
    """Return whether a function, a method of a class or a function of a module was called."""
    return any(f"{each}.".startswith(f"{name}.") for each in called)


def _recorder(modules: Mapping[str, str], called: set[str]) -> Callable[..., Any]:
    """Return a trace function that adds the names of the functions that are called."""

    def enter(frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        module = modules.get(code.co_filename)
        if module is not None:
            called.add(f"{module}.{code.co_qualname.partition('.<')[0]}")

    return enter
