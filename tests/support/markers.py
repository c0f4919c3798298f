"""The markers of tests, derived from the fixtures and the path of a test.

`pyproject.toml` describes each marker. Tests set only the markers `long` and
`full_run` (see `full_runs.py`) themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Final

FIXTURES: Final = {"spark": "spark"}
"""Fixture -> the marker of every test that uses it."""

PATHS: Final = {
    "clusters/test_stores.py": "cluster",
    "clusters/test_yarn.py": "cluster",
    "clusters/test_kubernetes.py": "cluster",
    "ports/**": "ports",
    "peers/**": "programs",
    "releases/**": "programs",
    "test_contract_faults.py": "contracts",
    "test_contracts.py": "contracts",
    "laws/**": "search",
    "coq/test_definitions.py": "coq",
    "site/playground/**": "browser",
    "site/*.py": "site",
    "rejoin_conformance/campaigns/spark/**": "spark",
    "rejoin_conformance/model_checking/**": "tlc",
    "rejoin_conformance/command_line/model_checking/**": "tlc",
    "rejoin_conformance/systems/model/**": "tlc",
    "rejoin_conformance/adapters/doctor/**": "programs",
    "rejoin_conformance/adapters/runner/**": "programs",
    "rejoin_conformance/adapters/skeletons/**": "programs",
    "rejoin_conformance/adapters/test_pytest_plugin.py": "programs",
    "rejoin_conformance/command_line/adapters/**": "programs",
    "rejoin/history_merge/test_acceptance.py": "sizes",
    "rejoin/history_merge/test_graph.py": "sizes",
    "rejoin/history_merge/test_any_size.py": "sizes",
    "rejoin/history_merge/test_two_evaluations.py": "search",
    "rejoin_conformance/campaigns/test_adapter_block.py": "programs",
    "rejoin_conformance/campaigns/test_laws_by.py": "programs",
    "rejoin_conformance/campaigns/test_oracle.py": "programs",
    "rejoin_conformance/campaigns/test_profile_coverage.py": "search",
    "rejoin_conformance/campaigns/comparing/**": "search",
    "rejoin_conformance/campaigns/mutants/test_knockouts.py": "search",
    "rejoin_conformance/campaigns/findings/**": "search",
    "rejoin_conformance/command_line/campaigns/test_shrink.py": "search",
    "rejoin_conformance/shrinking/**": "search",
    "rejoin_conformance/systems/test_calls.py": "search",
    "rejoin_conformance/systems/*/exhaust/**": "search",
    "rejoin_conformance/systems/*/histories/**": "search",
    "rejoin_conformance/systems/test_laws.py": "search",
}
"""Pattern of a path below `tests/` -> the marker of every test there."""

OWN: Final = frozenset({*FIXTURES.values(), *PATHS.values(), "long", "full_run"})
"""Every marker that the project defines."""


REASONS: Final = ("cluster", "full_run", "long")
"""The markers for which a test can be left out of CI."""


def markers_of(path: PurePosixPath, fixtures: Iterable[str]) -> frozenset[str]:
    """Return the markers of a test.

    path: the path of its file below `tests/`. fixtures: the names of the fixtures that it uses.
    """
    return _of_path(path) | {FIXTURES[name] for name in fixtures if name in FIXTURES}


def left_out(
    deselected: Iterable[tuple[str, Iterable[str]]],
    described: Iterable[str],
    *,
    names: bool = False,
) -> Iterator[str]:
    """Yield lines about the tests that did not run: for each marker, how many tests have it.

    deselected: the name and the markers of each test that did not run. described: the markers as in
    `pyproject.toml`, each `name: description`. names: whether the names of the tests follow.
    """
    by_marker: dict[str, list[str]] = {}
    for test, markers in deselected:
        for marker in set(markers):
            by_marker.setdefault(marker, []).append(test)
    for line in described:
        marker, _, description = line.partition(": ")
        marker = marker.partition("(")[0]
        if marker in OWN and marker in by_marker:
            yield f"{len(by_marker[marker]):>6,} {marker:<10} {description}"
            if names and marker in REASONS:
                yield from (f"         {test}" for test in by_marker[marker])


@cache
def _of_path(path: PurePosixPath) -> frozenset[str]:
    return frozenset(marker for glob, marker in PATHS.items() if _fits(path, glob))


def _fits(path: PurePosixPath, pattern: str) -> bool:
    """Return whether a path matches: `*` is one folder, `**` at the end is everything below."""
    folder, everything, _ = pattern.partition("/**")
    if not everything:
        return len(path.parts) == pattern.count("/") + 1 and path.match(pattern)
    depth = folder.count("/") + 1
    above = PurePosixPath(*path.parts[:depth])
    return len(path.parts) > depth and above.match(folder)
