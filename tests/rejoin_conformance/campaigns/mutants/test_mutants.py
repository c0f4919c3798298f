"""A mutant counts only if its change was in force, and a vector that notices it kills it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rejoin.history_merge import lcau
from rejoin_conformance.campaigns.mutants.asking import (
    ask,
    corpus_of,
    coverage_of,
    executed_by,
    in_a_fork,
)
from rejoin_conformance.campaigns.mutants.equivalent import (
    FILE,
    Argued,
    EntriesError,
    Equivalent,
    Unreachable,
    change_of,
    load_argued,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.in_force import loaded, put_in_force, swapped
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutants_of
from rejoin_conformance.campaigns.mutants.operators import KINDS
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.locations import mutants_directory
from support.small_mutants import LCAU, lowest, small_questions, small_run

SYSTEM = "history-merge"


@cache
def _mutants() -> tuple[Mutant, ...]:
    """All mutants of the system; listing them takes seconds, so no import does it."""
    return mutants_of(SYSTEM)


def _is_put_in_force(mutant: Mutant) -> bool:
    """Whether every object of the changed function has other code in a process of its own."""
    objects = loaded(SYSTEM).functions[mutant.module, mutant.function]
    before = objects[0].__code__

    def put() -> bool:
        put_in_force(SYSTEM, [mutant])
        return all(each.__code__ is not before for each in objects)

    return in_a_fork(put, died=False) and objects[0].__code__ is before


def test_a_change_of_each_kind_inside_a_function_is_in_force() -> None:
    kinds = {each.kind: each for each in reversed(_mutants()) if each.function}
    assert [kind for kind, each in sorted(kinds.items()) if not _is_put_in_force(each)] == []


@pytest.mark.parametrize("system", ["config-merge", "history-merge", "conflict-detection"])
def test_a_change_outside_functions_is_in_force_in_a_world(system: str) -> None:
    known = mutants_of(system)
    assert unknown_entries(load_argued(mutants_directory() / system / FILE), known) == ()
    constant = [each for each in known if not each.function][-1]
    unchanged = {each.name: each for each in system_named(system).operations}

    def put() -> bool:
        operations = put_in_force(system, [constant])
        return operations.keys() == unchanged.keys() and not any(
            each is unchanged[name] for name, each in operations.items()
        )

    assert in_a_fork(put, died=False)


@pytest.mark.full_run("mutants")
def test_vectors_kill_the_mutants_of_what_changed_or_a_sample(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["mutants", "--all", "--changed", "--every", "211", "--in-process"]
    assert run(command) == 0, capsys.readouterr().out


def test_the_steps_of_an_operation_are_those_of_the_mutant() -> None:
    asked = [
        (place, each, 5.0)
        for place, each in enumerate(corpus_of(SYSTEM).questions)
        if each.vector.operation == "history-merge/merge-steps"
    ][:20]
    mutants = mutants_in("rejoin.history_merge.complete_algorithm")
    planted = next(each for each in mutants if each.function == "merge_u")
    assert ask(SYSTEM, [], asked).wrong is None
    assert ask(SYSTEM, [planted], asked).wrong is not None


def test_this_process_keeps_the_reference_as_it_is() -> None:
    code = lcau.lca_u.__code__
    assert small_run(lowest(), Argued()).fates()["killed"]
    assert lcau.lca_u.__code__ is code
    with swapped(SYSTEM, lowest()[:1]):
        assert lcau.lca_u.__code__ is not code
    assert lcau.lca_u.__code__ is code


def test_the_lines_of_the_functions_that_are_asked_for_are_found_as_among_all() -> None:
    functions = {(LCAU, each.function) for each in lowest()}
    changed = {line for each in lowest() for line in range(each.line, each.last_line + 1)}
    whole, some = (
        coverage_of(executed_by(SYSTEM, [LCAU], small_questions().items(), functions=each))
        for each in (None, functions)
    )
    assert {line for _, line in whole.lines} & changed
    for line in changed:
        assert some.lines.get((LCAU, line)) == whole.lines.get((LCAU, line))
    assert some.costs.keys() == whole.costs.keys()
    assert sum(some.costs.values()) < sum(whole.costs.values())


def test_mutants_have_names_of_their_own_and_kinds_of_many_sorts() -> None:
    assert len({each.name for each in _mutants()}) == len(_mutants())
    assert len({each.kind for each in _mutants()}) > 20
    assert {each.kind for each in _mutants()} <= {*KINDS}


def test_an_entry_is_for_the_change_that_it_names(tmp_path: Path) -> None:
    mutant = _mutants()[7]
    names = ("function", "kind", "before", "after", "occurrence")
    change: dict[str, Any] = dict(zip(names, change_of(mutant), strict=True))
    entry = Equivalent(**change, argument="No operation reaches it.")
    argued = Argued(equivalent=(entry,))
    assert unknown_entries(argued, _mutants()) == ()
    assert unknown_entries(argued, _mutants()[8:]) == (entry,)
    assert argued.argument(mutant) == "No operation reaches it."
    assert load_argued(tmp_path / "none.toml") == Argued()


def test_an_entry_for_unreachable_code_is_refuted_by_a_vector_that_executes_it() -> None:
    argued = Argued(unreachable=(Unreachable(function=lowest()[0].module, argument="Nobody."),))
    assert unknown_entries(argued, _mutants()) == ()
    assert len(small_run(lowest(), argued).refuted) == len(lowest())


_ENTRY = "[[equivalent]]\nfunction='a'\nkind='b'\nbefore='c'\nafter='d'\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1", r'\$: unknown field "x"; the fields are equivalent, unreachable'),
        (_ENTRY, r"\$\.equivalent\[0\]: the field argument is missing"),
        (f"{_ENTRY}argument=' '", r"\$\.equivalent\[0\]\.argument: expected a reason"),
        (f"{_ENTRY}argument=1", r"\$\.equivalent\[0\]\.argument: expected a string, found 1"),
        ("[[", "equivalent.toml: "),
    ],
)
def test_an_invalid_list_is_one_line(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "equivalent.toml"
    path.write_text(text)
    with pytest.raises(EntriesError, match=reason) as refused:
        load_argued(path)
    assert "\n" not in str(refused.value)
