"""The laws of each system as a pytest item. `pytest_plugin` registers `Laws` on demand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.laws.running import held_to_the_laws


class Laws:
    """The hooks of one session. asked: the number of answers that were compared."""

    asked = 0

    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Add an item for each system."""
        run, parent = (
            PytestRun.of(config),
            _Parent.from_parent(session, name="rejoin", nodeid="laws"),
        )
        for name in run.systems or system_names():
            item = _LawsItem.from_parent(parent, name=f"laws of {name}", run=run, laws=self)
            item.system = system_named(name)
            item.add_marker("rejoin_laws")
            items.append(item)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which nothing was asked."""
        if not self.asked and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


class _Parent(pytest.Collector):
    """The parent of the items in pytest's tree."""

    def collect(self) -> list[pytest.Item]:
        """Return no items: `pytest_collection_modifyitems` adds them."""
        return []


class _LawsItem(pytest.Item):
    """The laws of one system."""

    system: System

    def __init__(self, *, run: PytestRun, laws: Laws, **others: Any) -> None:
        super().__init__(**others)
        self.run, self.laws = run, laws

    def runtest(self) -> None:
        """Hold the adapter to the laws."""
        try:
            adapter = make_adapter(self.run.adapter or "", self.run.options.limits)
            (asking,) = held_to_the_laws(adapter, adapter.greet(), [self.system])
        except ExpectedError as error:
            pytest.exit(f"rejoin: {error}", returncode=error.code)
        self.laws.asked += asking.asked.total()
        for title, counted in (("answers compared", asking.asked), ("left out", asking.left_out)):
            lines = "\n".join(f"{number:8,}  {name}" for name, number in sorted(counted.items()))
            self.add_report_section("call", title, lines)
        if asking.broken is not None:
            raise asking.broken
        if not asking.asked:
            pytest.skip(f"the adapter does not declare {', '.join(asking.left_out)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return a LawBrokenError without a traceback, which would show only the machine."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the name of the item."""
        return Path("laws"), None, self.name
