"""The corpus of a system, loaded once and prepared to be asked many times."""

from __future__ import annotations

import hashlib
from functools import cache

from attrs import frozen

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import CorpusError, load_system, topic_files
from rejoin_conformance.corpus.verify import Question


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
