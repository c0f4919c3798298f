"""Each vector of the corpus as a pytest item. `pytest_plugin` registers `Vectors` on demand.

The runner of `rejoin run` runs all items when pytest reaches the first one, so their verdicts are
the same. Known failures are strict expected failures. Vectors that the adapter does not declare are
skipped. A session that ran no vector fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.adapters.results.records import record
from rejoin_conformance.adapters.results.summary import summarise
from rejoin_conformance.adapters.runner.cases import Case, Outcome, with_feature
from rejoin_conformance.adapters.runner.pool import GaveUpError, Patience, run_cases
from rejoin_conformance.adapters.runner.run_plan import RunPlan, make_plan
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.errors import ExpectedError

_ADAPTER_UNUSABLE: Final = 4


class Vectors:
    """The hooks of one session, and the outcomes of its items."""

    plan: RunPlan
    gave_up: GaveUpError | None = None
    outcomes: dict[tuple[str, str], Outcome] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Add an item for each case before pytest deselects items."""
        self.plan = _plan(PytestRun.of(config))
        corpus = _Corpus.from_parent(session, name="rejoin", nodeid="rejoin")
        for case in self.plan.cases:
            name = f"{case.vector.id}[{case.reading}]"
            item = _VectorItem.from_parent(corpus, name=name, case=case, run=self)
            item.add_marker("rejoin")
            known = self.plan.configuration.known.of(*case.key)
            if known is not None:
                reason = f"{known.reason} ({known.link})"
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
            items.append(item)

    def outcome(self, session: pytest.Session, case: Case) -> Outcome | None:
        """Return the outcome of a case. The first call runs all items of the session."""
        if self.outcomes is None:
            found = self.outcomes = {}
            patience = Patience(known=self.plan.configuration.known)

            def deliver(outcome: Outcome) -> None:
                found[outcome.case.key] = outcome
                patience.take(outcome)

            cases = [item.case for item in session.items if isinstance(item, _VectorItem)]
            plan = self.plan
            try:
                run_cases(plan.adapter, plan.hello, cases, deliver, plan.options.jobs)
            except AdapterUnusableError as error:
                pytest.exit(f"rejoin: {error}", returncode=_ADAPTER_UNUSABLE)
            except GaveUpError as error:
                self.gave_up = error
        return self.outcomes.get(case.key)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which no vector was run, or that lacks a part of a profile."""
        if not self.outcomes:
            return
        summary = summarise(map(record, self.outcomes.values()), self.plan.configuration)
        wanted = summary.configuration.conformance
        if (wanted or not summary.exercised) and summary.why_incomplete:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            reporter = session.config.pluginmanager.get_plugin("terminalreporter")
            if reporter is not None:
                reporter.write_line(f"\nrejoin: {summary.why_incomplete}", red=True)


class _Corpus(pytest.Collector):
    """The parent of all vectors in pytest's tree."""

    def collect(self) -> list[pytest.Item]:
        """Return no items: `pytest_collection_modifyitems` adds them."""
        return []


class _VectorItem(pytest.Item):
    """One vector in one reading."""

    def __init__(self, *, case: Case, run: Vectors, **others: Any) -> None:
        super().__init__(**others)
        self.case = case
        self.run = run

    def runtest(self) -> None:
        """Report the verdict. The first item runs the runner for all items."""
        outcome, vector = self.run.outcome(self.session, self.case), self.case.vector
        if outcome is not None and outcome.verdict == "not-declared":
            lacks = with_feature(self.case.operation.name, outcome.missing)
            pytest.skip(f"the adapter does not declare {lacks}")
        why = ""
        if outcome is None:
            why = f"not run: {self.run.gave_up}"
        elif outcome.verdict != "pass":
            why = f"{outcome.verdict}: {outcome.explanation}"
        elif outcome.restarted and not self.run.plan.options.allow_restarts:
            why = f"restart: answered only alone: {outcome.first_attempt}"
        if outcome is not None and outcome.stderr:
            self.add_report_section("call", "stderr of the adapter", outcome.stderr)
        if why:
            clauses = ", ".join(vector.clauses)
            said = f"{vector.level.upper()} {clauses}\n{vector.summary}\n{why}"
            pytest.fail(said, pytrace=False)  # a traceback would show only this module

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the corpus file of the vector, for reports that name a file."""
        path = Path("vectors") / self.case.vector.system / f"{self.case.vector.topic}.json"
        return path, None, self.name


def _plan(run: PytestRun) -> RunPlan:
    """Return the run that the options describe. Raises pytest.UsageError if they are wrong."""
    try:
        systems = tuple(map(system_named, run.systems))
        return make_plan(run.adapter or "", systems, run.selection, run.options)
    except KeyError as error:
        why = f"there is no system {error}; choose one of {', '.join(system_names())}"
        raise pytest.UsageError(f"rejoin: {why}") from None
    except ExpectedError as error:
        raise pytest.UsageError(f"rejoin: {error}") from None
