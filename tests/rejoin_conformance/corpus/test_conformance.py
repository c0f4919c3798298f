"""The profiles of conformance name what their systems have, and each stands for something."""

from __future__ import annotations

from importlib.resources import files

from rejoin_conformance.adapters import skeletons
from rejoin_conformance.contract.operation import needed
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.conformance import every_profile, profiles_of
from rejoin_conformance.corpus.load import load_system

EXAMPLES = {"config-merge/encode", "conflict-detection/classify-version-map"}


def test_each_system_has_profiles() -> None:
    assert all(len(profiles_of(system)) >= 2 for system in system_names())
    names = [profile.name for profile in every_profile()]
    assert len(names) == len({*names})


def test_an_operation_of_a_profile_has_vectors_that_need_nothing_that_may_be_left_out() -> None:
    empty = []
    for profile in every_profile():
        system = system_named(profile.name.partition(" ")[0])
        vectors = load_system(system.name)
        for name, features in profile.operations.items():
            operation = system.operation(name)
            assert operation is not None, f"{profile.name}: there is no operation {name}"
            assert {*features} <= {each.name for each in operation.features}, profile.name
            left_out = [each for each in operation.features if each.name in features]
            of_it = (each for each in vectors if each.operation == name)
            if not any(not needed(left_out, each.input) for each in of_it):
                empty.append((profile.name, name))
    assert empty == []


def test_the_examples_of_a_new_adapter_are_in_no_profile() -> None:
    python = (files(skeletons) / "python" / "adapter.py").read_text(encoding="utf-8")
    assert all(f'"{each}": ' in python for each in EXAMPLES)
    assert not any(EXAMPLES & {*profile.operations} for profile in every_profile())
