"""`pytest --rejoin-adapter CMD --rejoin-laws` makes the laws of each system a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
"""

from __future__ import annotations

import sys
from functools import partial

import pytest
from attrs import define

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import ExpectedError


def pytest_configure(config: pytest.Config) -> None:
    """Register the items if the session asks for the laws."""
    if config.getoption("--rejoin-laws", default=False):
        config.addinivalue_line("markers", "rejoin_laws: the laws of a system")
        config.pluginmanager.register(Laws(PytestRun.of(config)))


@define(eq=False)
class Laws:
    """The hooks of one session. compared: the number of answers that it compared."""

    run: PytestRun
    compared: int = 0

    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add an item for each system."""
        for name in self.run.systems or system_names():
            check = partial(self.check, system_named(name))
            item = pytest.Function.from_parent(session, name=f"laws of {name}", callobj=check)
            item.add_marker("rejoin_laws")
            items.append(item)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which nothing was asked."""
        if not self.compared and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def check(self, system: System) -> None:
        """Hold the adapter to the laws of a system."""
        from rejoin_conformance.adapters.runner.run_plan import make_adapter  # noqa: PLC0415
        from rejoin_conformance.laws.machine import held_to_the_laws  # noqa: PLC0415

        try:
            adapter = make_adapter(self.run.adapter or "", self.run.options.limits)
            asking = held_to_the_laws(adapter, adapter.greet(), system)
        except ExpectedError as error:
            pytest.exit(f"rejoin: {error}", returncode=error.code)
        self.compared += asking.asked.total()
        for title, counted in (("answers compared", asking.asked), ("left out", asking.left_out)):
            lines = [f"{number:8,}  {law}\n" for law, number in sorted(counted.items())]
            sys.stdout.write(f"{title}:\n{''.join(lines)}")
        if asking.broken is not None:
            pytest.fail(str(asking.broken), pytrace=False)
        if not asking.asked:
            pytest.skip(f"the adapter does not declare {', '.join(asking.left_out)}")
