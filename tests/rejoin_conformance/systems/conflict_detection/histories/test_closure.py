"""The follows relation as bit sets says the same as the reference's on every graph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.histories.closure import (
    Closure,
    classify_by_closure,
    extend_closure,
)


@given(st.lists(st.integers(min_value=0), max_size=9), st.data())
def test_the_bit_sets_say_the_same_as_the_graph(masks: list[int], data: st.DataObject) -> None:
    closure: Closure = ()
    dag: dict[int, tuple[int, ...]] = {}
    for version, mask in enumerate(masks):
        had = mask & ((1 << version) - 1)
        dag[version] = tuple(each for each in range(version) if had >> each & 1)
        closure = extend_closure(closure, had)
    if not dag:
        return
    ours = data.draw(st.none() | st.sampled_from(sorted(dag)))
    theirs = data.draw(st.sampled_from(sorted(dag)))
    expected = cd.desired_classification(dag, ours, theirs)
    assert classify_by_closure(closure, ours, theirs) is expected
