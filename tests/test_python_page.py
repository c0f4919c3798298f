"""The examples of the reference's packages run, the page on Python shows them, plain values do."""

from __future__ import annotations

import doctest
import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rejoin
from rejoin import config_merge as cm
from rejoin import conflict_detection as cd
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


@pytest.mark.parametrize("name", PACKAGES)
def test_each_exported_name_has_an_example_that_runs(name: str) -> None:
    face = getattr(rejoin, name)
    examples = import_module(f"rejoin.{name}.examples")
    assert doctest.testmod(examples).failed == 0
    code = "\n".join(
        each.source for each in doctest.DocTestParser().get_examples(examples.__doc__ or "")
    )
    assert set(face.__all__) - set(re.findall(r"\b(?:cm|hm|cd)\.(\w+)", code)) == set()


def test_the_page_names_the_actions_that_return_a_folder_alone() -> None:
    functions = inspect.getmembers(cd, inspect.isfunction)
    folders = {name for name, f in functions if f.__annotations__["return"].startswith("Folder")}
    actions = folders - {"add_client", "add_clients"}
    assert len(actions) == len([name for name in actions if f"`{name}`" in PAGE]) == 3


@pytest.mark.parametrize("name", PACKAGES)
def test_help_refers_to_the_errors_of_exported_functions(name: str) -> None:
    face = getattr(rejoin, name)
    exported = [each for each in face.__all__ if hasattr(getattr(face, each), "__module__")]
    texts = [pydoc.plain(pydoc.render_doc(getattr(face, each))) for each in exported]
    named = {each for text in texts for each in re.findall(r"[Ee]rrors: as (?:in )?`(\w+)", text)}
    assert named <= {*face.__all__}


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
    with pytest.raises(cm.ConfigMergeError, match="the key 's' is of type str"):
        cm.first_message({"s": 1})  # type: ignore[dict-item]  # what a user may give
    with pytest.raises(cm.ConfigMergeError, match="data-not-dict"):
        cm.first_message("Ann")  # type: ignore[arg-type]
    with pytest.raises(cm.ConfigMergeError, match="cannot contain a value of type list"):
        cm.first_message({b"s": [b"a"]})
    with pytest.raises(cm.ConfigMergeError, match="a set element is of type str; it must be int"):
        cm.first_message({b"s": {"a"}})
    nodes: list[Any] = [
        hm.Node("a", [], set()),
        hm.Node("b", ["a"], ["x"]),
        hm.Node("c", ["a"], {"y"}),
    ]
    history: hm.Graph[Any] = hm.graph_of(nodes)
    with pytest.raises(TypeError, match="the state of node 'b' is of type tuple where frozenset"):
        hm.members(history, hm.SETS)
    with pytest.raises(TypeError, match="the state of node 'a' is of type frozenset where str"):
        hm.merge(hm.graph_of([*nodes, hm.Node("d", ["a"], {"z"})]), ["c", "d"], hm.REGISTERS)
    session = hm.session_of(nodes[:1], hm.SETS)
    with pytest.raises(TypeError, match="the state of node 'b' is of type tuple"):
        session.accept(nodes[1])
    assert session.members() == frozenset()


UNTYPED: Any = (cm, hm, cd)
CM, HM, CD = UNTYPED


def _folder() -> cd.Folder[bytes]:
    return cd.Folder(cd.SnapshotDesign())


def _edited(nickname: object = "ann", content: object = b"one") -> object:
    folder = cd.add_client(_folder(), "ann")
    return CD.edit(folder, nickname, "notes", content=content)


def _merged(nodes: object, states: object) -> object:
    return HM.merge(hm.graph_of([hm.Node("b", [], {"x"})]), nodes, states)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: _merged(["b"], "set"), "argument states must be of type StateType, not str"),
        (lambda: _merged(7, hm.SETS), "argument nodes must be of type Iterable[str], not int: 7"),
        (lambda: _merged(["b"], hm.COUNTERS), "the state of node 'b' is of type frozenset where"),
        (lambda: CM.resolve(b"de"), "messages must be of type Sequence[bytes], not bytes"),
        (lambda: CM.resolve([7]), "each element of argument messages must be of type byte"),
        (lambda: CM.encode_diff("d"), "argument diff must be of type Diff, not str: 'd'"),
        (lambda: _edited(content="one"), "conflict_detection.edit: argument content must be of"),
        (lambda: _edited(b"ann"), "argument nickname must be of type str, not bytes: b'ann'"),
        (lambda: _merged("pq", hm.SETS), "nodes must be of type Iterable[str], not str: 'pq'"),
        (lambda: _merged({"b": 1}, hm.SETS), "must be of type Iterable[str], not dict: {'b': 1}"),
        (lambda: _merged([7], hm.SETS), "each element of argument nodes must be of type str, not"),
        (lambda: HM.Node(7, [], ()), "history_merge.Node: argument id must be of type str"),
        (lambda: HM.Node("b", "root", ()), "parents must be of type Iterable[str], not st"),
        (lambda: HM.Node("b", [7], ()), "each element of argument parents must be of type"),
        (lambda: HM.Reading(set_merge="odd"), "set_merge must be of type SetMerge, not str"),
        (lambda: HM.checked_answer(True), "size must be of type int, not bool: True"),
        (lambda: CM.parse_message(b"", window="5"), "window must be of type int, not str"),
        (lambda: CM.Settings(bytes(32), window=True), "window must be of type int, not bo"),
        (lambda: CM.Client(cm.Settings), "Client: argument settings must be of type Setti"),
        (lambda: CM.apply_diff({"n": 1}, {}, {}), "each key of argument data must be of typ"),
        (lambda: CM.apply_diff([], {}, {}), "argument data must be of type Dict, not list"),
        (lambda: CM.lagged_diff((1, 2), {}), "each element of argument rank must be of type"),
        (lambda: CD.Folder(cd.MapDesign), "argument design must be of type Design, not type"),
        (lambda: CD.add_clients(_folder(), "ann"), "argument newcomers must be of type Itera"),
        (lambda: CD.add_clients(_folder(), ["ann"]), "each element of argument newcomers mu"),
        (lambda: CD.classify_by_maps(cd.REPAIRED, {"a": ""}, {}), "each value of argument local"),
        (lambda: CD.follows({"a": ()}, "a", 7), "later and earlier must be of one type, not"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(call: Callable[[], object], fault: str) -> None:
    with pytest.raises(TypeError, match=re.escape(fault)):
        call()


def test_sets_and_lists_are_taken_for_states_and_functions_are_found_by_pickle() -> None:
    assert HM.set_three_way_merge({"a"}, {"a", "b"}, {"a"}) == {"a", "b"}
    assert HM.lines_three_way_merge(["a"], ["a", "b"], ["a"]) == ("a", "b")
    assert pickle.loads(pickle.dumps(hm.merge)) is hm.merge
