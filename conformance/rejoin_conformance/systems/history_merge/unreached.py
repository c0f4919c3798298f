"""The public functions of the history merge that no operation calls."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.unreached import Unreached

_MERGE: Final = "rejoin.history_merge.three_way_merge"
_INSTEAD: Final = f"override {_MERGE}.set_three_way_merge instead"
_STATES: Final = f"it states the document's definition for one element; {_INSTEAD}"
_COMPARED: Final = f"the laws compare the merge of sets with it; {_INSTEAD}"
_REASONS: Final = {
    "rejoin.history_merge.acceptance.session_of": "it builds a session from a list of nodes for "
    "users of the library; operations add nodes one by one with `Session.accept`",
    "rejoin.history_merge.reading.descending": "no vector uses this fold order; run with --reading "
    "document+fold_order=descending",
    "rejoin.history_merge.reading.merging_sets_by": "it makes the named readings once, when the "
    "reference is loaded; run with --reading document+set_merge=symmetric-difference",
    f"{_MERGE}.element_three_way_merge": _COMPARED,
    f"{_MERGE}.element_diff": _STATES,
    f"{_MERGE}.element_apply": _STATES,
    f"{_MERGE}.symmetric_set_three_way_merge": _COMPARED,
    f"{_MERGE}.set_three_way_merge_by_element": "it states the merge of sets element by element; "
    f"{_INSTEAD}",
    f"{_MERGE}.three_way_merge_by_diff": f"it states the definition by diff and apply; {_INSTEAD}",
}
_IN_HISTORIES: Final = ("descending", "element_three_way_merge", "symmetric_set_three_way_merge")
"""Those of them that random histories or their laws call."""

UNREACHED: Final = tuple(
    Unreached(name=name, reason=reason, histories=name.endswith(_IN_HISTORIES))
    for name, reason in _REASONS.items()
)
