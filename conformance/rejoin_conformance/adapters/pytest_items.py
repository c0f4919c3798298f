"""Each vector of the corpus as a pytest item; `pytest_plugin` registers this where it is wanted.

The items are run by the same runner as `rejoin run`, all of them when the first one is due, so that
their verdicts are the same. Known failures are strict expected failures; what the adapter does not
declare is skipped, and a session that exercised nothing fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.cases import Case, Selection, UndeclaredReadingError
from rejoin_conformance.adapters.runner.known_failures import KnownFailuresError
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import (
    RunPlan,
    WrongUsageError,
    make_adapter,
    make_plan,
)
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.corpus.load import CorpusError

Outcomes: TypeAlias = Mapping[tuple[str, str], Outcome]

_ADAPTER_UNUSABLE: Final = 4
_PLAN: Final = pytest.StashKey[RunPlan]()
_OUTCOMES: Final = pytest.StashKey[Outcomes]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add an item for each case before pytest deselects any."""
    plan = _plan(config)
    config.stash[_PLAN] = plan
    corpus = Corpus.from_parent(session, name="rejoin", nodeid="rejoin")
    for case in plan.cases:
        item = VectorItem.from_parent(corpus, name=f"{case.vector.id}[{case.reading}]", case=case)
        item.add_marker("rejoin")
        known = plan.known.of(*case.key)
        if known is not None:
            reason = f"{known.reason} ({known.link})"
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
        items.append(item)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A session in which the adapter was asked nothing that it declares is not green."""
    outcomes = session.config.stash.get(_OUTCOMES, {})
    if outcomes and all(each.verdict == "not-declared" for each in outcomes.values()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line("")
            reporter.write_line("rejoin: the adapter declares none of the operations", red=True)


class Corpus(pytest.Collector):
    """The parent of all vectors in pytest's tree."""

    def collect(self) -> list[pytest.Item]:
        """Nothing: `pytest_collection_modifyitems` makes the items."""
        return []


class VectorFailure(Exception):  # noqa: N818 - pytest shows the name to people
    """A vector whose verdict is a failure."""


class VectorItem(pytest.Item):
    """One vector in one reading."""

    def __init__(self, *, case: Case, **others: Any) -> None:
        super().__init__(**others)
        self.case = case

    def runtest(self) -> None:
        """Show the verdict; the first item that is due has the runner find them all."""
        outcome = _outcomes(self.session)[self.case.key]
        if outcome.verdict == "not-declared":
            pytest.skip(f"the adapter does not declare {self.case.operation.name}")
        if outcome.stderr:
            self.add_report_section("call", "stderr of the adapter", outcome.stderr)
        if outcome.verdict != "pass":
            raise VectorFailure(f"{outcome.verdict}: {outcome.explanation}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The explanation without a traceback, which would only show this module."""
        if not isinstance(excinfo.value, VectorFailure):
            return super().repr_failure(excinfo, style)
        vector = self.case.vector
        clauses = ", ".join(vector.clauses)
        return f"{vector.level.upper()} {clauses}\n{vector.summary}\n{excinfo.value}"

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it stands, for reports that name a file: the corpus has one a topic."""
        path = Path("vectors") / self.case.vector.system / f"{self.case.vector.topic}.json"
        return path, None, self.name


def _outcomes(session: pytest.Session) -> Outcomes:
    """The outcomes of all items of the session, which are run when they are first asked for."""
    stash = session.config.stash
    if _OUTCOMES not in stash:
        plan = stash[_PLAN]
        found: dict[tuple[str, str], Outcome] = {}

        def deliver(outcome: Outcome) -> None:
            found[outcome.case.key] = outcome

        cases = [item.case for item in session.items if isinstance(item, VectorItem)]
        jobs = session.config.getoption("--rejoin-jobs")
        try:
            run_cases(plan.adapter, plan.hello, cases, deliver, jobs)
        except AdapterUnusableError as error:
            pytest.exit(f"rejoin: {error}", returncode=_ADAPTER_UNUSABLE)
        stash[_OUTCOMES] = found
    return stash[_OUTCOMES]


def _plan(config: pytest.Config) -> RunPlan:
    """The run that the options describe; a usage error of pytest where there is none."""

    def values(name: str) -> tuple[str, ...]:
        return tuple(config.getoption(f"--rejoin-{name}"))

    for name in values("system"):
        if name not in system_names():
            raise pytest.UsageError(f"rejoin: there is no system {name!r}")
    selection = Selection(
        systems=values("system"),
        operations=values("operation"),
        clauses=values("clause"),
        levels=values("level"),
        ids=values("id"),
        readings=values("reading"),
    )
    systems = tuple(system_named(name) for name in selection.systems) or all_systems()
    known = config.getoption("--rejoin-known-failures")
    try:
        limits = Limits(timeout=config.getoption("--rejoin-timeout"))
        adapter = make_adapter(config.getoption("--rejoin-adapter"), limits)
        return make_plan(adapter, systems, selection, None if known is None else Path(known))
    except (
        AdapterUnusableError,
        CorpusError,
        KnownFailuresError,
        UndeclaredReadingError,
        ValueError,
        WrongUsageError,
    ) as error:
        raise pytest.UsageError(f"rejoin: {error}") from None
