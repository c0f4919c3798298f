"""Set diffs and dict diffs that meet a value of another kind."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.apply_diff.applying import (
    Case,
    Parting,
    applied,
    parted,
)

MISMATCH = "CM-DIFF-APPLY-TYPE-MISMATCH"

REPLACED: tuple[Case, ...] = (
    (
        "adding-set-diff-meets-scalar",
        MISMATCH,
        {"k": 1},
        {"k": [[5], []]},
        {"k": [5]},
        {"k": [5]},
        "A set diff that adds replaces a scalar",
    ),
    (
        "adding-set-diff-meets-dict",
        MISMATCH,
        {"k": {"x": 1}},
        {"k": [[5], [6]]},
        {"k": [5]},
        {"k": [5]},
        "A set diff that adds and removes replaces a dict",
    ),
    (
        "scalar-replaced-by-dict",
        MISMATCH,
        {"k": 1},
        {"k": {"x": ""}},
        {"k": {"x": 2}},
        {"k": {"x": 2}},
        "A dict diff that assigns replaces a scalar",
    ),
    (
        "set-replaced-by-dict",
        MISMATCH,
        {"k": [1, "x"]},
        {"k": {"x": "", "y": "-"}},
        {"k": {"x": 2}},
        {"k": {"x": 2}},
        "A dict diff that assigns and removes replaces a set",
    ),
    (
        "scalar-replaced-by-deep-addition",
        MISMATCH,
        {"k": 1},
        {"k": {"a": {"b": [[7], []]}, "c": "-"}},
        {"k": {"a": {"b": [7]}}},
        {"k": {"a": {"b": [7]}}},
        "An addition at any depth of the diff is enough",
    ),
    (
        "assignment-without-value-meets-scalar",
        MISMATCH,
        {"k": 1, "z": 0},
        {"k": {"x": ""}},
        {"z": 0},
        {"z": 0},
        "The text of the diff decides: it assigns, so the scalar goes although no value is left",
    ),
    (
        "assignment-without-value-meets-set",
        MISMATCH,
        {"k": [1], "z": 0},
        {"k": {"a": {"x": ""}, "b": "-"}},
        {"k": {"c": 1}, "z": 0},
        {"z": 0},
        "The same with a set, and a source that has the dict",
    ),
    (
        "mismatch-inside-a-dict",
        MISMATCH,
        {"d": {"k": 1, "y": 2}},
        {"d": {"k": [[3], []]}},
        {"d": {"k": [3]}},
        {"d": {"k": [3], "y": 2}},
        "The same one level deeper",
    ),
)

REMOVALS: tuple[Parting, ...] = (
    (
        "removing-set-diff-meets-scalar",
        MISMATCH,
        {"k": 1},
        {"k": [[], [5]]},
        {"k": [6]},
        {"k": 1},
        {},
        "A set diff that only removes leaves a scalar alone",
    ),
    (
        "removing-set-diff-meets-dict",
        MISMATCH,
        {"k": {"x": 1}},
        {"k": [[], ["x"]]},
        {"k": [6]},
        {"k": {"x": 1}},
        {},
        "A set diff that only removes leaves a dict alone",
    ),
    (
        "removing-dict-diff-meets-scalar",
        MISMATCH,
        {"k": "v"},
        {"k": {"x": "-"}},
        {"k": {"y": 1}},
        {"k": "v"},
        {},
        "A dict diff that only removes leaves a scalar alone",
    ),
    (
        "removing-dict-diff-meets-set",
        MISMATCH,
        {"k": ["x"]},
        {"k": {"x": "-"}},
        {"k": {"y": 1}},
        {"k": ["x"]},
        {},
        "A dict diff that only removes leaves a set alone",
    ),
    (
        "removing-deep-diff-meets-scalar",
        MISMATCH,
        {"k": 1},
        {"k": {"a": {"b": "-"}, "s": [[], [1, 2]]}},
        {"k": {"c": 1}},
        {"k": 1},
        {},
        "Removals only, at several depths",
    ),
    (
        "removing-diff-meets-scalar-source-gone",
        MISMATCH,
        {"k": 1},
        {"k": [[], [5]]},
        {},
        {"k": 1},
        {},
        "The source has nothing there either",
    ),
    (
        "removing-diff-meets-scalar-inside",
        MISMATCH,
        {"d": {"k": 1, "z": 2}},
        {"d": {"k": {"x": "-"}}},
        {"d": {"k": {"y": 1}}},
        {"d": {"k": 1, "z": 2}},
        {"d": {"z": 2}},
        "The same one level deeper",
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Diffs that add or assign, then diffs that only remove."""
    return (*map(applied, REPLACED), *map(parted, REMOVALS))
