"""Each vector of the corpus as a pytest item. `pytest_plugin` registers this module on demand.

The runner of `rejoin run` runs all items when pytest reaches the first one, so their verdicts are
the same. Known failures are strict expected failures. Vectors that the adapter does not declare are
skipped. A session that ran no vector fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.cases import Case, Selection
from rejoin_conformance.adapters.runner.declared import DeclarationError
from rejoin_conformance.adapters.runner.known_failures import KnownFailuresError
from rejoin_conformance.adapters.runner.patience import GaveUpError, Patience
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
_GAVE_UP: Final = pytest.StashKey[GaveUpError]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add an item for each case before pytest deselects items."""
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
    """Fail a session in which no vector was run."""
    outcomes = session.config.stash.get(_OUTCOMES, {})
    if outcomes and all(each.verdict == "not-declared" for each in outcomes.values()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line("")
            reporter.write_line(
                "rejoin: the adapter declares none of the selected operations", red=True
            )


class Corpus(pytest.Collector):
    """The parent of all vectors in pytest's tree."""

    def collect(self) -> list[pytest.Item]:
        """Return no items: `pytest_collection_modifyitems` adds them."""
        return []


class VectorFailure(Exception):  # noqa: N818 - pytest shows the name to people
    """A vector whose verdict is a failure."""


class VectorItem(pytest.Item):
    """One vector in one reading."""

    def __init__(self, *, case: Case, **others: Any) -> None:
        super().__init__(**others)
        self.case = case

    def runtest(self) -> None:
        """Report the verdict. The first item runs the runner for all items."""
        outcome = _outcomes(self.session).get(self.case.key)
        if outcome is None:
            raise VectorFailure(f"not run: {self.session.config.stash[_GAVE_UP]}")
        if outcome.verdict == "not-declared":
            feature = f" with {outcome.missing}" if outcome.missing else ""
            pytest.skip(f"the adapter does not declare {self.case.operation.name}{feature}")
        if outcome.stderr:
            self.add_report_section("call", "stderr of the adapter", outcome.stderr)
        if outcome.verdict != "pass":
            raise VectorFailure(f"{outcome.verdict}: {outcome.explanation}")
        if outcome.restarted and not self.config.getoption("--rejoin-allow-restarts"):
            raise VectorFailure(f"restart: answered only alone: {outcome.first_attempt}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the explanation without a traceback, which would show only this module."""
        if not isinstance(excinfo.value, VectorFailure):
            return super().repr_failure(excinfo, style)
        vector = self.case.vector
        clauses = ", ".join(vector.clauses)
        return f"{vector.level.upper()} {clauses}\n{vector.summary}\n{excinfo.value}"

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the corpus file of the vector, for reports that name a file."""
        path = Path("vectors") / self.case.vector.system / f"{self.case.vector.topic}.json"
        return path, None, self.name


def _outcomes(session: pytest.Session) -> Outcomes:
    """Return the outcomes of all items of the session. The first call runs them."""
    stash = session.config.stash
    if _OUTCOMES not in stash:
        plan = stash[_PLAN]
        found: dict[tuple[str, str], Outcome] = {}
        patience = Patience(known=plan.known)

        def deliver(outcome: Outcome) -> None:
            found[outcome.case.key] = outcome
            patience.take(outcome)

        cases = [item.case for item in session.items if isinstance(item, VectorItem)]
        jobs = session.config.getoption("--rejoin-jobs")
        try:
            run_cases(plan.adapter, plan.hello, cases, deliver, jobs)
        except AdapterUnusableError as error:
            pytest.exit(f"rejoin: {error}", returncode=_ADAPTER_UNUSABLE)
        except GaveUpError as error:
            stash[_GAVE_UP] = error
        stash[_OUTCOMES] = found
    return stash[_OUTCOMES]


def _plan(config: pytest.Config) -> RunPlan:
    """Return the run that the options describe. Raises pytest.UsageError if they are wrong."""

    def values(name: str) -> tuple[str, ...]:
        return tuple(config.getoption(f"--rejoin-{name}"))

    for name in values("system"):
        if name not in system_names():
            raise pytest.UsageError(
                f"rejoin: there is no system {name!r}; choose one of {', '.join(system_names())}"
            )
    selection = Selection(
        systems=values("system"),
        operations=values("operation"),
        clauses=values("clause"),
        levels=values("level"),
        tiers=values("tier"),
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
        DeclarationError,
        KnownFailuresError,
        ValueError,
        WrongUsageError,
    ) as error:
        raise pytest.UsageError(f"rejoin: {error}") from None
