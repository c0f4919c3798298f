"""The ten steps of the doctor, from the start of the program to its end.

The later steps need the first four to succeed. Each step starts its own processes, so that a fault
in one does not hide faults in the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from textwrap import indent
from typing import Final, TypeAlias

from attrs import evolve

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.doctor import advice
from rejoin_conformance.adapters.doctor.advice import TroubleError
from rejoin_conformance.adapters.doctor.questions import Questions, questions_of
from rejoin_conformance.adapters.doctor.steps import (
    Examined,
    Finding,
    found,
    sentence,
    together,
    wrong,
)
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import (
    BYE_LINE,
    Hello,
    HelloError,
    Reply,
    ReplyError,
    hello_line,
    run_line,
)
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import DeclarationError, unknown_names
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.text import shown_line

_AT_ONCE: Final = 8
_MOMENT: Final = 0.1
"""Seconds to wait for an unexpected line."""
_TROUBLES: Final = 3
"""The number of broken operations after which the step stops: each can cost a timeout."""
_GREETING: Final = 4
"""The number of steps without which no later one can be tried."""
_FAULTS: Final = (
    AdapterUnusableError,
    DeclarationError,
    HelloError,
    NoLineError,
    ReplyError,
    TroubleError,
)
_UNASKED: Final[Finding] = ("not tried", "The adapter answered no operation.")

Step: TypeAlias = Callable[[Conversation], Iterator[Finding]]


def examine(adapter: Adapter, systems: Sequence[System]) -> Iterator[Examined]:
    """Yield each step when it is done. Steps that an earlier fault prevents are `not tried`."""
    doctor = _Doctor(adapter, systems)
    possible = True
    for number, (title, step) in enumerate(doctor.steps().items(), start=1):
        done = step() if possible else Examined(state="not tried")
        possible = possible and not (number <= _GREETING and done.state == "wrong")
        yield evolve(done, title=title)


class _Doctor:
    """The steps. A step can use the results of the previous ones.

    Each step has processes of its own, and yields its findings while it talks with one of them.
    """

    def __init__(self, adapter: Adapter, systems: Sequence[System]) -> None:
        self._adapter = adapter
        self._systems = systems
        self._hello: Hello
        self._questions: Questions
        self._sound: list[tuple[Case, str]] = []
        """The cases answered one at a time, each with the canonical text of the answer."""

    def steps(self) -> dict[str, Callable[[], Examined]]:
        """Return title -> step."""
        greeted: dict[str, Step] = {
            "It keeps the id of each request": self._ids,
            "It accepts several requests at once": self._at_once,
            "It rejects bad input": self._rejects,
            "It continues after an operation that it does not have": self._survives,
            "It ends at bye, and at the end of its input": self._ends,
        }
        return {
            "It starts": partial(self._tried, lambda _: iter(()), greeted=False),
            "It answers hello": partial(self._tried, self._answers_hello, greeted=False),
            "Its hello is well formed": partial(self._tried, self._is_well_formed, greeted=False),
            "It declares operations of the suite": self._declares,
            "It answers every operation that it declares": self._answers,
            **{title: partial(self._tried, step) for title, step in greeted.items()},
        }

    def _tried(self, step: Step, *, greeted: bool = True) -> Examined:
        """Return a step with the lines exchanged in its process. greeted: it follows the hellos."""
        talk = None
        try:
            with self._adapter.start(record=[]) as talk:
                if greeted:
                    self._greet(talk)
                    talk.record = []
                done = evolve(found([*step(talk)]), lines=tuple(talk.record or ()))
                if talk.hello is not None:
                    talk.end()
        except _FAULTS as error:
            done = wrong(error, talk)
        return done

    def _greet(self, talk: Conversation) -> None:
        """Exchange hellos with a later process."""
        if _hello_of(talk, "a later hello") != self._hello:
            raise TroubleError("its processes send different hellos", advice.SAME_HELLO)

    def _answers_hello(self, talk: Conversation) -> Iterator[Finding]:
        talk.send(hello_line())
        talk.line(talk.limits.hello)
        yield from ()

    def _is_well_formed(self, talk: Conversation) -> Iterator[Finding]:
        hello = self._hello = _hello_of(talk, "its hello")
        talk.record = []
        _hear_nothing(talk)
        operations, window = len(hello.operations), hello.max_in_flight
        said = f"It is {shown_line(hello.name)}; operations: {operations}, in flight: {window}."
        yield "ok", said

    def _declares(self) -> Examined:
        hello, known = self._hello, [each.name for one in self._systems for each in one.operations]
        findings: list[Finding] = [
            ("note", sentence(each)) for each in unknown_names(hello, self._systems)
        ]
        if not set(known) & set(hello.operations):
            hint = f"List the operations that you have in operations: {', '.join(known)}."
            none = TroubleError("the hello declares no operation of the suite", hint)
            return together([wrong(none), found(findings)])
        try:
            self._questions = questions_of(hello, self._systems)
        except DeclarationError as error:
            return wrong(error)
        for name, features in hello.without.items():
            if features and name in known:
                left_out = f"It leaves out {', '.join(features)} of {name}."
                findings.append(("ok", f"{left_out} Vectors that need one are not run."))
        return found(findings)

    def _answers(self) -> Examined:
        """Ask one vector of each operation in turn. Start a new process after a fault."""
        left = [*self._questions.accepted]
        parts: list[Examined] = []
        while left and sum(each.state == "wrong" for each in parts) < _TROUBLES:
            parts.append(self._tried(partial(self._in_turn, left)))
        rest: list[Finding] = [("ok", f"{case.operation.name}: not tried.") for case in left]
        if self._questions.without:
            names = ", ".join(self._questions.without)
            said = f"The corpus has no vector to ask of {names}."
            rest.append(("ok" if parts else "not tried", said))
        return together([*parts, found(rest)])

    def _in_turn(self, left: list[Case], talk: Conversation) -> Iterator[Finding]:
        """Ask the cases that are left until none is."""
        for number in range(1, len(left) + 1):
            case = left.pop(0)
            try:
                yield from self._answer(talk, number, case)
            except _FAULTS as error:
                error.add_note(f"{case.operation.name}: ")
                raise
        _hear_nothing(talk)

    def _answer(self, talk: Conversation, number: int, case: Case) -> Iterator[Finding]:
        """Ask one case and yield a note on a wrong answer."""
        name = case.operation.name
        reply = talk.ask(number, case.request(number))
        if reply.kind == "error":
            said = shown_line(reply.text) or "(no message)"
            why = f"it declares the operation but answers with an error: {said}"
            raise TroubleError(why, advice.UNDECLARE)
        self._sound.append((case, canonical_json(reply.to_json())))
        yield from _wrong_answer(case, reply, f"{name}: valid reply, but wrong answer")

    def _ids(self, talk: Conversation) -> Iterator[Finding]:
        for number in (7, 3, 1_000_000_007):
            for case, _ in self._sound[:1]:
                talk.ask(number, case.request(number))
        _hear_nothing(talk)
        yield from () if self._sound else (_UNASKED,)

    def _at_once(self, talk: Conversation) -> Iterator[Finding]:
        count = min(self._hello.max_in_flight, _AT_ONCE)
        if not self._sound or count == 1:
            one = "It accepts one request at a time (max_in_flight 1), which is allowed."
            yield ("ok", one) if self._sound else _UNASKED
            return
        asked = {number: self._sound[number % len(self._sound)] for number in range(1, count + 1)}
        talk.send(b"".join(case.request(number) for number, (case, _) in asked.items()))
        while asked:
            reply = talk.reply()
            if reply.number not in asked:
                why = f"it answered request {reply.number}, which is not pending"
                raise TroubleError(why, advice.KEEP_ID)
            case, alone = asked.pop(reply.number)
            _refuse_another(case, reply, alone, "from the answer to the same request alone")
        _hear_nothing(talk)
        yield "ok", f"{count} requests at once have the same answers as one at a time."

    def _rejects(self, talk: Conversation) -> Iterator[Finding]:
        if not self._questions.rejected:
            yield "not tried", "The corpus has no input that these operations must reject."
            return
        for number, case in enumerate(self._questions.rejected, start=1):
            name = case.operation.name
            reply = talk.ask(number, case.request(number))
            if reply.kind == "error":
                said = shown_line(reply.text) or "(no message)"
                why = f"{name}: it answers with an error for input that it must reject: {said}"
                raise TroubleError(why, advice.REJECT)
            yield from _wrong_answer(case, reply, name)
        _hear_nothing(talk)

    def _survives(self, talk: Conversation) -> Iterator[Finding]:
        systems = sorted({name.partition("/")[0] for name in self._hello.operations})
        name = f"{systems[0]}/no-such-operation"
        reply = talk.ask(1, run_line(1, name, "document", {}))
        if reply.kind != "error":
            why = f"it answers the unknown operation {name} with {reply.kind}"
            raise TroubleError(why, advice.UNKNOWN)
        for case, alone in self._sound[:1]:
            again = talk.ask(2, case.request(2))
            _refuse_another(case, again, alone, "after an unknown operation")
        _hear_nothing(talk)
        yield from ()

    def _ends(self, talk: Conversation) -> Iterator[Finding]:
        _end(talk, BYE_LINE, "after bye")
        with self._adapter.start() as second:
            self._greet(second)
            second.record = talk.record
            _end(second, b"", "at the end of its input")
        yield from ()


def _end(talk: Conversation, last_line: bytes, when: str) -> None:
    """Ask a process to end. Raises TroubleError unless its end is clean."""
    said = talk.end(last_line)
    if said:
        raise TroubleError(f"it writes a line {when}", advice.LOG_ELSEWHERE)
    if talk.bad_end is not None:
        raise TroubleError(f"{when}, {talk.bad_end}", advice.END)


def _hello_of(talk: Conversation, what: str) -> Hello:
    """Exchange hellos. what: the hello in the words of an error."""
    try:
        return talk.exchange_hellos()
    except HelloError as error:
        raise HelloError(f"{what} is invalid: {error}") from None


def _hear_nothing(talk: Conversation) -> None:
    """Raise TroubleError if a line comes without a request, and NoLineError at the end."""
    try:
        talk.line(_MOMENT)
    except NoLineError as error:
        if error.verdict == "timeout":
            return
        raise
    why = "it wrote a line without a request"
    raise TroubleError(why, advice.ANSWER_ONCE, advice.LOG_ELSEWHERE)


def _wrong_answer(case: Case, reply: Reply, heading: str) -> Iterator[Finding]:
    """Yield a note under a heading if an answer is wrong."""
    outcome = judge(case, reply)
    if outcome.verdict != "pass":
        why = indent(outcome.explanation, "  ")
        yield "note", f"{heading} (vector {case.vector.id}):\n{why}"


def _refuse_another(case: Case, reply: Reply, alone: str, than: str) -> None:
    """Raise TroubleError if an answer is another one than before. than: how it is asked now."""
    if canonical_json(reply.to_json()) != alone:
        why = f"its answer to {case.operation.name} differs {than}"
        raise TroubleError(why, advice.STATELESS)
