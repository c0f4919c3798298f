"""The public functions of the history merge that no operation calls."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.unreached import Unreached

_MERGE: Final = "rejoin.history_merge.three_way_merge"
_INSTEAD: Final = f"override {_MERGE}.set_three_way_merge instead"

UNREACHED: Final = (
    Unreached(
        name="rejoin.history_merge.acceptance.session_of",
        reason="it builds a session from a list of nodes for users of the library; operations add "
        "nodes one by one with `Session.accept`",
    ),
    Unreached(
        name="rejoin.history_merge.reading.descending",
        reason="no vector uses this fold order; run with --reading document+fold_order=descending",
        histories=True,
    ),
    Unreached(
        name="rejoin.history_merge.reading.merging_sets_by",
        reason="it makes the named readings once, when the reference is loaded; run with "
        "--reading document+set_merge=symmetric-difference",
    ),
    Unreached(
        name=f"{_MERGE}.element_three_way_merge",
        reason=f"the laws compare the merge of sets with it; {_INSTEAD}",
        histories=True,
    ),
    Unreached(
        name=f"{_MERGE}.element_diff",
        reason=f"it states the document's definition for one element; {_INSTEAD}",
    ),
    Unreached(
        name=f"{_MERGE}.element_apply",
        reason=f"it states the document's definition for one element; {_INSTEAD}",
    ),
    Unreached(
        name=f"{_MERGE}.symmetric_set_three_way_merge",
        reason=f"the laws compare the merge of sets with it; {_INSTEAD}",
        histories=True,
    ),
    Unreached(
        name=f"{_MERGE}.set_three_way_merge_by_element",
        reason=f"it states the merge of sets element by element; {_INSTEAD}",
    ),
    Unreached(
        name=f"{_MERGE}.three_way_merge_by_diff",
        reason=f"it states the definition by diff and apply; {_INSTEAD}",
    ),
)
