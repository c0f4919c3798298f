"""Laws, violations, and the examination of one history under one reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import Factory, frozen

from rejoin_conformance.kit.json_types import JsonObject


@frozen(kw_only=True)
class Law:
    """A named predicate over histories.

    statement: the law in one sentence.
    premises: the conditions under which it holds; "none" if it always holds.
    clauses: the clauses that it follows from.
    claimed_by: the readings that claim the law. If a reading does not claim it, its violations are
        findings that are counted and shown, not failures.
    """

    name: str
    statement: str
    premises: str
    clauses: tuple[str, ...]
    claimed_by: tuple[str, ...]


_LAW: Final = re.compile(
    r"^(?P<name>[\w-]+)(?: \((?:(?P<nobody>not claimed)|(?P<only>\w+) only)\))?: (?P<statement>.+?)"
    r"(?:\s+Premise:\s+(?P<premise>.+?)\.)?\s+(?P<clauses>[A-Z]{2}-[\sA-Z0-9-]+)$",
    re.MULTILINE | re.DOTALL,
)


_WORD: Final = re.compile(r"^([A-Z-]+) = (.*(?:\n    .*)*)", re.MULTILINE)


def laws_told(text: str, claimed_by: tuple[str, ...]) -> Mapping[str, Law]:
    """Return name -> law, for paragraphs such as `name: Statement. Premise: a; b. CD-A CD-B`.

    `(not claimed)` or `(repaired only)` after a name says who claims the law, if not all readings
    in `claimed_by` do. A line `WORD = ...` says the premise for which a word stands.
    """
    short = {word: " ".join(meaning.split()) for word, meaning in _WORD.findall(text)}
    laws: dict[str, Law] = {}
    for found in _LAW.finditer(text):
        premise = " ".join((found["premise"] or "none").split())
        for word, meaning in short.items():
            premise = premise.replace(word, meaning)
        laws[found["name"]] = Law(
            name=found["name"],
            statement=" ".join(found["statement"].split()),
            premises=premise,
            clauses=tuple(found["clauses"].split()),
            claimed_by=(found["only"],) if found["only"] else () if found["nobody"] else claimed_by,
        )
    return laws


@frozen(kw_only=True)
class Violation:
    """One violation of a law by one history.

    kind: a short stable word for the way in which the law broke. Violations of one law with the
        same kind form one class of findings.
    detail: the observed values as text. evidence: the smallest part of the history that shows it.
    """

    law: str
    kind: str
    detail: str
    evidence: JsonObject = Factory(dict)


@frozen(kw_only=True)
class Examination:
    """The result of running one history under one reading.

    digest: 32 bytes over everything observable in the history's outcome.
    checked: law -> how often its premises held and it was checked.
    vacuous: law -> how often its premises did not hold.
    coverage: namespaced counters, such as `shape:merge-arity:3` or `clause:CM-RESOLVE-BASE`.
    violations: the violations of laws.
    answered: who answered the calls of an adapter, or ran the history, if the oracle may:
        `oracle`, `reference`, and both.
    """

    digest: bytes
    checked: Mapping[str, int]
    vacuous: Mapping[str, int]
    coverage: Mapping[str, int]
    violations: tuple[Violation, ...]
    answered: Mapping[str, int] = Factory(dict)
