"""The outcome of a case: its verdict and its explanation."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from attrs import frozen

from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.json_types import JsonObject

Verdict: TypeAlias = Literal["pass", "fail", "crash", "timeout", "protocol-error", "not-declared"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
FAILURES: Final = frozenset({"fail", "crash", "timeout", "protocol-error"})
"""The verdicts that make an adapter not conformant."""
BREAKS: Final = FAILURES - {"fail"}
"""The verdicts without an answer. They end a process and take time."""

WRONG_REASON: Final = "wrong-reason"
Fault: TypeAlias = Literal[
    "", "wrong-output", "wrongly-accepted", "wrongly-rejected", "wrong-reason", "error"
]
"""The kind of a `fail`. `error` means that a declared operation answered with an error, and
`wrong-reason` that input was rejected, as it must be, but with another code."""


@frozen(kw_only=True)
class Outcome:
    """The verdict on a case.

    observed: the reply without its number; None if there was no reply.
    explanation: text for people, with the fault in the first line. Empty for `pass`.
    stderr: the end of standard error, for a failure. It varies from run to run.
    microseconds: the time from the request to the reply, including waiting. It varies.
    missing: the feature that the input needs and a declared operation leaves out, for
        `not-declared`.
    first_attempt: if the case was asked twice, how the first conversation broke. It can vary.
    restarted: whether the answer needed another process: the first one broke, and no case that
        breaks a process alone explains that. It can vary.
    """

    case: Case
    verdict: Verdict
    fault: Fault = ""
    observed: JsonObject | None = None
    explanation: str = ""
    missing: str = ""
    stderr: str = ""
    microseconds: int = 0
    first_attempt: str = ""
    restarted: bool = False

    @property
    def asked(self) -> Asked:
        """Return the question with both answers."""
        return Asked(
            operation=self.case.operation.name,
            reading=self.case.reading,
            input=self.case.vector.input,
            expected=self.case.expected,
            observed=self.observed,
        )
