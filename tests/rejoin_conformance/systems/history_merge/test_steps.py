"""The steps of a merge end with its state, and both evaluations have the same ones."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from support.plain_history_merge import anti_chains, histories, messages_in

SYSTEM = system_named("history-merge")


def test_a_set_that_is_merged_again_keeps_its_place() -> None:
    """The origin of f is {p, q} again, after {a, b} was merged for d and e."""
    text = "r: {};  p < r: {x};  q < r: {y};  a < p q: {x y};  b < p q: {x}"
    nodes = messages_in(f"{text};  d < a b: {{x}};  e < a b: {{x y}};  f < p q: {{y}}")
    listing = SYSTEM.steps_operation("history-merge/merge")
    assert listing is not None
    value: Any = {"nodes": nodes, "merge": ["d", "e", "f"]}
    for result in (listing.run(value, "document"), listing.answer_second(value, "document")):
        assert isinstance(result, Output)
        steps: Any = result.value["steps"]
        orders = ["".join(each["nodes"]) for each in steps if each["step"] == "order"]
        assert orders == ["pq", "ab", "def"]


@settings(max_examples=60)
@given(st.data())
def test_the_steps_end_with_the_merge_and_both_evaluations_have_the_same(data: Any) -> None:
    nodes = data.draw(histories())
    value: Any = {
        "nodes": [
            {"id": each.id, "parents": sorted(each.parents), "state": sorted(each.state)}
            for each in nodes
        ],
        "merge": sorted(data.draw(anti_chains(nodes))),
    }
    merge = SYSTEM.operation("history-merge/merge")
    listing = SYSTEM.steps_operation("history-merge/merge")
    assert merge is not None
    assert listing is not None
    merged, listed = merge.run(value, "document"), listing.run(value, "document")
    assert isinstance(merged, Output)
    assert isinstance(listed, Output)
    assert listing.answer_second(value, "document") == listed
    steps: Any = listed.value["steps"]
    assert steps[-1]["state"] == merged.value["state"]
    sets = [frozenset(each["nodes"]) for each in steps if each["step"] == "order"]
    assert len(sets) == len({*sets})
