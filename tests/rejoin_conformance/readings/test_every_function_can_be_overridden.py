"""A rule file can override every public function of the reference, and the corpus sees it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

import pytest

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import verify_vector
from rejoin_conformance.kit.import_graph import modules_of
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.readings.exchange import copy_of, plain_function
from rejoin_conformance.readings.overriding import (
    Override,
    calls_since,
    override_of,
    overriding,
    tried,
)

SYSTEMS = {each.name: each for each in all_systems()}
SHARED = {"rejoin.bencode": "config-merge"}
ABOUT_SIZE = {"large", "sizes"}
"""Topics whose inputs repeat something many times."""


class OverriddenError(Exception):
    """Raised by the functions of this test. No code of the project catches it."""


def public_functions(system: System) -> Iterator[tuple[str, FunctionType]]:
    """Yield the dotted name of every public function and method of a system's reference."""
    package = f"rejoin.{system.name.replace('-', '_')}"
    for name in sorted(modules_of("rejoin")):
        if f"{name}.".startswith(f"{package}.") or SHARED.get(name) == system.name:
            module = importlib.import_module(name)
            for key, value in vars(module).items():
                if getattr(value, "__module__", None) != name or key.startswith("_"):
                    continue
                if isinstance(value, FunctionType):
                    yield f"{name}.{key}", value
                elif isinstance(value, type) and not getattr(value, "_is_protocol", False):
                    yield from _methods(value)


def _methods(kind: type) -> Iterator[tuple[str, FunctionType]]:
    for key, value in vars(kind).items():
        function = plain_function(value)
        public = not key.startswith("_") or key == "__call__"
        if function is not None and function.__module__ == kind.__module__ and public:
            yield f"{kind.__module__}.{kind.__qualname__}.{key}", function


def forwarding(function: FunctionType) -> Callable[..., Any]:
    original = copy_of(function)

    def forward(*args: Any, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    return forward


def raising(*_args: Any, **_kwargs: Any) -> Any:
    raise OverriddenError


def forwards(system: System) -> list[Override]:
    return [override_of(name, forwarding(each)) for name, each in public_functions(system)]


@cache
def vectors_of(name: str) -> tuple[Vector, ...]:
    """Return the vectors of a system, the shortest inputs first."""
    return tuple(sorted(load_system(name), key=lambda each: len(canonical_json(each.input))))


def run(vector: Vector) -> list[str]:
    """Run a vector in all its readings, and return the wrong answers."""
    return [each.observed for each in verify_vector(vector)]


def sees(vector: Vector) -> bool:
    """Return whether an overridden function raises while a vector runs."""
    try:
        run(vector)
    except OverriddenError:
        return True
    return False


@cache
def first_callers(name: str) -> dict[str, Vector]:
    """Return for each function the shortest vector that calls it; run no more than needed."""
    system = SYSTEMS[name]
    missing = {name for name, _ in public_functions(system)}
    missing -= {each.name for each in system.unreached}
    found: dict[str, Vector] = {}
    with overriding(forwards(system)):
        for vector in vectors_of(system.name):
            before = tried()
            assert run(vector) == []
            for name in [name for name, each in calls_since(before).items() if each.calls]:
                found.setdefault(name, vector)
            missing -= found.keys()
            if not missing:
                break
    return found


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_corpus_sees_every_function_that_raises(name: str) -> None:
    system = SYSTEMS[name]
    callers = first_callers(name)
    unreached = {each.name for each in system.unreached}
    for function, _ in public_functions(system):
        if function in unreached:
            assert function not in callers
            continue
        with overriding([override_of(function, raising)]):
            assert sees(callers[function]), f"{callers[function].id}: {function}"


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_list_of_functions_that_no_operation_calls_names_public_functions(name: str) -> None:
    system = SYSTEMS[name]
    known = {function for function, _ in public_functions(system)}
    assert {each.name for each in system.unreached} <= known
    assert all(each.reason for each in system.unreached)


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_answer_differs_from_itself(name: str) -> None:
    """Large inputs make no other comparisons, only more: deep ones have a test of their own."""
    system = SYSTEMS[name]
    some = {each.id: each for each in first_callers(name).values()}
    some |= {each.id: each for each in vectors_of(name)[::20] if each.topic not in ABOUT_SIZE}
    with overriding(forwards(system), compared=True):
        assert [fault for vector in some.values() for fault in run(vector)] == []
        counts = tried()
    assert {name for name, each in counts.items() if each.calls} >= first_callers(name).keys()
    assert [name for name, each in counts.items() if each.differed] == []
    assert sum((each.calls for each in counts.values()), 0) > 1000


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_call_that_is_made_twice_lists_its_steps_once(name: str) -> None:
    system = SYSTEMS[name]
    steps = {each.name for each in system.operations if each.steps_of}
    listing = [each for each in vectors_of(name) if each.operation in steps][::4]
    assert listing
    with overriding(forwards(system), compared=True):
        assert [fault for vector in listing for fault in run(vector)] == []


def test_an_override_does_not_limit_the_depth_of_values() -> None:
    system = SYSTEMS["config-merge"]
    deep = [each for each in load_system(system.name) if each.topic == "levels"]
    assert len(deep) > 10
    limit = sys.getrecursionlimit()
    with overriding(forwards(system), compared=True):
        assert [fault for vector in deep for fault in run(vector)] == []
    assert sys.getrecursionlimit() == limit
