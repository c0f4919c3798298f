"""The first steps of the doctor: start, hello, its form, and the operations that it declares."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.doctor import advice
from rejoin_conformance.adapters.doctor.questions import DoctorQuestions, questions_for
from rejoin_conformance.adapters.doctor.steps import Examined, State
from rejoin_conformance.adapters.doctor.talk import Talk, TroubleError
from rejoin_conformance.adapters.protocol import Hello, HelloError
from rejoin_conformance.adapters.runner.cases import UndeclaredReadingError
from rejoin_conformance.adapters.runner.declared import UnknownFeatureError
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.untrusted import shown_line

TITLES: Final = (
    "It starts",
    "It answers hello",
    "Its hello is well formed",
    "It declares operations of the suite",
    "It answers every operation that it declares",
    "It keeps the id of each request",
    "It accepts several requests at once",
    "It rejects bad input",
    "It continues after an operation that it does not have",
    "It ends at bye, and at the end of its input",
)
MOMENT: Final = 0.1
"""Seconds to wait for an unexpected line."""


def greeting(adapter: Adapter) -> Iterator[tuple[Examined, Hello | None]]:
    """Yield the first three steps. The hello accompanies the last one if all succeed."""
    try:
        talk = Talk(adapter)
    except TroubleError as trouble:
        yield wrong(TITLES[0], trouble), None
        return
    with talk:
        yield Examined(title=TITLES[0], state="ok"), None
        try:
            hello = talk.greet()
            yield Examined(title=TITLES[1], state="ok", lines=tuple(talk.lines)), None
            talk.hear_nothing(MOMENT)
        except HelloError as error:
            yield Examined(title=TITLES[1], state="ok", lines=tuple(talk.lines)), None
            hint = (advice.HELLO,) if "not JSON" not in str(error) else (advice.LOG_ELSEWHERE,)
            yield (
                Examined(title=TITLES[2], state="wrong", findings=(f"{error}.",), advice=hint),
                None,
            )
        except TroubleError as trouble:
            talk.kill()
            answered = any(line.startswith("<- ") for line in talk.lines)
            yield wrong(TITLES[2 if answered else 1], trouble, talk), None
        else:
            said = (
                f"It is {shown_line(hello.name)}; operations: {len(hello.operations)}, "
                f"in flight: {hello.max_in_flight}."
            )
            yield Examined(title=TITLES[2], state="ok", findings=(said,)), hello


def declared(hello: Hello, systems: Sequence[System]) -> tuple[Examined, DoctorQuestions | None]:
    """Return the step on the declared operations and readings, and the questions to ask."""
    title = TITLES[3]
    known = [operation.name for system in systems for operation in system.operations]
    said = [_unknown(name, known) for name in hello.operations if name not in known]
    said += [
        f"The hello declares the operation {shown_line(name)} twice."
        for name in sorted({each for each in hello.operations if hello.operations.count(each) > 1})
    ]
    names = [system.name for system in systems]
    said += [
        f"There is no system {shown_line(name)!r}; the systems are {', '.join(names)}."
        for name in hello.readings
        if name not in names
    ]
    if not set(known) & set(hello.operations):
        said = said or ["The hello declares no operation."]
        hint = f"List the operations that you have in operations: {', '.join(known)}."
        return Examined(title=title, state="wrong", findings=tuple(said), advice=(hint,)), None
    try:
        questions = questions_for(hello, systems)
    except UndeclaredReadingError as error:
        hint = 'Name a reading of the system, as in "readings":{"config-merge":"libsession"}.'
        return Examined(title=title, state="wrong", findings=(f"{error}.",), advice=(hint,)), None
    except UnknownFeatureError as error:
        hint = "docs/adapter-protocol.md lists the features of each operation."
        return Examined(title=title, state="wrong", findings=(f"{error}.",), advice=(hint,)), None
    left_out = [
        f"It leaves out {', '.join(names)} of {name}. Vectors that need one are not run."
        for name, names in hello.without.items()
        if names and name in known
    ]
    state: State = "note" if said else "ok"
    return Examined(title=title, state=state, findings=(*said, *left_out)), questions


def _unknown(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name[:100], known, 1)
    meant = f" Did you mean {close[0]}?" if close else ""
    return f"The suite does not know {shown_line(name)}, and never calls it.{meant}"


def wrong(title: str, trouble: TroubleError, talk: Talk | None = None) -> Examined:
    """Return a step that failed, with the lines exchanged until then."""
    return Examined(
        title=title,
        state="wrong",
        findings=(f"{trouble.what[:1].upper()}{trouble.what[1:]}.", *stderr_of(trouble)),
        advice=trouble.advice,
        lines=() if talk is None else tuple(talk.lines),
    )


def stderr_of(trouble: TroubleError) -> tuple[str, ...]:
    """Return a sentence on the adapter's standard error, or nothing if it is empty."""
    quoted = "\n".join(f"  | {line}" for line in trouble.stderr.split("\n"))
    return (f"Its standard error ends:\n{quoted}",) if trouble.stderr else ()
