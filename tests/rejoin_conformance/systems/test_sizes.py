"""Large profiles and large vectors: they have the sizes that the pages of sizes list."""

from __future__ import annotations

import re

import pytest

from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.locations import spec_directory
from support.spreads import HERE

LARGEST = 1_000_000


@pytest.mark.parametrize("system", system_names())
def test_the_page_of_sizes_names_vectors_that_exist_and_each_kind_of_vector(system: str) -> None:
    """The page names the largest vector of a kind. Names of a kind differ only in numbers."""
    page = (spec_directory() / system / "sizes.md").read_text(encoding="utf-8")
    named = {f"{system}/{name}" for name in re.findall(r"`([a-z-]+/[a-z0-9-]+)`", page)}
    sizes = {vector.id: len(canonical_json(vector.to_json())) for vector in load_system(system)}
    assert named
    assert named <= {*sizes}
    assert max(sizes.values()) <= LARGEST
    if system != "history-merge":  # its own test is stricter
        kinds = {re.sub(r"\d+", "N", name) for name in named}
        of_sizes = {name for name in sizes if name.startswith(f"{system}/sizes/")}
        assert {re.sub(r"\d+", "N", name) for name in of_sizes} <= kinds


def _largest(system: str, profile: str, shape: str, histories: int) -> int:
    """Return the largest size of a shape in the first histories of a profile."""
    reading = system_named(system).default_reading
    plan = Plan(system=system, profile=profile, readings=(reading,), seed=1, histories=histories)
    keys = run_campaign(plan, HERE).counts(reading, "coverage")
    sizes = (re.fullmatch(rf"shape:{shape}:(?:\d+-)?(\d+)", key) for key in keys)
    return max(int(size[1]) for size in sizes if size)


@pytest.mark.parametrize(
    ("system", "shape", "size"),
    [
        ("config-merge", "depth", 30),
        ("config-merge", "messages", 120),
        ("conflict-detection", "walk", 50),
        ("history-merge", "heads", 40),
    ],
)
def test_large_histories_reach_sizes_that_default_ones_do_not(
    system: str, shape: str, size: int
) -> None:
    assert _largest(system, "large", shape, 2) >= size
    assert _largest(system, "default", shape, 40) < size
