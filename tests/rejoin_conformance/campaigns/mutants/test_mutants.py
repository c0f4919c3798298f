"""A mutant counts only if its change was in force, and a vector that notices it kills it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from rejoin.history_merge import lcau
from rejoin_conformance.campaigns.mutants.equivalent import (
    Equivalent,
    EquivalentError,
    change_of,
    load_equivalents,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.in_force import (
    NotInForceError,
    exchange_code,
    import_afresh,
    loaded_functions,
)
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of
from rejoin_conformance.campaigns.mutants.operators import KINDS
from rejoin_conformance.campaigns.mutants.run import run_mutants
from support.spreads import HERE

SYSTEM = "history-merge"


@cache
def _mutants() -> tuple[Mutant, ...]:
    """All mutants of the system; listing them takes seconds, so no import does it."""
    return mutants_of(SYSTEM)


def _one(kind: str, *, inside: bool) -> Mutant:
    """The first mutant of a kind, inside a function or outside."""
    return next(each for each in _mutants() if each.kind == kind and bool(each.function) == inside)


def _in_a_child(put: Mutant) -> bool:
    """Whether the changed code is in force in a forked process that puts it there."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            functions = loaded_functions()
            if put.function:
                (first, *_) = objects = functions[put.module, put.function]
                before = first.__code__
                exchange_code(put, functions)
                code = 0 if all(each.__code__ is not before for each in objects) else 1
            else:
                operations = import_afresh(put, SYSTEM)
                code = 0 if operations else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_change_of_each_kind_inside_a_function_is_in_force() -> None:
    kinds = {each.kind for each in _mutants() if each.function}
    assert [kind for kind in sorted(kinds) if not _in_a_child(_one(kind, inside=True))] == []


@pytest.mark.parametrize("kind", ["integer-by-one", "text-constant", "default-emptied"])
def test_a_change_outside_functions_is_in_force(kind: str) -> None:
    assert _in_a_child(_one(kind, inside=False))


def test_this_process_keeps_the_reference_as_it_is() -> None:
    code = lcau.lca_u.__code__
    assert _in_a_child(next(each for each in _mutants() if each.function == "lca_u"))
    assert lcau.lca_u.__code__ is code


def test_a_mutant_of_a_function_that_is_not_loaded_does_not_count() -> None:
    with pytest.raises(NotInForceError):
        exchange_code(_one("comparison", inside=True), {})


def test_mutants_have_names_of_their_own_and_kinds_of_many_sorts() -> None:
    assert len({each.name for each in _mutants()}) == len(_mutants())
    assert len({each.kind for each in _mutants()}) > 20
    assert {each.kind for each in _mutants()} <= KINDS.keys()


def test_mutants_of_the_lowest_common_ancestors_are_killed_by_vectors_that_execute_them() -> None:
    chosen = [
        number
        for number, each in enumerate(_mutants())
        if each.module == "rejoin.history_merge.lcau" and each.function
    ][:6]
    run = run_mutants(SYSTEM, HERE, chosen=chosen)
    assert run.fates()["killed"] >= 3
    for each in run.examined:
        assert each.tried >= len(each.killers)
    assert run_mutants(SYSTEM, HERE, chosen=chosen).to_json() == run.to_json()


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
    assert unknown_entries([entry], _mutants()) == ()
    assert unknown_entries([entry], _mutants()[8:]) == (entry,)
    assert load_equivalents(tmp_path / "none.toml") == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1", r"the only table is \[\[equivalent\]\]"),
        ("[[equivalent]]\nfunction = 'a'", "entry 1 needs the fields"),
        (
            "[[equivalent]]\nfunction='a'\nkind='b'\nbefore='c'\nafter='d'\nargument=' '",
            "entry 1: the argument is empty",
        ),
        ("[[", "equivalent.toml: "),
    ],
)
def test_an_invalid_list_is_one_line(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "equivalent.toml"
    path.write_text(text)
    with pytest.raises(EquivalentError, match=reason) as refused:
        load_equivalents(path)
    assert "\n" not in str(refused.value)
