"""The ten steps of the doctor, from the start of the program to its end.

The later steps need the first four to succeed. Each later step starts its own processes, so that a
fault in one does not hide faults in the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.doctor import advice
from rejoin_conformance.adapters.doctor.greeting import (
    MOMENT,
    TITLES,
    declared,
    greeting,
    stderr_of,
    wrong,
)
from rejoin_conformance.adapters.doctor.questions import DoctorQuestions
from rejoin_conformance.adapters.doctor.steps import Examined, State
from rejoin_conformance.adapters.doctor.talk import Talk, TroubleError
from rejoin_conformance.adapters.protocol import BYE_LINE, Hello, HelloError, run_line
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.untrusted import shown_line

_AT_ONCE: Final = 8
_TROUBLES: Final = 3
"""The number of broken operations after which the step stops: each can cost a timeout."""


def examine(adapter: Adapter, systems: Sequence[System]) -> Iterator[Examined]:
    """Yield each step when it is done. Steps that an earlier fault prevents are `not tried`."""
    done = 0
    hello: Hello | None = None
    for step, said in greeting(adapter):
        done += 1
        hello = said
        yield step
    if hello is not None:
        step, questions = declared(hello, systems)
        done += 1
        yield step
        if questions is not None:
            yield from _Examination(adapter, hello, questions).steps()
            return
    for title in TITLES[done:]:
        yield Examined(title=title, state="not tried")


class _Examination:
    """The steps after the hello. A step can use the results of the previous ones."""

    def __init__(self, adapter: Adapter, hello: Hello, questions: DoctorQuestions) -> None:
        self._adapter = adapter
        self._hello = hello
        self._questions = questions
        self._sound: list[tuple[Case, str]] = []
        """The cases answered one at a time, each with the canonical text of the answer."""

    def steps(self) -> Iterator[Examined]:
        """Yield the steps from the fifth on."""
        yield self._answers()
        rest = zip(
            TITLES[5:],
            (self._ids, self._at_once, self._rejects, self._survives, self._ends),
            strict=True,
        )
        for title, examine_step in rest:
            yield self._tried(title, examine_step)

    def _tried(self, title: str, examine_step: Callable[[Talk, str], Examined]) -> Examined:
        try:
            talk = self._talk()
        except (TroubleError, HelloError) as error:
            return Examined(
                title=title, state="wrong", findings=(f"A new process failed: {error}.",)
            )
        with talk:
            try:
                return examine_step(talk, title)
            except TroubleError as trouble:
                talk.kill()
                return wrong(title, trouble, talk)

    def _talk(self) -> Talk:
        """Return a new process after the hellos, without the lines of the hellos."""
        talk = Talk(self._adapter, self._hello.language)
        try:
            same = talk.greet() == self._hello
        except BaseException:
            talk.kill()
            raise
        if not same:
            talk.kill()
            raise TroubleError(
                "its processes send different hellos",
                "Send the same hello in each process, without times or random names.",
            )
        talk.lines.clear()
        return talk

    def _answers(self) -> Examined:
        """Ask one vector of each operation in turn. Start a new process after a fault."""
        title = TITLES[4]
        if not self._questions.accepted:
            return Examined(title=title, state="not tried", findings=self._without())
        said: list[str] = []
        lines: list[str] = []
        left = list(self._questions.accepted)
        troubles: list[tuple[Case, TroubleError]] = []
        asked = 0
        while left and len(troubles) < _TROUBLES:
            case = left[0]
            try:
                with self._talk() as talk:
                    try:
                        while left:
                            case = left.pop(0)
                            asked += 1
                            said += self._answer(talk, asked, case)
                        talk.hear_nothing(MOMENT)
                    finally:
                        lines += talk.lines
            except TroubleError as trouble:
                troubles.append((case, trouble))
            except HelloError as error:
                return Examined(
                    title=title, state="wrong", findings=(f"A later hello is invalid: {error}.",)
                )
        if troubles:
            first = troubles[0][1]
            what = [f"{case.operation.name}: {trouble.what}." for case, trouble in troubles]
            what += [f"{case.operation.name}: not tried." for case in left]
            what += stderr_of(first)
            return Examined(
                title=title,
                state="wrong",
                findings=(*what, *said, *self._without()),
                advice=first.advice,
                lines=tuple(lines),
            )
        state: State = "note" if said else "ok"
        every = (*said, *self._without())
        return Examined(title=title, state=state, findings=every, lines=tuple(lines))

    def _without(self) -> tuple[str, ...]:
        names = ", ".join(self._questions.without)
        return (f"The corpus has no vector to ask of {names}.",) if names else ()

    def _answer(self, talk: Talk, number: int, case: Case) -> list[str]:
        """Ask one case and return the notes on its answer."""
        name = case.operation.name
        reply = talk.ask(number, name, case.reading, case.vector.input)
        if reply.kind == "error":
            raise TroubleError(
                f"it declares the operation but answers with an error: "
                f"{shown_line(reply.text) or '(no message)'}",
                "Remove the operation from the hello until you have written it. The suite calls "
                "only declared operations.",
            )
        self._sound.append((case, canonical_json(reply.to_json())))
        outcome = judge(case, reply)
        if outcome.verdict == "pass":
            return []
        return [
            f"{name}: valid reply, but wrong answer (vector {case.vector.id}).\n"
            + _indented(outcome.explanation)
        ]

    def _ids(self, talk: Talk, title: str) -> Examined:
        if not self._sound:
            return _nothing_to_ask(title)
        case, _ = self._sound[0]
        for number in (7, 3, 1_000_000_007):
            talk.ask(number, case.operation.name, case.reading, case.vector.input)
        talk.hear_nothing(MOMENT)
        return Examined(title=title, state="ok", lines=tuple(talk.lines))

    def _at_once(self, talk: Talk, title: str) -> Examined:
        if not self._sound:
            return _nothing_to_ask(title)
        number_of = min(self._hello.max_in_flight, _AT_ONCE)
        if number_of == 1:
            said = "It accepts one request at a time (max_in_flight 1), which is allowed."
            return Examined(title=title, state="ok", findings=(said,))
        asked = {
            number: self._sound[number % len(self._sound)] for number in range(1, number_of + 1)
        }
        talk.say(
            *(
                run_line(number, case.operation.name, case.reading, case.vector.input)
                for number, (case, _) in asked.items()
            )
        )
        while asked:
            reply = talk.hear_reply()
            if reply.number not in asked:
                raise TroubleError(
                    f"it answered request {reply.number}, which is not pending",
                    advice.KEEP_ID,
                )
            case, alone = asked.pop(reply.number)
            if canonical_json(reply.to_json()) != alone:
                raise TroubleError(
                    f"its answer to {case.operation.name} differs from the answer to the same "
                    "request alone",
                    advice.STATELESS,
                )
        talk.hear_nothing(MOMENT)
        said = f"{number_of} requests at once have the same answers as one at a time."
        return Examined(title=title, state="ok", findings=(said,), lines=tuple(talk.lines))

    def _rejects(self, talk: Talk, title: str) -> Examined:
        if not self._questions.rejected:
            said = "The corpus has no input that these operations must reject."
            return Examined(title=title, state="not tried", findings=(said,))
        notes = []
        for number, case in enumerate(self._questions.rejected, start=1):
            name = case.operation.name
            reply = talk.ask(number, name, case.reading, case.vector.input)
            if reply.kind == "error":
                raise TroubleError(
                    f"{name}: it answers with an error for input that it must reject: "
                    f"{shown_line(reply.text) or '(no message)'}",
                    advice.REJECT,
                )
            outcome = judge(case, reply)
            if outcome.verdict != "pass":
                notes.append(
                    f"{name} (vector {case.vector.id}):\n" + _indented(outcome.explanation)
                )
        talk.hear_nothing(MOMENT)
        state: State = "note" if notes else "ok"
        return Examined(title=title, state=state, findings=tuple(notes), lines=tuple(talk.lines))

    def _survives(self, talk: Talk, title: str) -> Examined:
        systems = sorted({name.partition("/")[0] for name in self._hello.operations})
        name = f"{systems[0]}/no-such-operation"
        reply = talk.ask(1, name, "document", {})
        if reply.kind != "error":
            raise TroubleError(
                f"it answers the unknown operation {name} with {reply.kind}", advice.UNKNOWN
            )
        if self._sound:
            case, alone = self._sound[0]
            again = talk.ask(2, case.operation.name, case.reading, case.vector.input)
            if canonical_json(again.to_json()) != alone:
                raise TroubleError(
                    f"its answer to {case.operation.name} differs after an unknown operation",
                    advice.STATELESS,
                )
        talk.hear_nothing(MOMENT)
        return Examined(title=title, state="ok", lines=tuple(talk.lines))

    def _ends(self, talk: Talk, title: str) -> Examined:
        notes = _ending(talk, BYE_LINE, "after bye")
        lines = tuple(talk.lines)
        try:
            with self._talk() as second:
                notes += _ending(second, b"", "at the end of its input")
                lines += tuple(second.lines)
        except HelloError as error:
            raise TroubleError(f"a later hello is invalid: {error}", advice.HELLO) from None
        return Examined(
            title=title, state="note" if notes else "ok", findings=tuple(notes), lines=lines
        )


def _ending(talk: Talk, last_line: bytes, when: str) -> list[str]:
    """Ask a process to end and return the notes on its end."""
    ending = talk.end(last_line)
    if ending.exit_code is None:
        raise TroubleError(f"it does not end {when}, and had to be killed", advice.END)
    said = [line for line in ending.lines if line.replace(" ", "") != '{"type":"bye"}']
    if said:
        talk.lines += [f"<- {line}" for line in said]
        raise TroubleError(f"it writes a line {when}", advice.LOG_ELSEWHERE)
    if ending.exit_code:
        return [f"It ends with exit code {ending.exit_code} {when}; 0 would be better."]
    return []


def _nothing_to_ask(title: str) -> Examined:
    return Examined(
        title=title, state="not tried", findings=("The adapter answered no operation.",)
    )


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
