"""The ten steps of the doctor, from the start of the program to its end.

The later steps need the first four to succeed. Each step starts its own processes, so that a fault
in one does not hide faults in the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import indent
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.conversation import Adapter, Conversation
from rejoin_conformance.adapters.doctor import advice
from rejoin_conformance.adapters.doctor.advice import TroubleError, advice_on, sentence, why_wrong
from rejoin_conformance.adapters.doctor.steps import WORST_FIRST, Examined, State
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
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, cases_of
from rejoin_conformance.adapters.runner.declared import DeclarationError, unknown_names
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
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
_UNASKED: Final = "The adapter answered no operation."


def examine(adapter: Adapter, systems: Sequence[System]) -> Iterator[Examined]:
    """Yield each step when it is done. Steps that an earlier fault prevents are `not tried`."""
    doctor = _Doctor(adapter, systems)
    possible = True
    for number, (title, step) in enumerate(doctor.steps().items(), start=1):
        done = doctor.tried(title, step) if possible else Examined(title=title, state="not tried")
        possible = possible and not (number <= _GREETING and done.state == "wrong")
        yield done


class _Doctor:
    """The steps. A step can use the results of the previous ones, and has processes of its own."""

    def __init__(self, adapter: Adapter, systems: Sequence[System]) -> None:
        self._adapter = adapter
        self._systems = systems
        self._hello: Hello
        self._accepted: Mapping[str, Case] = {}
        self._rejected: Mapping[str, Case] = {}
        self._sound: list[tuple[Case, str]] = []
        """The cases answered one at a time, each with the canonical text of the answer."""
        self._talk: Conversation | None = None
        self._lines: list[str] = []
        self._step = Examined(title="")
        """The last conversation of the step, what was said in all of them, and its result."""

    def steps(self) -> dict[str, Callable[[], None]]:
        """Return title -> step."""
        return {
            "It starts": self._starts,
            "It answers hello": self._answers_hello,
            "Its hello is well formed": self._is_well_formed,
            "It declares operations of the suite": self._declares,
            "It answers every operation that it declares": self._answers,
            "It keeps the id of each request": self._ids,
            "It accepts several requests at once": self._at_once,
            "It rejects bad input": self._rejects,
            "It continues after an operation that it does not have": self._survives,
            "It ends at bye, and at the end of its input": self._ends,
        }

    def tried(self, title: str, step: Callable[[], None]) -> Examined:
        """Return the result of a step. A fault that ends it comes first, with its advice."""
        self._talk, self._lines, self._step = None, [], Examined(title=title)
        try:
            step()
        except _FAULTS as error:
            before, self._step = self._step, Examined(title=title)
            self._note_fault(error)
            self._step = evolve(self._step, findings=(*self._step.findings, *before.findings))
        return evolve(self._step, lines=tuple(self._lines))

    def _note(self, state: State, text: str, advice: tuple[str, ...] = ()) -> None:
        """Note a sentence on what the step found, what it means for the step, and how to fix it."""
        step = self._step
        self._step = evolve(
            step,
            state=min(step.state, state, key=WORST_FIRST.index),
            findings=(*step.findings, text),
            advice=step.advice or advice,
        )

    def _note_fault(self, error: Exception, name: str = "") -> None:
        """Note what is wrong in the doctor's words. name: the operation that was asked."""
        talk, language, last = self._talk, None, b""
        if talk is not None:
            language, last = None if talk.hello is None else talk.hello.language, talk.last
        self._note("wrong", name + sentence(why_wrong(error)), advice_on(error, last, language))
        silent = isinstance(error, NoLineError) and error.verdict != "protocol-error"
        if talk is not None and silent and talk.errors():
            quoted = indent(talk.errors(), "  | ", lambda _: True)
            self._note("wrong", f"Its standard error ends:\n{quoted}")

    @contextmanager
    def _talking(self, *, greeted: bool = True) -> Iterator[Conversation]:
        """Talk with a new process, and end it. greeted: whether it has sent its hello."""
        begun = len(self._lines)
        with self._adapter.start(record=self._lines) as talk:
            self._talk = talk
            if greeted:
                if _hello_of(talk, "a later hello") != self._hello:
                    raise TroubleError("its processes send different hellos", advice.SAME_HELLO)
                del self._lines[begun:]
            yield talk
            talk.record = None
            if talk.hello is not None:
                talk.end()

    def _starts(self) -> None:
        with self._talking(greeted=False):
            pass

    def _answers_hello(self) -> None:
        with self._talking(greeted=False) as talk:
            talk.send(hello_line())
            talk.line(talk.limits.hello)

    def _is_well_formed(self) -> None:
        with self._talking(greeted=False) as talk:
            hello = self._hello = _hello_of(talk, "its hello")
            self._lines.clear()
            _hear_nothing(talk)
        operations, window = len(hello.operations), hello.max_in_flight
        said = f"It is {shown_line(hello.name)}; operations: {operations}, in flight: {window}."
        self._note("ok", said)

    def _declares(self) -> None:
        hello, known = self._hello, [each.name for one in self._systems for each in one.operations]
        for said in unknown_names(hello, self._systems):
            self._note("note", sentence(said))
        if not set(known) & set(hello.operations):
            hint = f"List the operations that you have in operations: {', '.join(known)}."
            raise TroubleError("the hello declares no operation of the suite", hint)
        names = frozenset(hello.operations)
        asked = [one for one in self._systems if any(each.name in names for each in one.operations)]
        vectors = {
            one.name: [each for each in load_system(one.name) if each.operation in names]
            for one in asked
        }
        cases = [each for each in cases_of(asked, vectors, Selection(), hello) if not each.missing]
        self._accepted = _smallest(each for each in cases if "output" in each.expected)
        self._rejected = _smallest(each for each in cases if "output" not in each.expected)
        for name, features in hello.without.items():
            if features and name in known:
                left_out = f"It leaves out {', '.join(features)} of {name}."
                self._note("ok", f"{left_out} Vectors that need one are not run.")

    def _answers(self) -> None:
        """Ask one vector of each operation in turn. Start a new process after a fault."""
        left, troubles = [*self._accepted.values()], 0
        while left and troubles < _TROUBLES:
            name = ""
            try:
                with self._talking() as talk:
                    for number in range(1, len(left) + 1):
                        case = left.pop(0)
                        name = f"{case.operation.name}: "
                        self._answer(talk, number, case)
                    name = ""
                    _hear_nothing(talk)
            except _FAULTS as error:
                troubles += 1
                self._note_fault(error, name)
        for case in left:
            self._note("ok", f"{case.operation.name}: not tried.")
        every = (each.name for system in self._systems for each in system.operations)
        without = {*self._hello.operations} - {*self._accepted, *self._rejected}
        if names := ", ".join(name for name in every if name in without):
            said = f"The corpus has no vector to ask of {names}."
            self._note("ok" if self._accepted else "not tried", said)

    def _answer(self, talk: Conversation, number: int, case: Case) -> None:
        """Ask one case, and note a wrong answer."""
        name = case.operation.name
        reply = talk.ask(number, case.request(number))
        if reply.kind == "error":
            why = f"it declares the operation but answers with an error: {_message(reply)}"
            raise TroubleError(why, advice.UNDECLARE)
        self._sound.append((case, canonical_json(reply.to_json())))
        self._judge(case, reply, f"{name}: valid reply, but wrong answer")

    def _judge(self, case: Case, reply: Reply, heading: str) -> None:
        """Note under a heading that an answer is wrong, if it is."""
        outcome = judge(case, reply)
        if outcome.verdict != "pass":
            why = indent(outcome.explanation, "  ")
            self._note("note", f"{heading} (vector {case.vector.id}):\n{why}")

    def _ids(self) -> None:
        with self._talking() as talk:
            for number in (7, 3, 1_000_000_007):
                for case, _ in self._sound[:1]:
                    talk.ask(number, case.request(number))
            _hear_nothing(talk)
        if not self._sound:
            self._note("not tried", _UNASKED)

    def _at_once(self) -> None:
        count = min(self._hello.max_in_flight, _AT_ONCE)
        if not self._sound:
            self._note("not tried", _UNASKED)
            return
        if count == 1:
            self._note(
                "ok", "It accepts one request at a time (max_in_flight 1), which is allowed."
            )
            return
        asked = {number: self._sound[number % len(self._sound)] for number in range(1, count + 1)}
        with self._talking() as talk:
            talk.send(b"".join(case.request(number) for number, (case, _) in asked.items()))
            while asked:
                reply = talk.reply()
                if reply.number not in asked:
                    why = f"it answered request {reply.number}, which is not pending"
                    raise TroubleError(why, advice.KEEP_ID)
                case, alone = asked.pop(reply.number)
                _refuse_another(case, reply, alone, "from the answer to the same request alone")
            _hear_nothing(talk)
        self._note("ok", f"{count} requests at once have the same answers as one at a time.")

    def _rejects(self) -> None:
        if not self._rejected:
            said = "The corpus has no input that these operations must reject."
            self._note("not tried", said)
            return
        with self._talking() as talk:
            for number, (name, case) in enumerate(self._rejected.items(), start=1):
                reply = talk.ask(number, case.request(number))
                if reply.kind == "error":
                    why = f"{name}: it answers with an error for input that it must reject: "
                    raise TroubleError(why + _message(reply), advice.REJECT)
                self._judge(case, reply, name)
            _hear_nothing(talk)

    def _survives(self) -> None:
        name = f"{min(self._hello.operations).partition('/')[0]}/no-such-operation"
        with self._talking() as talk:
            reply = talk.ask(1, run_line(1, name, "document", {}))
            if reply.kind != "error":
                why = f"it answers the unknown operation {name} with {reply.kind}"
                raise TroubleError(why, advice.UNKNOWN)
            for case, alone in self._sound[:1]:
                again = talk.ask(2, case.request(2))
                _refuse_another(case, again, alone, "after an unknown operation")
            _hear_nothing(talk)

    def _ends(self) -> None:
        for last_line, when in ((BYE_LINE, "after bye"), (b"", "at the end of its input")):
            with self._talking() as talk:
                if talk.end(last_line):
                    raise TroubleError(f"it writes a line {when}", advice.LOG_ELSEWHERE)
                if talk.bad_end is not None:
                    raise TroubleError(f"{when}, {talk.bad_end}", advice.END)


def _smallest(cases: Iterable[Case]) -> Mapping[str, Case]:
    """Return operation -> its case with the smallest input, sorted."""
    found: dict[str, Case] = {}
    for case in sorted(cases, key=lambda each: len(canonical_json(each.vector.input))):
        found.setdefault(case.operation.name, case)
    return dict(sorted(found.items()))


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


def _refuse_another(case: Case, reply: Reply, alone: str, than: str) -> None:
    """Raise TroubleError if an answer is another one than before. than: how it is asked now."""
    if canonical_json(reply.to_json()) != alone:
        why = f"its answer to {case.operation.name} differs {than}"
        raise TroubleError(why, advice.STATELESS)


def _message(reply: Reply) -> str:
    return shown_line(reply.text) or "(no message)"
