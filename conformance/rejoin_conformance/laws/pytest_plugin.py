"""`pytest --rejoin-adapter CMD --rejoin-laws` makes the laws of each system a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
"""

from __future__ import annotations

import sys
from functools import partial

import pytest

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.errors import ExpectedError

_ASKED = pytest.StashKey[int]()
"""The number of answers that a session compared."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that puts the laws in the place of the vectors."""
    parser.getgroup("rejoin", "Rejoin conformance suite").addoption(
        "--rejoin-laws",
        action="store_true",
        help="Check the laws on random histories instead of the vectors (default: off)",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Put the laws in the place of the vectors if the session asks for them."""
    if config.getoption("--rejoin-laws"):
        if config.getoption("--rejoin-adapter", None) is None:
            raise pytest.UsageError("--rejoin-laws needs --rejoin-adapter")
        config.addinivalue_line("markers", "rejoin_laws: the laws of a system")
        config.pluginmanager.unregister(name="rejoin-items")
        config.stash[_ASKED] = 0


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add an item for each system."""
    if _ASKED in session.config.stash:
        run = PytestRun.of(session.config)
        for name in run.systems or system_names():
            check = partial(_check, session.config, run, name)
            item = pytest.Function.from_parent(session, name=f"laws of {name}", callobj=check)
            item.add_marker("rejoin_laws")
            items.append(item)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session in which nothing was asked."""
    if not session.config.stash.get(_ASKED, 1) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _check(config: pytest.Config, run: PytestRun, name: str) -> None:
    """Hold the adapter to the laws of a system."""
    from rejoin_conformance.adapters.runner.run_plan import make_adapter  # noqa: PLC0415 - see above
    from rejoin_conformance.laws.running import held_to_the_laws  # noqa: PLC0415 - see above

    try:
        adapter = make_adapter(run.adapter or "", run.options.limits)
        (asking,) = held_to_the_laws(adapter, adapter.greet(), [system_named(name)])
    except ExpectedError as error:
        pytest.exit(f"rejoin: {error}", returncode=error.code)
    config.stash[_ASKED] += asking.asked.total()
    for title, counted in (("answers compared", asking.asked), ("left out", asking.left_out)):
        lines = [f"{number:8,}  {law}\n" for law, number in sorted(counted.items())]
        sys.stdout.write(f"{title}:\n{''.join(lines)}")
    if asking.broken is not None:
        pytest.fail(str(asking.broken), pytrace=False)
    if not asking.asked:
        pytest.skip(f"the adapter does not declare {', '.join(asking.left_out)}")
