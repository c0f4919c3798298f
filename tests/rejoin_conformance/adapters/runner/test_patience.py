"""A run ends after its limit of failures, or of breaks in a row; a known failure never counts."""

from __future__ import annotations

from collections.abc import Iterable

from rejoin_conformance.adapters.runner.cases import Outcome, Verdict
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.adapters.runner.pool import GaveUpError, Patience
from support.toy_runs import HELLO
from support.toy_system import toy_cases

CASES = toy_cases(HELLO)


def outcomes(*verdicts: Verdict) -> list[Outcome]:
    cases = zip(CASES, verdicts, strict=False)
    return [Outcome(case=case, verdict=verdict) for case, verdict in cases]


def taken(patience: Patience, given: Iterable[Outcome]) -> int:
    """Return the number of outcomes that the run had when it ended."""
    for number, outcome in enumerate(given, start=1):
        try:
            patience.take(outcome)
        except GaveUpError:
            return number
    return 0


def test_requests_in_a_row_without_a_reply_end_the_run() -> None:
    given = outcomes("timeout", "crash", "protocol-error")
    assert taken(Patience(max_timeouts=2), given) == 2
    assert taken(Patience(max_timeouts=3), given) == 3
    assert taken(Patience(max_timeouts=4), given) == 0
    assert taken(Patience(max_timeouts=0), 20 * given) == 0


def test_after_a_reply_only_timeouts_make_a_row_and_a_wrong_answer_ends_it() -> None:
    given = outcomes("pass", "crash", "crash", "timeout", "timeout")
    assert taken(Patience(max_timeouts=2), given) == 5
    given = outcomes("timeout", "fail", "timeout", "not-declared", "timeout")
    assert taken(Patience(max_timeouts=2), given) == 5


def test_failures_of_every_kind_count_and_a_corrected_one_does_not() -> None:
    first, second, third = outcomes("fail", "crash", "protocol-error")
    (passed,) = outcomes("pass")
    assert taken(Patience(max_failures=3), [first, second, third]) == 3
    assert taken(Patience(max_failures=3), [first, second, passed, third]) == 0
    assert taken(Patience(max_failures=2), [first, first, second]) == 3


def test_a_known_failure_is_expected_and_does_not_count() -> None:
    entries = [KnownFailure(id=each.vector.id, reason="slow", link="") for each in CASES]
    given = outcomes("timeout", "timeout", "timeout")
    patience = Patience(known=KnownFailures(tuple(entries)), max_failures=1, max_timeouts=1)
    assert taken(patience, given) == 0
