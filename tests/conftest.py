"""Settings for every test: Hypothesis, the markers, and the shared Spark session.

Hypothesis repeats the same examples and sets no deadline. Python looks for unreachable cycles of
objects less often than by default: all collected tests stay, and going through them took an eighth
of the processor time. They are not frozen (`gc.freeze`): `gc.get_objects` does not return frozen
functions, and mutants find the functions of the reference by it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

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

gc.set_threshold(20_000, 20, 20)

_TESTS: Final = Path(__file__).parent
_DESELECTED: Final = pytest.StashKey[list[list[str]]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test its markers."""
    place = _place_of(item.path)
    if place is not None:
        for name in sorted(markers_of(place, getattr(item, "fixturenames", ()))):
            item.add_marker(name)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note the markers of the tests that a run leaves out."""
    for item in items:
        markers = [marker.name for marker in item.iter_markers()]
        item.config.stash.setdefault(_DESELECTED, []).append(markers)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the tests that a worker process left out to the reporting process."""
    sent = getattr(session.config, "workeroutput", None)
    if sent is not None:
        sent["deselected"] = session.config.stash.get(_DESELECTED, [])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let one process run all tests that share a Spark session, and else the tests of a file."""
    if config.getoption("dist") != "loadfile":
        return None
    from support.parallel import SharedSessions

    return SharedSessions(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive the tests that a worker process left out; they are the same for each worker."""
    node.config.stash[_DESELECTED] = getattr(node, "workeroutput", {}).get("deselected", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of tests that the run left out, by marker."""
    config = terminalreporter.config
    markers = config.stash.get(_DESELECTED, [])
    if not markers:
        return
    terminalreporter.section("left out")
    for line in left_out(markers, config.getini("markers")):
        terminalreporter.write_line(line)


@cache
def _place_of(path: Path) -> PurePosixPath | None:
    """Return the path of a file below `tests/`; None if the file is elsewhere."""
    if not path.is_relative_to(_TESTS):
        return None
    return PurePosixPath(path.relative_to(_TESTS).as_posix())


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One embedded Spark session for all tests that need one; starting it takes seconds."""
    from rejoin_conformance.campaigns.spark.session import spark_session

    with spark_session("local[2]") as session:
        yield session


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes what commands print into the transcripts."""
    said = "write what commands print into tests/transcripts; then read the diff"
    parser.addoption("--update-transcripts", action="store_true", help=said)
