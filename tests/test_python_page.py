"""The examples of the reference's packages run, the page on Python shows them, plain values do."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest

import rejoin
from rejoin import config_merge as cm
from rejoin import history_merge as hm

PACKAGES = ["config_merge", "conflict_detection", "history_merge"]
PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_example_of_each_package_runs_and_is_on_the_page(name: str) -> None:
    module = getattr(rejoin, name)
    assert doctest.testmod(module).attempted > 5
    assert doctest.testmod(module).failed == 0
    example = module.__doc__[module.__doc__.index(">>>") :]
    assert example in PAGE
    assert example.count(">>>") <= 10
    assert set(module.__all__) <= set(dir(module))


def test_a_name_that_the_reference_lacks_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'merge'"):
        _ = rejoin.merge


def test_plain_sets_lists_and_dicts_are_taken() -> None:
    plain, frozen = {b"s": {b"a"}}, {b"s": frozenset({b"a"})}
    first = cm.first_message(plain)
    assert first == cm.first_message(frozen)
    assert "data={b's': {b'a'}}" in repr(first)
    assert cm.non_conflicting_update(first, plain, window=5).data == frozen
    assert cm.diff({}, plain) == cm.diff({}, frozen)
    assert cm.encode_data(plain) == cm.encode_data(frozen)
    assert repr(hm.Node("b", ["a"], {"x"}).state) == "frozenset({'x'})"
    assert repr(hm.Node("b", {"a"}, ["x"]).state) == "('x',)"


def test_other_values_are_refused_with_a_clear_error() -> None:
    with pytest.raises(cm.ConfigMergeError, match="a key is not bytes"):
        cm.first_message({"s": 1})  # type: ignore[dict-item]  # what a user may give
    with pytest.raises(cm.ConfigMergeError, match="cannot contain a value of type list"):
        cm.first_message({b"s": [b"a"]})
    with pytest.raises(TypeError, match="'root' is one ID where a set or a list"):
        hm.Node("b", "root", frozenset())
    nodes: list[Any] = [
        hm.Node("a", [], set()),
        hm.Node("b", ["a"], ["x"]),
        hm.Node("c", ["a"], {"y"}),
    ]
    history: hm.Graph[Any] = hm.graph_of(nodes)
    with pytest.raises(TypeError, match="the state of node 'b' is of type tuple where frozenset"):
        hm.members(history, hm.SETS)
    session = hm.session_of(nodes[:1], hm.SETS)
    with pytest.raises(TypeError, match="the state of node 'b' is of type tuple"):
        session.accept(nodes[1])
    assert session.members() == frozenset()
