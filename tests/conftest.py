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
from hypothesis.database import DirectoryBasedExampleDatabase

from support import full_runs
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
settings.register_profile(
    "nightly",
    parent=settings.get_profile("search"),
    max_examples=1200,
    database=DirectoryBasedExampleDatabase(".hypothesis/nightly"),
)
settings.load_profile("suite")

gc.set_threshold(20_000, 20, 20)

_TESTS: Final = Path(__file__).parent
_DESELECTED: Final = pytest.StashKey[list[tuple[str, list[str]]]]()
_RAN: Final = pytest.StashKey[dict[str, list[bool]]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test its markers."""
    place = _place_of(item.path)
    if place is not None:
        for name in sorted(markers_of(place, getattr(item, "fixturenames", ()))):
            item.add_marker(name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the groups of tests whose inputs did not change since they last ran whole."""
    wanted = config.getoption("full_runs")
    if wanted == "all":
        return
    same = full_runs.unchanged(items)
    out = [item for item in items if (full_runs.group_of(item) in same) == (wanted == "changed")]
    if out:
        items[:] = [item for item in items if item not in set(out)]
        config.hook.pytest_deselected(items=out)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note the names and markers of the tests that a run leaves out."""
    for item in items:
        markers = [marker.name for marker in item.iter_markers()]
        item.config.stash.setdefault(_DESELECTED, []).append((item.nodeid, markers))


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Note whether the tests of a group pass."""
    group = full_runs.group_of(item)
    if group is not None:
        ran = item.config.stash.setdefault(_RAN, {})
        ran.setdefault(group, []).append(call.excinfo is None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send what a worker process left out to the reporting process; record the full runs."""
    sent = getattr(session.config, "workeroutput", None)
    if sent is not None:
        sent["deselected"] = session.config.stash.get(_DESELECTED, [])
    if session.config.getoption("record_full_runs"):
        passed = session.config.stash.get(_RAN, dict[str, list[bool]]())
        full_runs.record(full_runs.passed_whole(session.config, passed))


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
    """Print the tests that the run left out, by marker: how many, or their names."""
    config = terminalreporter.config
    deselected = config.stash.get(_DESELECTED, [])
    if not deselected:
        return
    terminalreporter.section("left out")
    names = config.getoption("name_left_out")
    for line in left_out(deselected, config.getini("markers"), names=names):
        terminalreporter.write_line(line)


@cache
def _place_of(path: Path) -> PurePosixPath | None:
    """Return the path of a file below `tests/`; None if the file is elsewhere."""
    if not path.is_relative_to(_TESTS):
        return None
    return PurePosixPath(path.relative_to(_TESTS).as_posix())


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One embedded Spark session for all tests that need one; starting it takes seconds.

    It interprets plans and has few partitions: compiling code for small tables takes most of the
    processor time.
    """
    from rejoin_conformance.campaigns.spark.session import Cluster, spark_session

    settings = {
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    with spark_session(Cluster(master="local[2]", settings=settings)) as session:
        yield session


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the project's own tests."""
    said = "write what commands print into tests/transcripts; then read the diff"
    parser.addoption("--update-transcripts", action="store_true", help=said)
    said = "name each test that the run leaves out"
    parser.addoption("--name-left-out", action="store_true", help=said)
    said = "which tests marked full_run: those whose inputs changed, all, or the others alone"
    choices = ("changed", "all", "unchanged")
    parser.addoption("--full-runs", choices=choices, default="changed", help=said)
    said = "write tests/full-runs.txt (with --full-runs all, without -n)"
    parser.addoption("--record-full-runs", action="store_true", help=said)
