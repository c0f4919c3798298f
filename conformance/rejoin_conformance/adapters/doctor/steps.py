"""The result of one step of the doctor: what it found, how to fix it, and its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.adapters.conversation import Conversation
from rejoin_conformance.adapters.doctor.advice import advice_on
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.kit.document import Code, Fold

State: TypeAlias = Literal["wrong", "not tried", "note", "ok"]
"""`note`: allowed by the protocol, but worth a look."""

Finding: TypeAlias = tuple[State, str]
"""A sentence, and what it means for the step."""

_WORST_FIRST: Final[tuple[State, ...]] = ("wrong", "not tried", "note", "ok")
_LINES_KEPT: Final = 6


@frozen(kw_only=True)
class Examined:
    """The result of one step.

    findings: sentences on the findings, safe to print. advice: sentences on how to fix the adapter.
    lines: the lines sent and received, each after `->` or `<-`, safe to print.
    """

    state: State
    title: str = ""
    findings: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    def block(self, number: int, *, every_line: bool = False) -> Fold:
        """Return the step as a part of a document: its lines, the findings, and the advice."""
        said = [*self._lines(every_line=every_line), *self.findings]
        said += [f"FIX   {each}".replace("\n", "\n      ") for each in self.advice]
        text = indent("\n".join(said), "  ")
        title = f"{number:>2}  {self.state.upper():<9}  {self.title}"
        return Fold(title, [Code(text)] if said else [])

    def _lines(self, *, every_line: bool) -> Iterator[str]:
        """Yield the first lines of a step that succeeded, or the last lines of any other."""
        left_out = len(self.lines) - _LINES_KEPT
        if every_line or left_out <= 0:
            yield from self.lines
        elif self.state == "ok":
            yield from self.lines[:_LINES_KEPT]
            yield f"... and {left_out} more lines (--verbose)"
        else:
            yield f"... after {left_out} other lines (--verbose)"
            yield from self.lines[-_LINES_KEPT:]


def found(findings: Iterable[Finding]) -> Examined:
    """Return a step without a fault."""
    listed = [*findings]
    return Examined(state=_worst(listed), findings=tuple(said for _, said in listed))


def wrong(error: Exception, talk: Conversation | None = None) -> Examined:
    """Return a step that failed. talk: the conversation, if the fault is in one."""
    line, language = b"", None
    lines: tuple[str, ...] = ()
    findings = ["".join(getattr(error, "__notes__", ())) + sentence(_why(error))]
    if talk is not None:
        line, lines = talk.last, tuple(talk.record or ())
        language = None if talk.hello is None else talk.hello.language
        if isinstance(error, NoLineError) and error.verdict != "protocol-error" and talk.errors():
            quoted = indent(talk.errors(), "  | ", lambda _: True)
            findings.append(f"Its standard error ends:\n{quoted}")
    advice = advice_on(error, line, language)
    return Examined(state="wrong", findings=tuple(findings), advice=advice, lines=lines)


def together(parts: Sequence[Examined]) -> Examined:
    """Return several results as one, with the advice of the first that has any."""
    return Examined(
        state=_worst([(each.state, "") for each in parts]),
        findings=tuple(said for each in parts for said in each.findings),
        advice=next((each.advice for each in parts if each.advice), ()),
        lines=tuple(line for each in parts for line in each.lines),
    )


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def _worst(findings: Sequence[Finding]) -> State:
    return min((state for state, _ in findings), key=_WORST_FIRST.index, default="ok")


def _why(error: Exception) -> str:
    """Return what is wrong in the doctor's words."""
    if isinstance(error, NoLineError) and error.verdict == "crash":
        return f"no line came: {error}"
    if isinstance(error, NoLineError) and error.verdict == "timeout":
        only = f", only an incomplete one: {error.begun}" if error.begun else ""
        return f"no line came in time{only}"
    text = str(error).replace("the adapter cannot", "it cannot", 1)
    return f"it {text}" if text.startswith(("answered", "wrote")) else text
