"""Hypothesis strategies for application data."""

from __future__ import annotations

from hypothesis import strategies as st

scalars = st.integers(-(2**63), 2**63 - 1) | st.binary(max_size=8)
few_scalars = st.integers(0, 2) | st.sampled_from([b"", b"-", b"a"])
keys = st.binary(max_size=4)
few_keys = st.sampled_from([b"", b"a", b"b"])


def _dicts(
    keys: st.SearchStrategy[bytes], scalars: st.SearchStrategy[int | bytes]
) -> st.SearchStrategy[dict[bytes, object]]:
    leaves: st.SearchStrategy[object] = scalars | st.frozensets(scalars, min_size=1, max_size=4)
    return st.recursive(
        st.dictionaries(keys, leaves, max_size=4),
        lambda inner: st.dictionaries(keys, leaves | inner.filter(bool), max_size=4),
        max_leaves=12,
    )


dicts = _dicts(keys, scalars)
"""Data of every kind."""

alike_dicts = _dicts(few_keys, few_scalars)
"""Data with so few keys and values that two draws often have much in common."""
