"""A wrong output is explained by the missing or extra node or member, with the reason."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.explain import explain


def node(name: str, parents: str = "", state: str | None = None) -> JsonObject:
    value: JsonObject = {"id": name, "parents": [*parents]}
    if state is not None:
        value["state"] = [*state]
    return value


DIAMOND: list[Json] = [node("a"), node("b", "a"), node("c", "a"), node("d", "bc")]
STATES: list[Json] = [node("a", "", "x"), node("b", "a", "xy"), node("c", "a", "")]


def told(operation: str, value: JsonObject, expected: JsonObject, observed: JsonObject) -> str:
    """Return the explanation of two outputs."""
    said = explain(
        Asked(
            operation=f"history-merge/{operation}",
            reading="document",
            input=value,
            expected={"output": expected},
            observed={"output": observed},
        )
    )
    assert said is not None
    return said


@pytest.mark.parametrize(
    ("operation", "asked", "expected", "observed", "why"),
    [
        ("ancestors", {"of": ["b"]}, "ab", "b", "a is missing: it is before b"),
        ("ancestors", {"of": ["b"]}, "ab", "abc", "c is extra: it is not before any of {b}"),
        ("maximal", {"among": ["a", "b"]}, "b", "ab", "a is extra: it is before b"),
        (
            "maximal",
            {"among": ["a", "b"]},
            "b",
            "",
            "b is missing: it is not before another node of the set",
        ),
        ("maximal", {"among": ["a"]}, "a", "ad", "d is extra: it is not in the set"),
        (
            "common-ancestors",
            {"of": ["b"], "with": "c"},
            "a",
            "",
            "a is missing: it is before c and b, and before no other common ancestor",
        ),
        (
            "common-ancestors",
            {"of": ["b"], "with": "d"},
            "b",
            "ab",
            "a is extra: it is before b, which is also a common ancestor",
        ),
        (
            "common-ancestors",
            {"of": ["b"], "with": "c"},
            "a",
            "ab",
            "b is extra: it is not before c",
        ),
        ("common-to-all", {"of": ["b", "c"]}, "a", "", "a is missing: it is before all of {b c}"),
        ("common-to-all", {"of": ["b", "c"]}, "a", "ab", "b is extra: it is not before c"),
        ("ancestors", {"of": ["b"]}, "ab", "ba", "the same names in another order or repeated"),
        ("ancestors", {"of": ["b"]}, "ab", "abz", "z is extra: it is not before any of {b}"),
    ],
)
def test_a_set_of_nodes(
    operation: str, asked: JsonObject, expected: str, observed: str, why: str
) -> None:
    said = told(
        operation, {"nodes": DIAMOND, **asked}, {"nodes": [*expected]}, {"nodes": [*observed]}
    )
    first, ours, theirs = said.splitlines()
    assert first == f"at nodes, {why}" or first.startswith(f"at nodes, {why}")
    assert ours == f"  expected  {{{' '.join(expected)}}}"
    assert theirs == f"  observed  {{{' '.join(observed)}}}"


def test_a_member_of_a_three_way_merge() -> None:
    value: JsonObject = {"origin": ["x"], "left": [], "right": ["x", "y"]}
    assert told("three-way-merge", value, {"state": ["y"]}, {"state": ["x", "y"]}) == (
        "at state, x is extra: in origin, not in left, in right\n  expected  {y}\n  observed  {x y}"
    )


def test_a_member_of_a_merge_is_explained_with_the_nodes_that_change_it() -> None:
    value: JsonObject = {"nodes": STATES, "merge": ["b", "c"]}
    said = told("merge", value, {"state": ["y"]}, {"state": ["x", "y"]})
    assert said.splitlines()[0] == (
        "at state, x is extra: in the state of {b}; not in the state of {c};"
        " a adds it; c removes it"
    )
    said = told("members", {"nodes": STATES}, {"state": ["y"]}, {"state": []})
    assert said.splitlines()[0] == (
        "at state, y is missing: in the state of {b}; not in the state of {c}; b adds it"
    )


def test_states_of_other_types_are_shown() -> None:
    value: JsonObject = {"state_type": "counter", "origin": "1", "left": "2", "right": "3"}
    assert told("three-way-merge", value, {"state": "4"}, {"state": "5"}) == (
        'at state\n  expected  "4"\n  observed  "5"'
    )


def test_a_relation_is_explained_with_its_path() -> None:
    value: JsonObject = {"nodes": DIAMOND, "earlier": "a", "later": "d"}
    assert told("before", value, {"before": True}, {"before": False}) == (
        "at a <= d, a <- b <- d\n  expected  true\n  observed  false"
    )
    value = {"nodes": DIAMOND, "earlier": "b", "later": "c"}
    said = told("before", value, {"before": False}, {"before": True})
    assert said.startswith("at b <= c, no path of parents leads from the later to the earlier node")
    value = {"nodes": DIAMOND, "among": ["b", "c", "a"]}
    said = told("is-anti-chain", value, {"anti_chain": False}, {"anti_chain": True})
    assert said.startswith("at {b c a} is an anti-chain, a is before b")


def test_a_parent_that_the_order_does_not_need() -> None:
    nodes: list[Json] = [node("a"), node("b", "a"), node("c", "ab")]
    expected: list[Json] = [node("a"), node("b", "a"), node("c", "b")]
    said = told("transitive-reduction", {"nodes": nodes}, {"nodes": expected}, {"nodes": nodes})
    assert said == (
        "at the parents of c, a is before b, another parent of the node\n"
        "  expected  {b}\n"
        "  observed  {a b}"
    )


def test_an_operational_edge() -> None:
    edge: JsonObject = {"node": "b", "virtual": False, "inserted": ["y"], "deleted": []}
    said = told("operational-edges", {"nodes": STATES}, {"edges": [edge]}, {"edges": []})
    assert said == ("at the edge at b\n  expected  inserts {y}, deletes {}\n  observed  (nothing)")


def test_a_session_is_explained_by_its_first_different_step() -> None:
    steps: list[JsonObject] = [{"accepted": True, "state": ["x"]}, {"accepted": True, "state": []}]
    value: JsonObject = {"messages": [node("a", "", "x"), node("c", "a", "")]}
    wrong: list[Json] = [steps[0], {**steps[1], "state": ["x"]}]
    said = told("session", value, {"steps": [*steps]}, {"steps": wrong})
    assert said == (
        "at the state after message 1, c with parents {a}\n  expected  {}\n  observed  {x}"
    )
    refused: list[Json] = [steps[0], {"accepted": False, "state": ["x"]}]
    said = told("session", value, {"steps": [*steps]}, {"steps": refused})
    assert said == "at message 1, c with parents {a}\n  expected  accepted\n  observed  refused"
    said = told("session", value, {"steps": [*steps]}, {"steps": []})
    assert said.startswith("at number of steps, one step per message")
