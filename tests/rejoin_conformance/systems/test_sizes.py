"""Each system has vectors of every size that its page lists, and a page with all of them."""

from __future__ import annotations

import re

import pytest

from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.locations import spec_directory

SYSTEMS = ("config-merge", "conflict-detection", "history-merge")
LARGEST = 1_000_000


def _page(system: str) -> str:
    return (spec_directory() / system / "sizes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_names_only_vectors_that_exist(system: str) -> None:
    ids = {vector.id for vector in load_system(system)}
    named = {f"{system}/{name}" for name in re.findall(r"`([a-z-]+/[a-z0-9-]+)`", _page(system))}
    assert named
    assert named - ids == set()


@pytest.mark.parametrize("system", ["config-merge", "conflict-detection"])
def test_the_page_names_each_kind_of_vector_of_sizes(system: str) -> None:
    """The page names the largest vector of a kind. Names of a kind differ only in numbers."""
    kinds = {re.sub(r"\d+", "N", name) for name in re.findall(r"`(sizes/[^`]+)`", _page(system))}
    missing = {
        vector.id
        for vector in load_system(system)
        if vector.topic == "sizes"
        and re.sub(r"\d+", "N", vector.id.removeprefix(f"{system}/")) not in kinds
    }
    assert missing == set()


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_vector_of_the_corpus_is_larger_than_1_mb(system: str) -> None:
    sizes = {vector.id: len(canonical_json(vector.to_json())) for vector in load_system(system)}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}
