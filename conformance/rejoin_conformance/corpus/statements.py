"""The source document of a system, statement by statement: `spec/<system>/statements.toml`.

Each statement gives its line in the document, a gist in our words, and the clauses and errata that
hold it. A statement without any has a kind that says why: it is informative, an example, or an open
question. The list shows that nothing of a document was lost, and what of it is still only prose.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.clauses import (
    clauses_of,
    errata_of,
    proven_clauses,
    vectors_named,
)
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_forms import OPTIONAL, MalformedError, named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import in_checkout, spec_directory

Kind: TypeAlias = Literal["informative", "example", "open question"]


class StatementsError(ExpectedError):
    """A list of statements cannot be read: one line that names the file and the fault."""


@frozen(kw_only=True)
class Statement:
    """One statement of a document.

    line: from 1, where the statement begins in the document. reason: why nothing holds an
    informative statement, if its gist does not say so. held_by: clauses and errata.
    shown_by: the vectors that play an example. measured_by: the pages of a checkout that show what
    the statement says in counts of the code, as paths below the project's folder.
    """

    line: int
    gist: str
    kind: Kind | None = field(default=None, metadata=OPTIONAL)
    reason: str = field(default="", metadata=OPTIONAL)
    held_by: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    shown_by: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    measured_by: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


@frozen(kw_only=True)
class Document:
    """A source document: its file name, its number of lines, and its statements in order.

    text: how a reader gets the lines, which the project does not contain.
    """

    document: str
    text: str = field(default="", metadata=OPTIONAL)
    lines: int
    statements: tuple[Statement, ...] = field(metadata=named("statement"))


@frozen(kw_only=True)
class Backing:
    """What backs a clause or an erratum: how many vectors, laws and proofs."""

    vectors: int = 0
    laws: int = 0
    proofs: int = 0

    def __bool__(self) -> bool:
        return bool(self.vectors or self.laws or self.proofs)


@frozen(kw_only=True)
class DocumentTrace:
    """A document with what backs each clause and erratum, and one line for each fault.

    unnamed: the clauses and errata that no statement names, because the spec added them.
    """

    document: Document
    backing: Mapping[str, Backing]
    unnamed: tuple[str, ...]
    faults: tuple[str, ...]

    def only_prose(self) -> tuple[Statement, ...]:
        """Return the statements that no vector, law, proof or measurement backs."""
        return tuple(
            each
            for each in self.document.statements
            if not each.shown_by
            and not each.measured_by
            and not any(self.backing.get(name) for name in each.held_by)
        )

    def row(self, statement: Statement) -> JsonObject:
        """Return one statement as data, with the counts behind each clause and erratum."""
        return {
            "line": statement.line,
            "gist": statement.gist,
            "kind": statement.kind,
            "reason": statement.reason,
            "held_by": {
                name: {"vectors": found.vectors, "laws": found.laws, "proofs": found.proofs}
                for name in statement.held_by
                for found in [self.backing.get(name, Backing())]
            },
            "shown_by": [*statement.shown_by],
            "measured_by": [*statement.measured_by],
        }


def document_of(system: str) -> Document:
    """Read the statements of a system's document. Raises StatementsError, one line."""
    path = spec_directory() / system / "statements.toml"
    try:
        return read(tomllib.loads(path.read_text(encoding="utf-8")), Document)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, MalformedError) as error:
        raise StatementsError(f"{path}: {error}") from None


def trace_document(system: str) -> DocumentTrace:
    """Return the statements of a system's document with everything that backs them.

    Raises StatementsError if the list cannot be read.
    """
    document = document_of(system)
    backing = {**_clause_backing(system), **errata_backing(system)}
    vectors = frozenset(each.id for each in load_system(system))
    held = {name for each in document.statements for name in each.held_by}
    return DocumentTrace(
        document=document,
        backing=backing,
        unnamed=tuple(name for name in backing if name not in held),
        faults=tuple(faults_of(document, frozenset(backing), vectors)),
    )


def faults_of(document: Document, known: frozenset[str], vectors: frozenset[str]) -> Iterator[str]:
    """Yield one line for each fault of a list.

    known: the IDs of all clauses and errata. vectors: the IDs of all vectors.
    """
    previous = 1
    for each in document.statements:
        place = f"{document.document}, line {each.line}"
        if not previous <= each.line <= document.lines:
            yield f"{place}: statements are in the order of the lines 1 to {document.lines}"
        previous = each.line
        if not each.gist:
            yield f"{place}: a statement without a gist"
        if each.kind is None and not each.held_by:
            yield f"{place}: a statement with neither a clause nor an erratum nor a kind"
        if each.kind == "informative" and each.held_by:
            yield f"{place}: an informative statement needs no clause"
        if each.kind == "example" and not each.shown_by:
            yield f"{place}: no vector plays this example"
        for vector in each.shown_by:
            if vector not in vectors:
                yield f"{place}: there is no vector {vector}"
        for page in each.measured_by:
            if in_checkout() and not (spec_directory().parent / page).is_file():
                yield f"{place}: there is no page {page}"
        for name, count in Counter(each.held_by).items():
            if name not in known:
                yield f"{place}: {name} is neither a clause nor an erratum"
            if count > 1:
                yield f"{place}: {name} is named {count} times"


def _clause_backing(name: str) -> dict[str, Backing]:
    vectors = Counter(clause for each in load_system(name) for clause in each.clauses)
    laws = Counter(clause for law in system_named(name).laws for clause in law.clauses)
    proofs = Counter(
        clause for each in proven_clauses(name) if each.proven for clause in each.clauses
    )
    return {
        each.id: Backing(vectors=vectors[each.id], laws=laws[each.id], proofs=proofs[each.id])
        for each in clauses_of(name)
    }


def errata_backing(name: str) -> dict[str, Backing]:
    """Return the errata of a system, each with the number of vectors that it names."""
    known = {each.id for each in load_system(name)}
    return {
        erratum: Backing(vectors=len(known.intersection(vectors_named(body))))
        for erratum, body in errata_of(name).items()
    }
