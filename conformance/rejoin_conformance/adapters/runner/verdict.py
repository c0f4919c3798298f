"""What comes of a case: its verdict, and everything that explains the verdict to a person."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from attrs import frozen

from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.kit.json_types import JsonObject

Verdict: TypeAlias = Literal["pass", "fail", "crash", "timeout", "protocol-error", "not-declared"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
FAILURES: Final = frozenset({"fail", "crash", "timeout", "protocol-error"})
"""The verdicts that make an adapter not conformant."""

Fault: TypeAlias = Literal["", "wrong-output", "wrongly-accepted", "wrongly-rejected", "error"]
"""What kind of `fail` it is: `error` is a declared operation that answers with an error."""


@frozen(kw_only=True)
class Outcome:
    """The verdict on a case.

    observed: the reply without its number, where there was one.
    explanation: for people; the first line says what happened. Empty for `pass`.
    stderr: the end of standard error, for a failure. It varies from run to run.
    microseconds: from the request to the reply, waiting included. It varies from run to run.
    first_attempt: how the conversation broke in which the case was asked first, where it was tried
        again alone. It may vary from run to run.
    """

    case: Case
    verdict: Verdict
    fault: Fault = ""
    observed: JsonObject | None = None
    explanation: str = ""
    stderr: str = ""
    microseconds: int = 0
    first_attempt: str = ""
