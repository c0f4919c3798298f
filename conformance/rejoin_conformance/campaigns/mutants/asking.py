"""Ask questions of the changed reference, each change in a forked process with limited time."""

from __future__ import annotations

import gc
import os
import pickle
import resource
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from attrs import frozen

from rejoin_conformance.campaigns.mutants.in_force import (
    Changed,
    NotInForceError,
    loaded,
    put_in_force,
)
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.limited_time import TooLongError, limited_time

T = TypeVar("T")

ToAsk: TypeAlias = tuple[int, Question, float]
"""The place of a question, the question, and the processor time in seconds that it may take."""

_MEMORY: Final = 4 << 30
"""Bytes of address space that a forked process may use."""

DIED: Final = "the process died"


@frozen
class Answers:
    """The answers to questions under changes.

    asked: the number of questions that were asked. wrong: the places of those with a wrong answer,
    in the order in which they were asked. how: the first wrong answer, or why no question was
    asked: the import failed, or the process died.
    """

    asked: int = 0
    wrong: tuple[int, ...] = ()
    how: str = ""


def ask(
    system: str, changes: Sequence[Changed], questions: Iterable[ToAsk], *, most: int, hangs: int
) -> Answers:
    """Ask questions with changes in force.

    most: the number of wrong answers, and hangs: of answers that took too long, after which the
    rest is not asked.
    """
    loaded(system)  # before the fork

    def asked() -> Answers:
        try:
            operations = put_in_force(system, changes)
        except NotInForceError as error:
            return Answers(how=str(error))
        except Exception as error:  # noqa: BLE001 - whatever a changed module raises
            return Answers(how=f"the import fails: {type(error).__name__}: {error}"[:300])
        return _answers(operations, questions, most, hangs)

    return in_a_fork(asked, Answers(how=DIED))


def _answers(
    operations: Mapping[str, Operation], questions: Iterable[ToAsk], most: int, hangs: int
) -> Answers:
    asked, wrong, how = 0, list[int](), ""
    for place, question, seconds in questions:
        asked += 1
        try:
            with limited_time(seconds):
                observed = question.wrong_answer(operations[question.vector.operation])
        except TooLongError:
            observed = f"no answer in {seconds:.1f} s"
            hangs -= 1
        except Exception as error:  # noqa: BLE001 - whatever a change raises, a question noticed it
            observed = f"{type(error).__name__}: {error}"
        if observed is not None:
            how = how or observed[:300]
            wrong.append(place)
            if len(wrong) == most or not hangs:
                break
    return Answers(asked, tuple(wrong), how)


def in_a_fork(work: Callable[[], T], died: T) -> T:
    """Do work in a child process, and return its result; `died` if the child ends without."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gc.disable()  # a child is short, and a collection would copy all pages of the parent
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            result = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(result)
        finally:
            os._exit(0)  # nothing of the parent may be finished here
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if not data:
        return died
    done: T = pickle.loads(data)  # noqa: S301 - our own child wrote it
    return done
