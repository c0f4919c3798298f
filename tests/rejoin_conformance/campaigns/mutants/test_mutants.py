"""A mutant counts only if its change was in force, and a vector that notices it kills it."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from rejoin.history_merge import lcau
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.mutants.equivalent import (
    Argued,
    Equivalent,
    Unreachable,
    change_of,
    load_argued,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.exchanging import (
    Loaded,
    NotInForceError,
    exchange_code,
    import_afresh,
    loaded,
)
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of
from rejoin_conformance.campaigns.mutants.operators.kinds import KINDS
from support.small_mutants import lowest, small_run

SYSTEM = "history-merge"


@cache
def _mutants() -> tuple[Mutant, ...]:
    """All mutants of the system; listing them takes seconds, so no import does it."""
    return mutants_of(SYSTEM)


@cache
def _loaded() -> Loaded:
    return loaded()


def _one(kind: str, *, inside: bool) -> Mutant:
    """The first mutant of a kind, inside a function or outside."""
    return next(each for each in _mutants() if each.kind == kind and bool(each.function) == inside)


def _in_a_child(put: Mutant) -> bool:
    """Whether the changed code is in force in a forked process that puts it there."""
    reference = _loaded()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if put.function:
                (first, *_) = objects = reference.functions[put.module, put.function]
                before = first.__code__
                exchange_code(put, reference)
                code = 0 if all(each.__code__ is not before for each in objects) else 1
            else:
                operations = import_afresh(SYSTEM, put)
                code = 0 if operations else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_change_of_each_kind_inside_a_function_is_in_force() -> None:
    kinds = {each.kind for each in _mutants() if each.function}
    assert [kind for kind in sorted(kinds) if not _in_a_child(_one(kind, inside=True))] == []


def _stale(system: str) -> list[str]:
    """The names that the operations of a system still have from modules that were dropped."""
    package = system.replace("-", "_")
    parts = (f"rejoin.{package}", f"rejoin_conformance.systems.{package}")
    return [
        f"{name}.{attribute}"
        for name, module in sys.modules.items()
        if name.startswith(parts)
        for attribute, value in vars(module).items()
        if isinstance(value, ModuleType) and value is not sys.modules[value.__name__]
    ]


@pytest.mark.parametrize("system", ["config-merge", "history-merge", "conflict-detection"])
def test_operations_use_no_module_that_was_dropped(system: str) -> None:
    constant = [each for each in mutants_of(system) if not each.function][-1]
    child = os.fork()
    if child == 0:
        try:
            import_afresh(system, constant)
            os._exit(len(_stale(system)))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("kind", ["integer-by-one", "text-constant"])
def test_a_change_outside_functions_is_in_force(kind: str) -> None:
    assert _in_a_child(_one(kind, inside=False))


def test_this_process_keeps_the_reference_as_it_is() -> None:
    code = lcau.lca_u.__code__
    assert _in_a_child(next(each for each in _mutants() if each.function == "lca_u"))
    assert lcau.lca_u.__code__ is code


def test_a_mutant_of_a_function_that_is_not_loaded_does_not_count() -> None:
    with pytest.raises(NotInForceError):
        exchange_code(_one("comparison", inside=True), Loaded({}, ()))


def test_mutants_have_names_of_their_own_and_kinds_of_many_sorts() -> None:
    assert len({each.name for each in _mutants()}) == len(_mutants())
    assert len({each.kind for each in _mutants()}) > 20
    assert {each.kind for each in _mutants()} <= KINDS.keys()


def test_mutants_of_the_lowest_common_ancestors_are_killed_by_vectors_that_execute_them() -> None:
    run = small_run(lowest(), Argued())
    assert run.fates()["killed"] >= 3
    assert all(each.tried >= len(each.killers) for each in run.examined)
    assert run.to_json() == small_run(lowest(), Argued()).to_json()


def test_a_matrix_has_every_vector_that_notices() -> None:
    first, every = small_run(lowest(), Argued()), small_run(lowest(), Argued(), matrix=True)
    for one, all_of_them in zip(first.examined, every.examined, strict=True):
        assert set(one.killers) <= set(all_of_them.killers)
    assert any(len(each.killers) > 1 for each in every.examined)


def test_an_entry_is_for_the_change_that_it_names(tmp_path: Path) -> None:
    mutant = _mutants()[7]
    function, kind, before, after, occurrence = change_of(mutant)
    entry = Equivalent(
        function=function,
        kind=kind,
        before=before,
        after=after,
        occurrence=occurrence,
        argument="No operation reaches it.",
    )
    argued = Argued(equivalent=(entry,))
    assert unknown_entries(argued, _mutants()) == ()
    assert unknown_entries(argued, _mutants()[8:]) == (entry,)
    assert argued.argument(mutant) == "No operation reaches it."
    assert load_argued(tmp_path / "none.toml") == Argued()


def test_an_entry_for_unreachable_code_is_refuted_by_a_vector_that_executes_it() -> None:
    argued = Argued(unreachable=(Unreachable(function=lowest()[0].module, argument="Nobody."),))
    assert unknown_entries(argued, _mutants()) == ()
    assert len(small_run(lowest(), argued).refuted) == len(lowest())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1", r"the only tables are \[\[equivalent\]\]"),
        ("[[equivalent]]\nfunction = 'a'", r"\[\[equivalent\]\] 1 needs the fields"),
        (
            "[[equivalent]]\nfunction='a'\nkind='b'\nbefore='c'\nafter='d'\nargument=' '",
            r"\[\[equivalent\]\] 1: the argument is empty",
        ),
        ("[[", "equivalent.toml: "),
    ],
)
def test_an_invalid_list_is_one_line(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "equivalent.toml"
    path.write_text(text)
    with pytest.raises(EntriesError, match=reason) as refused:
        load_argued(path)
    assert "\n" not in str(refused.value)
