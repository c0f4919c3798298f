"""The profile `large` reaches sizes that the profile `default` does not reach."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rejoin_conformance.campaigns.profile_coverage import CoveragePlan, profile_coverage
from rejoin_conformance.contract.registry import system_named
from support.spreads import HERE


def _largest(system: str, profile: str, shape: str, histories: int) -> int:
    """Return the largest size of a shape in the first histories of a profile."""
    reading = system_named(system).default_reading
    plan = CoveragePlan(system=system, profiles=(profile,), reading=reading, histories=histories)
    report: Any = profile_coverage(plan, HERE)
    keys = report["profiles"][profile]["reached"]
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
