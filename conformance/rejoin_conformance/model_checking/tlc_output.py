"""Read the output of TLC in its tool mode: numbered messages, and the output of the model.

A message is between the lines `@!@!@STARTMSG 2110:1 @!@!@` and `@!@!@ENDMSG 2110 @!@!@`, where
1 is its severity. A message may contain another message. The lines outside all messages
are the output of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import Factory, define, field, frozen

from rejoin_conformance.kit.tla_values import TlaValueError, Value, parse_value

_MARK: Final = re.compile(
    r"@!@!@(?P<what>STARTMSG|ENDMSG) (?P<code>\d+)(?::(?P<severity>\d+))? @!@!@"
)

_STATS: Final = re.compile(r"([\d,]+) states generated(?:[^,]*), ([\d,]+) distinct states found")
_PROGRESS_IN_SIMULATION: Final = re.compile(r"([\d,]+) states generated")
_DEPTH: Final = re.compile(r"depth of the complete state graph search is (\d+)")
_VIOLATED: Final = re.compile(r"(?:Invariant|Action property|Property) (\w+) ")
_FINISHED: Final = re.compile(r"Finished in (?:(\d+)h )?(?:(\d+)min )?(?:(\d+)s|(\d+)ms)")
_STATE: Final = re.compile(r"(\d+): <(.*?)(?: line \d+.*)?>")
_VARIABLE: Final = re.compile(r"^(?:/\\ )?(\w+) = ", re.MULTILINE)

_STATE_CODES: Final = frozenset({2216, 2217})
_VIOLATIONS: Final = frozenset({2107, 2110, 2112, 2116, 2108})
_DEADLOCK: Final = 2114
_TEMPORAL: Final = 2116
_STARTS: Final = 2185
_NESTED_EXPRESSIONS: Final = 2103
_GRAVE: Final = frozenset({1, 2})
_PARSER_NOISE: Final = ("Parsing file ", "Semantic processing of module ", "Starting SANY")
_POSITION: Final = re.compile(r"Line (\d+), column \d+ to line \d+, column \d+ in (\w+)")


@frozen
class TraceState:
    """One state of a counterexample: the action that led to it, and the variables.

    A value that cannot be parsed is kept as text.
    """

    action: str
    variables: Mapping[str, Value]


@frozen(kw_only=True)
class TlcOutcome:
    """The outcome of a run of TLC.

    violated: the invariant or property that does not hold, `deadlock`, or None.
    error: why TLC could not finish its job, in one line, or None.
    trace: the states that lead to the violation.
    generated, distinct: numbers of states. depth: the depth of the search, 0 if TLC does not report
    it.
    milliseconds: how long TLC took, by its own clock.
    printed: the lines that the model printed.
    """

    violated: str | None = None
    error: str | None = None
    trace: tuple[TraceState, ...] = ()
    generated: int = 0
    distinct: int = 0
    depth: int = 0
    milliseconds: int = 0
    printed: tuple[str, ...] = Factory(tuple)

    @property
    def passed(self) -> bool:
        """Return whether TLC finished without an error or a violation."""
        return self.violated is None and self.error is None

    @property
    def fault(self) -> str:
        """Return why TLC did not pass, in one line."""
        return self.error or f"{self.violated} is violated"


@define
class _Message:
    code: int
    severity: int
    lines: list[str] = field(factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def read_output(lines: Iterable[str]) -> TlcOutcome:
    """Return the outcome from the lines of a run."""
    reading = _Reading()
    for line in lines:
        reading.line(line.rstrip("\n"))
    return reading.outcome()


@define
class _Reading:
    """The parser's state: the lines read so far."""

    open: list[_Message] = field(factory=list)
    errors: list[str] = field(factory=list)
    positions: list[str] = field(factory=list)
    parser: list[str] = field(factory=list)
    printed: list[str] = field(factory=list)
    trace: list[TraceState] = field(factory=list)
    violated: str | None = None
    finished: bool = False
    figures: dict[str, int] = field(factory=dict)

    def line(self, line: str) -> None:
        mark = _MARK.search(line)
        if mark is None:
            if self.open:
                self.open[-1].lines.append(line)
            elif line and not line.startswith(_PARSER_NOISE):
                self.printed.append(line)
        elif mark["what"] == "STARTMSG":
            self.open.append(_Message(int(mark["code"]), int(mark["severity"] or 0)))
        elif self.open:
            self._message(self.open.pop())

    def _message(self, message: _Message) -> None:
        code, text = message.code, message.text
        if code in _VIOLATIONS:
            found = _VIOLATED.match(text)
            temporal = code == _TEMPORAL
            self.violated = "temporal properties" if temporal or not found else found[1]
        elif code == _DEADLOCK:
            self.violated = "deadlock"
        elif code in _STATE_CODES:
            self.trace.append(_trace_state(text))
        elif code == _NESTED_EXPRESSIONS:
            self.positions += [f"{module}.tla, line {at}" for at, module in _POSITION.findall(text)]
        elif self.open and self.open[-1].severity in _GRAVE and text:
            self.errors.insert(0, _one_line(text))  # a nested message is more specific
        elif message.severity in _GRAVE and text and self.violated is None:
            self.errors.append(_one_line(text))
        elif code == _STARTS:
            self.parser, self.printed = self.printed, []
        self._figures(code, text)

    def _figures(self, code: int, text: str) -> None:
        stats = _STATS.search(text) or _PROGRESS_IN_SIMULATION.search(text)
        if stats is not None and code in {2199, 2200, 2209, 2210}:
            generated, *distinct = (int(each.replace(",", "")) for each in stats.groups())
            self.figures |= {"generated": generated, "distinct": (distinct or [0])[0]}
        depth = _DEPTH.search(text)
        if depth is not None:
            self.figures["depth"] = int(depth[1])
        finished = _FINISHED.search(text)
        if finished is not None:
            self.finished = True
            hours, minutes, seconds, thousandths = (int(each or 0) for each in finished.groups())
            whole = (hours * 60 + minutes) * 60 + seconds
            self.figures["milliseconds"] = whole * 1000 + thousandths

    def outcome(self) -> TlcOutcome:
        return TlcOutcome(
            violated=self.violated,
            error=None if self.violated is not None else self._error(),
            trace=tuple(self.trace),
            printed=tuple(self.printed),
            **self.figures,
        )

    def _error(self) -> str | None:
        if self.errors:
            where = f" ({self.positions[-1]})" if self.positions else ""
            parser = " ".join(self.parser) if "semantic analysis" in self.errors[0] else ""
            return f"{self.errors[0]} {_one_line(parser)}".strip()[:500] + where
        if not self.finished:
            said = self.printed[-1] if self.printed else "nothing"
            return f"TLC ended before it had finished; its last line was: {_one_line(said)[:300]}"
        return None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _trace_state(text: str) -> TraceState:
    head, _, body = text.partition("\n")
    named = _STATE.match(head)
    places = [*_VARIABLE.finditer(body)]
    ends = [each.start() for each in places[1:]] + [len(body)]
    variables = {
        place[1]: _value_or_text(body[place.end() : end])
        for place, end in zip(places, ends, strict=True)
    }
    return TraceState(named[2].strip() if named else head, variables)


def _value_or_text(text: str) -> Value:
    try:
        return parse_value(text)
    except TlaValueError:
        return text.strip()
