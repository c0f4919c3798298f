"""Ask questions of the changed reference, each change in a forked process with limited time.

The coverage of a question is the lines of the reference that it executes, and how many.

The corpus of a system is loaded once, and prepared to be asked many times.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.in_force import NotInForceError, loaded, put_in_force
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.executed import executing
from rejoin_conformance.corpus.load import CorpusError, load_system, topic_files
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.limited_time import TooLongError, limited_time

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.mutants.in_force import Changed

T = TypeVar("T")

ToAsk: TypeAlias = tuple[int, Question, float]
"""The place of a question, the question, and the processor time in seconds that it may take."""

_MEMORY: Final = 4 << 30
"""Bytes of address space that a forked process may use."""

DIED: Final = "the process died"


@frozen
class Answers:
    """The answers to questions under changes.

    asked: the number of questions that were asked. wrong: the place of the first one with a wrong
    answer, after which no other is asked. how: this answer, or why no question was asked: the
    import failed, or the process died.
    """

    asked: int = 0
    wrong: int | None = None
    how: str = ""


def ask(system: str, changes: Sequence[Changed], questions: Iterable[ToAsk]) -> Answers:
    """Ask questions with changes in force, up to the first wrong answer."""
    loaded(system)  # before the fork

    def asked() -> Answers:
        try:
            operations = put_in_force(system, changes)
        except NotInForceError as error:
            return Answers(how=str(error))
        except Exception as error:  # noqa: BLE001 - whatever a changed module raises
            return Answers(how=f"the import fails: {type(error).__name__}: {error}"[:300])
        number = 0
        for number, (place, question, seconds) in enumerate(questions, start=1):
            try:
                with limited_time(seconds):
                    observed = question.wrong_answer(operations[question.vector.operation])
            except TooLongError:
                observed = f"no answer in {seconds:.1f} s"
            except Exception as error:  # noqa: BLE001 - a question noticed whatever a change raises
                observed = f"{type(error).__name__}: {error}"
            if observed is not None:
                return Answers(number, place, observed[:300])
        return Answers(number)

    return in_a_fork(asked, Answers(how=DIED))


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


@frozen
class Coverage:
    """The lines that each question executes.

    lines: (module, line) -> the questions that execute it, as bits of an integer by their place.
    costs: place of a question -> the lines that it executes, as often as it executes them.
    seconds: place of a question -> the processor time that it took while it was traced, which is
        several times the usual one.
    """

    lines: dict[tuple[str, int], int] = field(factory=dict)
    costs: dict[int, int] = field(factory=dict)
    seconds: dict[int, float] = field(factory=dict)

    def executing(self, module: str, lines: Iterable[int]) -> Iterator[int]:
        """Yield the places of the questions that execute any of these lines of a module."""
        bits = reduce(or_, (self.lines.get((module, line), 0) for line in lines), 0)
        while bits:
            lowest = bits & -bits
            yield lowest.bit_length() - 1
            bits ^= lowest


def executed_by(
    system: str,
    modules: Sequence[str],
    questions: Iterable[tuple[int, Question]],
    *,
    afresh: bool = False,
    functions: Iterable[tuple[str, str]] | None = None,
) -> Iterator[JsonObject]:
    """Ask questions, and yield the lines that each executes, as data for `coverage_of`.

    questions: (place, question). A question that executes no line yields nothing. afresh: whether
    nothing that the reference has kept from earlier questions answers. functions: those whose lines
    are asked for, as (module, qualified name); None for all.
    """
    names = {str(source_path(module)): module for module in modules}
    within = None
    if functions is not None:
        within = {(str(source_path(module)), name) for module, name in functions}
    operations = {each.name: each for each in system_named(system).operations}
    forget = loaded(system).forget if afresh else ()
    for place, question in questions:
        for each in forget:
            each()
        start = time.process_time()
        with executing(names, lines=True, within=within) as lines:
            question.wrong_answer(operations[question.vector.operation])
        micros = round((time.process_time() - start) * 1e6)
        found: dict[str, Any] = {}
        for path, line in lines:
            found.setdefault(names[path], []).append(line)
        if lines:
            yield {"place": place, "cost": lines.total(), "micros": micros, "lines": found}


def coverage_of(executed: Iterable[Mapping[str, Any]]) -> Coverage:
    """Return the coverage of all questions together. executed: see `executed_by`."""
    coverage = Coverage()
    for each in executed:
        place = each["place"]
        coverage.costs[place] = each["cost"]
        coverage.seconds[place] = each["micros"] / 1e6
        for module, lines in each["lines"].items():
            for line in lines:
                key = (module, line)
                coverage.lines[key] = coverage.lines.get(key, 0) | 1 << place
    return coverage


@frozen(eq=False, kw_only=True)
class Corpus:
    """The vectors of a system.

    digest: of the files. questions: in the order of the corpus. asked: the places of the questions
    whose input matches the schema; the reference is not asked the others.
    """

    system: str
    digest: str
    questions: tuple[Question, ...]
    asked: tuple[int, ...]


@cache
def corpus_of(system: str) -> Corpus:
    """Return the committed corpus of a system. A process reads it once."""
    digest = hashlib.sha256()
    for path in topic_files(system):
        digest.update(path.read_bytes())
    operations = {operation.name: operation for operation in system_named(system).operations}
    questions = tuple(map(Question.of, load_system(system)))
    asked = [
        place
        for place, each in enumerate(questions)
        if operations[each.vector.operation].input_fault(each.vector.input) is None
    ]
    return Corpus(system=system, digest=digest.hexdigest(), questions=questions, asked=tuple(asked))


def same_corpus(system: str, digest: str) -> Corpus:
    """Return the corpus of this digest. Raises CorpusError if the files changed meanwhile."""
    corpus = corpus_of(system)
    if corpus.digest != digest:
        raise CorpusError(f"the vectors of {system} changed during the run. Run it again")
    return corpus
