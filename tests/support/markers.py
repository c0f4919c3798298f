"""The markers of tests, derived from the fixtures and the path of a test.

`pyproject.toml` describes each marker. Tests set only the marker `long` themselves.
"""

from __future__ import annotations

from collections import Counter
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
    "rejoin_conformance/systems/*/model/**": "tlc",
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
    "rejoin_conformance/campaigns/test_profile_coverage.py": "search",
    "rejoin_conformance/campaigns/comparing/**": "search",
    "rejoin_conformance/campaigns/mutants/test_knockouts.py": "search",
    "rejoin_conformance/campaigns/findings/**": "search",
    "rejoin_conformance/command_line/campaigns/test_shrink.py": "search",
    "rejoin_conformance/command_line/campaigns/test_untried.py": "search",
    "rejoin_conformance/shrinking/**": "search",
    "rejoin_conformance/systems/test_calls.py": "search",
    "rejoin_conformance/systems/*/exhaust/**": "search",
    "rejoin_conformance/systems/*/histories/**": "search",
    "rejoin_conformance/systems/*/test_laws.py": "search",
}
"""Pattern of a path below `tests/` -> the marker of every test there."""

OWN: Final = frozenset({*FIXTURES.values(), *PATHS.values(), "long"})
"""Every marker that the project defines."""


def markers_of(path: PurePosixPath, fixtures: Iterable[str]) -> frozenset[str]:
    """Return the markers of a test.

    path: the path of its file below `tests/`. fixtures: the names of the fixtures that it uses.
    """
    return _of_path(path) | {FIXTURES[name] for name in fixtures if name in FIXTURES}


def left_out(deselected: Iterable[Iterable[str]], described: Iterable[str]) -> Iterator[str]:
    """Yield lines about the tests that did not run: for each marker, how many tests have it.

    deselected: the markers of each test that did not run. described: the markers as in
    `pyproject.toml`, each `name: description`.
    """
    counted = Counter(name for names in deselected for name in set(names))
    for line in described:
        name, _, description = line.partition(": ")
        if name in OWN and counted[name]:
            yield f"{counted[name]:>6,} {name:<10} {description}"


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
