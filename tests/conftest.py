"""Settings for every test: Hypothesis, the markers, and the shared Spark session.

Hypothesis repeats the same examples and sets no deadline. Python looks for unreachable cycles of
objects less often than by default: all collected tests stay, and going through them took an eighth
of the processor time. They are not frozen (`gc.freeze`): `gc.get_objects` does not return frozen
functions, and mutants find the functions of the reference by it.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from support import full_runs
from support.toy_command import forget_systems, install_toy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile(
    "suite",
    max_examples=30,
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
_SLOW: Final = (
    "coq/test_definitions.py",
    "laws/*",
    "peers/*",
    "ports/*",
    "rejoin/history_merge/test_any_size.py",
    "rejoin/history_merge/test_two_evaluations.py",
    "rejoin_conformance/adapters/doctor/*",
    "rejoin_conformance/adapters/runner/*",
    "rejoin_conformance/adapters/skeletons/*",
    "rejoin_conformance/adapters/test_pytest_plugin.py",
    "rejoin_conformance/campaigns/comparing/*",
    "rejoin_conformance/campaigns/findings/*",
    "rejoin_conformance/campaigns/mutants/test_knockouts.py",
    "rejoin_conformance/campaigns/spark/*",
    "rejoin_conformance/campaigns/test_adapter_block.py",
    "rejoin_conformance/campaigns/test_laws_by.py",
    "rejoin_conformance/campaigns/test_oracle.py",
    "rejoin_conformance/campaigns/test_profile_coverage.py",
    "rejoin_conformance/command_line/adapters/*",
    "rejoin_conformance/command_line/campaigns/test_shrink.py",
    "rejoin_conformance/command_line/model_checking/*",
    "rejoin_conformance/command_line/test_compare_page.py",
    "rejoin_conformance/model_checking/*",
    "rejoin_conformance/shrinking/*",
    "rejoin_conformance/systems/*/exhaust/*",
    "rejoin_conformance/systems/model/*",
    "rejoin_conformance/systems/test_calls.py",
    "rejoin_conformance/systems/test_laws.py",
    "releases/*",
    "site/*",
    "test_contract*.py",
)
"""The files whose tests are slow; those that use Spark are slow too. `*` is any text."""
_COLLECTED: Final = pytest.StashKey[Counter[str]]()
_PASSED: Final = pytest.StashKey[Counter[str]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a slow test."""
    is_slow = any(fnmatch(str(item.path), f"{_TESTS}/{pattern}") for pattern in _SLOW)
    if is_slow or "spark" in getattr(item, "fixturenames", ()):
        item.add_marker("slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the tests that only `--whole` runs; count the tests of each group in a whole run."""
    config.stash[_COLLECTED], config.stash[_PASSED] = Counter(), Counter()
    groups = [full_runs.group_of(item) for item in items]
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.stash[_COLLECTED].update(filter(None, groups))
    if config.getoption("whole"):
        return
    same = full_runs.unchanged(filter(None, groups))
    for item, group in zip(items, groups, strict=True):
        for reason in ("long", "cluster"):
            if item.get_closest_marker(reason):
                item.add_marker(pytest.mark.skip(reason=reason))
        if group in same:
            item.add_marker(pytest.mark.skip(reason=f"nothing that {group!r} reads has changed"))


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Count what passes of a group: the setup, the call and the teardown of each test."""
    group = full_runs.group_of(item)
    if group is not None:
        item.config.stash[_PASSED][group] += call.excinfo is None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Record the groups of which every test has run and passed."""
    config = session.config
    if config.getoption("whole") and _COLLECTED in config.stash:
        collected, passed = config.stash[_COLLECTED], config.stash[_PASSED]
        full_runs.record(group for group in collected if passed[group] == 3 * collected[group])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let one process run all tests that share a Spark session, and else the tests of a file."""
    if config.getoption("dist") != "loadfile":
        return None
    from support.parallel import SharedSessions

    return SharedSessions(config, log)


@pytest.fixture
def only_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the toy be the only system, with its corpus in a folder of the test."""
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    yield
    monkeypatch.undo()
    forget_systems()


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
    said = "run also the tests marked long, cluster and full_run; renew tests/full-runs.txt"
    parser.addoption("--whole", action="store_true", help=said)
