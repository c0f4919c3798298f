"""What holds for every test: the settings of Hypothesis, the markers, and the shared Spark session.

Hypothesis repeats the same examples and sets no deadline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, settings

from support.markers import left_out, markers_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile(
    "suite",
    max_examples=60,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", parent=settings.get_profile("suite"), derandomize=False)
settings.load_profile("suite")

_TESTS: Final = Path(__file__).parent
_DESELECTED: Final = pytest.StashKey[list[pytest.Item]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test its markers."""
    if item.path.is_relative_to(_TESTS):
        place = PurePosixPath(item.path.relative_to(_TESTS).as_posix())
        for name in sorted(markers_of(place, getattr(item, "fixturenames", ()))):
            item.add_marker(name)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note the tests that a run leaves out."""
    for item in items:
        item.config.stash.setdefault(_DESELECTED, []).append(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the run left out: each marker with its number of tests."""
    config = terminalreporter.config
    items = config.stash.get(_DESELECTED, [])
    if not items:
        return
    terminalreporter.section("left out")
    markers = [[marker.name for marker in item.iter_markers()] for item in items]
    for line in left_out(markers, config.getini("markers")):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One embedded Spark session for all tests that need one; starting it takes seconds."""
    from rejoin_conformance.campaigns.spark.session import spark_session

    with spark_session("local[2]") as session:
        yield session
