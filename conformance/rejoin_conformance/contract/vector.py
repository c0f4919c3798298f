"""Test vectors: what an author writes (`Draft`, `Topic`) and what the corpus holds (`Vector`).

An author states the input and what is known about the result before the reference runs. The
generator fills in the rest and refuses a draft whose statement the reference contradicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import Factory, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject

OF_MODEL: Final = "model-"
OF_EVERY: Final = "model-every-"
"""How a lineage's profile begins where a history comes from a behaviour of the formal model: a
random one, or one of all to a depth. The number of steps follows."""

Level: TypeAlias = Literal["must", "should", "may"]

EVERY_READING: Final = ("*",)
"""In `Draft.rejected_by`: each reading that the draft is for."""


@frozen
class Scenario:
    """A vector's place in a story that several vectors tell in order."""

    name: str
    step: str

    def to_json(self) -> JsonObject:
        """The form that vectors use."""
        return {"name": self.name, "step": self.step}


@frozen(kw_only=True)
class Lineage:
    """Where a vector or a history comes from that nobody wrote: a history of a campaign, shrunk.

    profile, seed, index: history `index` of the campaign with this seed, before it was shrunk; or,
    where the profile is "model-D", behaviour `index` of D steps that TLC makes with this seed, and
    where it is "model-every-D", of all behaviours of D steps.
    code: the version of the suite that found it. history: the name of the history, in the same
    file. readings, law, kinds: under which readings it broke which law, and in which ways; empty
    where it broke none.
    """

    profile: str
    seed: int
    index: int
    code: str
    history: str
    readings: tuple[str, ...] = ()
    law: str = ""
    kinds: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The form that files use; fields that say nothing are left out."""
        value: JsonObject = {
            "profile": self.profile,
            "seed": str(self.seed),
            "index": self.index,
            "code": self.code,
            "history": self.history,
        }
        if self.law:
            value |= {"readings": [*self.readings], "law": self.law, "kinds": [*self.kinds]}
        return value


@frozen
class KeptHistory:
    """A history that a file of the corpus keeps beside the vectors that come from it.

    history: as the system's `Histories.to_json` writes it. shows: for what it is kept, in a line.
    reaches: the keys of coverage that it is kept for, where it is kept for some.
    """

    lineage: Lineage
    history: JsonObject
    shows: str
    reaches: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the vectors that come from it call it."""
        return self.lineage.history

    def to_json(self) -> JsonObject:
        """The form that files use."""
        value: JsonObject = {
            "name": self.name,
            "shows": self.shows,
            "lineage": self.lineage.to_json(),
            "history": self.history,
        }
        if self.reaches:
            value["reaches"] = [*self.reaches]
        return value


@frozen(kw_only=True)
class Draft:
    """One vector as its author states it.

    name: the last part of the ID, `system/topic/name`.
    output: the whole output where it is known without running the reference (from the source
        document, from another program, or by hand); the generator compares it.
    output_by_reading: the same for readings whose output is not that of the default reading.
    rejected_by: the readings that refuse the input, or EVERY_READING; every other one accepts it.
    mended: for a refused input, the same input with its one fault mended; every reading that
        refuses the input must accept this one.
    readings_differ: whether the readings' results differ; a draft says so on purpose.
    readings: the readings that the vector is for; all of the system's where it is left out. (What
        one reading encrypts no other can decrypt.)
    lineage: of a draft that nobody wrote. It states nothing: whether readings refuse the input, and
        whether they differ, is for the reference to say.
    """

    name: str
    operation: str
    summary: str
    clauses: tuple[str, ...]
    input: JsonObject
    level: Level = "must"
    output: JsonObject | None = None
    output_by_reading: Mapping[str, JsonObject] = Factory(dict)
    rejected_by: tuple[str, ...] = ()
    mended: JsonObject | None = None
    readings_differ: bool = False
    readings: tuple[str, ...] = ()
    scenario: Scenario | None = None
    lineage: Lineage | None = None


@frozen
class Topic:
    """The drafts of one file of the corpus, with notes for its readers.

    histories: those that drafts come from which nobody wrote.
    """

    name: str
    notes: str
    drafts: tuple[Draft, ...]
    histories: tuple[KeptHistory, ...] = ()


@frozen(kw_only=True)
class Vector:
    """One vector of the corpus.

    expected: for each reading that it was made for, `{"output": ...}` or `{"rejected": {}}`.
    readings_differ: whether the file spells the results reading by reading, because they differ or
        because the vector is not for all readings.
    """

    id: str
    operation: str
    clauses: tuple[str, ...]
    level: Level
    summary: str
    input: JsonObject
    expected: Mapping[str, JsonObject]
    readings_differ: bool
    mended: JsonObject | None = None
    scenario: Scenario | None = None
    lineage: Lineage | None = None

    @property
    def system(self) -> str:
        """The system that the vector belongs to."""
        return self.id.partition("/")[0]

    @property
    def topic(self) -> str:
        """The file of the corpus that the vector stands in."""
        return self.id.split("/")[1]

    def to_json(self) -> JsonObject:
        """The form of the committed corpus; fields that say nothing are left out."""
        clauses: list[Json] = list(self.clauses)
        value: JsonObject = {
            "id": self.id,
            "operation": self.operation,
            "clauses": clauses,
            "level": self.level,
            "summary": self.summary,
            "input": self.input,
        }
        if self.readings_differ:
            value["expected_by_reading"] = dict(self.expected)
        else:
            value["expected"] = next(iter(self.expected.values()))
        if self.mended is not None:
            value["mended"] = self.mended
        if self.scenario is not None:
            value["scenario"] = self.scenario.to_json()
        if self.lineage is not None:
            value["lineage"] = self.lineage.to_json()
        return value
