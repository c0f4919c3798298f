"""The corpus of a system, loaded once and prepared to be asked many times."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

from attrs import evolve, frozen

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import CorpusError, load_system, topic_files
from rejoin_conformance.corpus.verify import Question


@frozen(kw_only=True)
class CorpusKey:
    """Names chosen vectors of a system, so that another process can load the same ones.

    without: the IDs of vectors that are not asked. digest: of the files and of this choice.
    """

    system: str
    without: frozenset[str]
    digest: str


@frozen(eq=False, kw_only=True)
class Corpus:
    """The vectors of a system.

    questions: in the order of the corpus.
    asked: the places of the chosen questions whose input matches the schema; the reference is not
        asked the others.
    """

    key: CorpusKey
    operations: Mapping[str, Operation]
    questions: tuple[Question, ...]
    asked: tuple[int, ...]


@cache
def corpus_of(system: str, without: frozenset[str] = frozenset()) -> Corpus:
    """Return the committed corpus of a system. A process reads it once.

    without: the IDs of vectors that are not asked.
    """
    return _without(corpus_of(system), without) if without else _whole(system)


def same_corpus(key: CorpusKey) -> Corpus:
    """Return the corpus with this name. Raises CorpusError if the files changed meanwhile."""
    corpus = corpus_of(key.system, key.without)
    if corpus.key != key:
        raise CorpusError(f"the vectors of {key.system} changed during the run. Run it again")
    return corpus


def _whole(system: str) -> Corpus:
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
    key = CorpusKey(system=system, without=frozenset(), digest=digest.hexdigest())
    return Corpus(key=key, operations=operations, questions=questions, asked=tuple(asked))


def _without(corpus: Corpus, names: frozenset[str]) -> Corpus:
    digest = hashlib.sha256("\n".join([corpus.key.digest, *sorted(names)]).encode())
    key = CorpusKey(system=corpus.key.system, without=names, digest=digest.hexdigest())
    questions = corpus.questions
    asked = [place for place in corpus.asked if questions[place].vector.id not in names]
    return evolve(corpus, key=key, asked=tuple(asked))
