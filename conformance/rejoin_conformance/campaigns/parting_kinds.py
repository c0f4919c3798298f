"""The kind of a difference, with the first step at which an adapter goes another way.

Two wrong outputs can differ at one place for different reasons. If the adapter declares the
operation that lists the steps, it is asked for the steps of each wrong output, and the kind names
the first step of the reference that the adapter does not take. The answers to these questions are
never differences themselves.
"""

from __future__ import annotations

from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.campaigns.difference_kind import kind_of
from rejoin_conformance.contract.step import steps_in


def parting_kind(outcome: Outcome, asked: StepsAsked) -> str:
    """Return the kind of a difference, as `OPERATION FAULT MORE, at step TYPE CLAUSE`.

    The last part is missing if the adapter lists no steps. asked: the adapter.
    """
    kind = kind_of(outcome)
    parting = _parting(outcome, asked) if outcome.fault == "wrong-output" else ""
    return f"{kind}{AT_STEP}{parting}" if parting else kind


def _parting(outcome: Outcome, asked: StepsAsked) -> str:
    """Return the first step that differs, as `TYPE CLAUSE`; empty if the adapter tells none."""
    told = asked.told(outcome.case)
    if told is None or told.observed is None:
        return ""
    if told.parting is None:
        return "none (its steps are those of the reference)"
    steps = steps_in(told.expected)
    if told.parting >= len(steps):
        return "beyond the last one"
    return f"{steps[told.parting]['step']} {steps[told.parting]['clause']}"
