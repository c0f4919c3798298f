"""The options of a run of the corpus, for `rejoin run` and for pytest."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.contract.tier import Level, Tier
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_forms import OPTIONAL
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import did_you_mean

if TYPE_CHECKING:  # every session of pytest loads this module
    from rejoin_conformance.contract.vector import Vector

_LIST_ALL = "list all with: rejoin vectors list"


class WrongUsageError(ExpectedError):
    """Wrong usage. The message is one line on the wrong argument."""


def one_of(what: str, name: str, known: Collection[str], of: str = "") -> str:
    """Return a name that is known. of: begins the message. Raises WrongUsageError."""
    if name not in known:
        choose = f"choose one of {', '.join(known)}{did_you_mean(name, known)}"
        raise WrongUsageError(f"{of}there is no {what} {name!r}; {choose}")
    return name


@frozen(kw_only=True)
class Selection:
    """The vectors to take: a vector must match a value of each field that is not empty.

    systems: their names. readings: the readings for the systems that have them, instead of the
    declared readings.
    """

    systems: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    operations: tuple[str, ...] = opt(
        "Only vectors of this operation or shell pattern.",
        (),
        name="operation",
        shown="all operations",
    )
    clauses: tuple[str, ...] = opt(
        "Only vectors that decide this clause or shell pattern.",
        (),
        name="clause",
        shown="all clauses",
    )
    levels: tuple[Level, ...] = opt(
        "Only vectors of this level.", (), name="level", shown="all levels"
    )
    tiers: tuple[Tier, ...] = opt("Only vectors of this tier.", (), name="tier", shown="all tiers")
    ids: tuple[str, ...] = opt(
        "Only vectors whose ID matches this shell pattern.", (), name="id", shown="*"
    )
    readings: tuple[str, ...] = field(default=(), metadata=OPTIONAL)

    def chooses(self, vector: Vector) -> bool:
        """Return whether the vector is selected."""
        names = vector.operation, vector.operation.partition("/")[2]
        return (
            (not self.systems or vector.system in self.systems)
            and _matches(vector.clauses, self.clauses)
            and (not self.levels or vector.level in self.levels)
            and (not self.tiers or vector.tier in self.tiers)
            and _matches((vector.id,), self.ids)
            and _matches(names, self.operations)
        )

    def chosen(self, vectors: Iterable[Vector]) -> list[Vector]:
        """Return the selected vectors. Raises WrongUsageError if there is none.

        Also raises it for the first clause, operation or ID that no vector has. Shell patterns are
        not names: they can match nothing, as long as another one matches.
        """
        every = [*vectors]
        operations = {vector.operation for vector in every}
        for what, names, known in (
            ("no vector decides the clause", self.clauses, {c for v in every for c in v.clauses}),
            (
                "no vector has the operation",
                self.operations,
                operations | {name.partition("/")[2] for name in operations},
            ),
            ("there is no vector", self.ids, {vector.id for vector in every}),
        ):
            for name in names:
                if name not in known and not set(name) & set("*?["):
                    near = did_you_mean(name, sorted(known)) or _described(name, known)
                    near = near or _pattern_for(name, known) or f"; {_LIST_ALL}"
                    raise WrongUsageError(f"{what} {name!r}{near}")
        found = [*filter(self.chooses, every)]
        if not found:
            known = {vector.id for vector in every}
            clauses = {clause for vector in every for clause in vector.clauses}
            strays = [each for each in self.ids if not fnmatch.filter(known, each)]
            near = _pattern_for(strays[0], known, clauses) if strays else ""
            raise WrongUsageError(f"no vector matches these filters; {_LIST_ALL}{near}")
        return found


@frozen(kw_only=True)
class StrictCodes:
    """Whether the codes of rejections are compared."""

    strict_codes: bool = opt(
        "Compare the codes of rejections too: another code, or none, is a failure.", default=False
    )
    codes: Path | None = opt(
        "TOML file with the adapter's own names for codes.", None, metavar="FILE", shown="none"
    )


@frozen(kw_only=True)
class RunOptions:
    """How to run vectors."""

    readings: tuple[str, ...] = opt(
        "Use this reading for the systems that have it.",
        (),
        name="reading",
        shown="the adapter's reading",
    )
    jobs: int = opt("Number of adapter processes to run at the same time.", 1, least=1, most=64)
    limits: Limits = field(factory=Limits)
    known_failures: Path | None = opt(
        "TOML file that lists expected failures, in tables [[failure]] with id, reason and link.",
        None,
        metavar="FILE",
        shown="none",
    )
    compared: StrictCodes = field(factory=StrictCodes)
    conformance: tuple[str, ...] = opt(
        "Be incomplete unless the run shows this whole profile, such as 'history-merge core'.",
        (),
        metavar="NAME",
        shown="none",
    )
    allow_restarts: bool = opt(
        "Accept answers that needed another process because the adapter broke before.",
        default=False,
    )


def _described(name: str, known: Collection[str]) -> str:
    """Return `; did you mean X?` for an operation whose description has the last word of a name."""
    from rejoin_conformance.contract.registry import all_systems  # noqa: PLC0415 - as above

    word = re.compile(rf"\b{re.escape(name.rpartition('/')[2])}\b", re.IGNORECASE)
    every = (each for system in all_systems() for each in system.operations)
    found = [each.name for each in every if each.name in known and word.search(each.summary)]
    return f"; did you mean {found[0]}?" if found else ""


def _pattern_for(name: str, known: Collection[str], clauses: Collection[str] = ()) -> str:
    """Return `; did you mean X?` for a pattern with a part of a name, or for a like name."""
    word = name.strip("*/")
    above = (f"{each}/*" for each in PurePosixPath(word).parents)
    for pattern in (f"{word}/*", f"*/{word}/*", f"*{word}*", *above):
        if word and pattern != name and fnmatch.filter(known, pattern):
            return f"; did you mean {pattern!r}?"
    if near := did_you_mean(word, {part for each in known for part in each.split("/")[1:-1]}):
        return near.replace("mean ", "mean '*/").replace("?", "/*'?")
    if word and any(word.upper() in each for each in clauses):
        return f"; did you mean --clause '*{word.upper()}*'?"
    return did_you_mean(word.partition("/")[0], {each.partition("/")[0] for each in known})


def _matches(texts: Sequence[str], patterns: Sequence[str]) -> bool:
    return not patterns or any(
        fnmatch.fnmatchcase(text, each) for text in texts for each in patterns
    )
