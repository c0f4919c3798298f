"""Test vectors: an author writes a `Draft` in a `Topic`, and the corpus contains a `Vector`.

An author states the input, and the parts of the result that are known before the reference runs.
The generator fills in the rest. It refuses a draft if the reference contradicts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import Factory, evolve, field, frozen

from rejoin_conformance.contract.tier import Level, Tier, tier_of
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_forms import OPTIONAL, BigInt, MalformedError, named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.recipe import check_recipe, expand_object

OF_MODEL: Final = "model-"
OF_EVERY: Final = "model-every-"
"""The prefix of `Lineage.profile` if the history is a behaviour of the formal model: a random one,
or one of all behaviours up to a depth. The number of steps follows."""

_BY_READING: Final = "expected_by_reading"

EVERY_READING: Final = ("*",)
"""The value of `Draft.rejected_by` for every reading that the draft is for."""


@frozen
class Scenario:
    """A vector's place in a scenario of several vectors in order."""

    name: str
    step: str


@frozen(kw_only=True)
class Lineage:
    """The origin of a vector or history that comes from a shrunk random history.

    profile, seed, index: history `index` of the campaign with this seed, before it was shrunk. If
    the profile is "model-D", it is behaviour `index` of those of D steps that TLC generates with
    this seed. If it is "model-every-D", it is behaviour `index` of all behaviours of D steps.
    code: the version of the suite that found it. history: the name of the history in the same file.
    readings, law, kinds: the law that the history broke, under which readings and in which ways;
    empty if it broke none.
    """

    profile: str
    seed: BigInt
    index: int
    code: str
    history: str
    readings: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    law: str = field(default="", metadata=OPTIONAL)
    kinds: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


@frozen(kw_only=True)
class KeptHistory:
    """A history in a file of the corpus, beside the vectors that come from it.

    history: the output of the system's `Histories.to_json`. shows: one line on why it is kept.
    reaches: the coverage keys or the changes of the reference that it is kept for; may be empty.
    decides: name of a vector that comes from it -> the clauses whose knock-outs or mutants change
        an answer to the vector. Empty until the vector is chosen for the corpus.
    """

    shows: str
    lineage: Lineage
    history: JsonObject
    reaches: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    decides: Mapping[str, tuple[str, ...]] = field(factory=dict, metadata=OPTIONAL)

    @property
    def name(self) -> str:
        """Return the name by which its vectors refer to it."""
        return self.lineage.history

    def to_json(self) -> JsonObject:
        """Return the history as files write it, without empty fields."""
        return {"name": self.name, **plain(self)}

    @classmethod
    def from_json(cls, value: JsonObject) -> KeptHistory:
        """Return the history that a file describes. Raises MalformedError."""
        fields = dict(value)
        name = fields.pop("name", None)
        kept = read(fields, cls)
        if name != kept.name:
            raise MalformedError("the name is not the history of the lineage")
        return kept


@frozen(kw_only=True)
class Draft:
    """One vector as its author writes it.

    name: the last part of the ID, `system/topic/name`.
    output: the whole output if it is known without running the reference (from the source
        document, from another program, or by hand). The generator compares it.
    output_by_reading: the same for readings whose output is not that of the default reading.
    rejected_by: the readings that refuse the input, or EVERY_READING. Every other reading accepts
        it.
    mended: for a refused input, the same input without its one fault. Every reading that refuses
        the input must accept this one.
    readings_differ: whether the readings' results differ. The generator checks this statement.
    readings: the readings that the vector is for; empty means all. (For example, no reading can
        decrypt a message that another reading encrypted.)
    lineage: the origin of a draft that nobody wrote. Such a draft states no result: the reference
        determines which readings refuse the input, and whether the results differ.
    recipe: whether `input`, `mended` and the outputs are recipes, which the corpus keeps as they
        are. Such a draft states the output of each reading that accepts the input.
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
    recipe: bool = False

    @property
    def written_out(self) -> Draft:
        """Return the draft with the values that its recipes stand for. Raises MalformedError."""
        if not self.recipe:
            return self
        outputs = self.output_by_reading
        for value in (self.input, self.mended, self.output, *outputs.values()):
            check_recipe(value)
        return evolve(
            self,
            input=expand_object(self.input),
            mended=None if self.mended is None else expand_object(self.mended),
            output=None if self.output is None else expand_object(self.output),
            output_by_reading={reading: expand_object(each) for reading, each in outputs.items()},
            recipe=False,
        )


@frozen
class Topic:
    """The drafts of one file of the corpus, with notes for its readers.

    histories: the histories from which the drafts with a lineage come.
    """

    name: str
    notes: str
    drafts: tuple[Draft, ...]
    histories: tuple[KeptHistory, ...] = ()


@frozen(kw_only=True)
class Vector:
    """One vector of the corpus.

    expected: for each reading of the vector, `{"output": ...}` or `{"rejected": {}}`,
        with a `code` if the fault has one.
    readings_differ: whether the file lists the results by reading, because they differ or because
        the vector is not for all readings.
    recipe: whether the corpus has the input, the results and the mended input as recipes. The
        attributes of these names are the expanded values, and `to_json` returns the recipes.
    """

    id: str
    operation: str
    clauses: tuple[str, ...]
    level: Level
    summary: str
    _input: JsonObject = field(metadata=named("input"))
    _expected: Mapping[str, JsonObject] = field(metadata=named("expected"))
    readings_differ: bool
    _mended: JsonObject | None = field(default=None, metadata={**OPTIONAL, **named("mended")})
    scenario: Scenario | None = field(default=None, metadata=OPTIONAL)
    lineage: Lineage | None = field(default=None, metadata=OPTIONAL)
    recipe: bool = field(default=False, metadata=OPTIONAL)

    @cached_property
    def input(self) -> JsonObject:
        """Return the input of the operation."""
        return expand_object(self._input) if self.recipe else self._input

    @cached_property
    def expected(self) -> Mapping[str, JsonObject]:
        """Return the result of each reading of the vector."""
        if not self.recipe:
            return self._expected
        distinct = {id(each): each for each in self._expected.values()}  # one can be for several
        made = {key: expand_object(each) for key, each in distinct.items()}
        return {reading: made[id(each)] for reading, each in self._expected.items()}

    @cached_property
    def mended(self) -> JsonObject | None:
        """Return the input without its one fault, or None if it has none."""
        if self._mended is None or not self.recipe:
            return self._mended
        return expand_object(self._mended)

    @property
    def readings(self) -> tuple[str, ...]:
        """Return the readings that have a result."""
        return tuple(self._expected)

    @property
    def system(self) -> str:
        """Return the name of the vector's system."""
        return self.id.partition("/")[0]

    @property
    def topic(self) -> str:
        """Return the name of the corpus file that holds the vector, without `.json`."""
        return self.id.split("/")[1]

    @property
    def tier(self) -> Tier:
        """Return the tier: `random` if nobody wrote the vector, otherwise that of its topic."""
        return "random" if self.lineage is not None else tier_of(self.id)

    def to_json(self) -> JsonObject:
        """Return the vector as the corpus writes it, without empty fields.

        It has `expected_by_reading` if the readings differ, and one `expected` if they do not.
        """
        value = plain(self)
        del value["readings_differ"]
        if not self.readings_differ:
            return value | {"expected": next(iter(self._expected.values()))}
        return {_BY_READING if name == "expected" else name: each for name, each in value.items()}

    @property
    def written_out(self) -> Vector:
        """Return the vector with its input and results in full instead of recipes."""
        return evolve(
            self, input=self.input, expected=self.expected, mended=self.mended, recipe=False
        )

    @classmethod
    def from_json(cls, value: JsonObject, readings: tuple[str, ...]) -> Vector:
        """Return the vector that a corpus file describes. Raises MalformedError.

        readings: all readings of the system. A single `expected` applies to each of them.
        """
        fields = dict(value)
        if fields.get("recipe") is True:
            for name in ("input", "expected", _BY_READING, "mended"):
                check_recipe(fields.get(name))
        differ = _BY_READING in fields
        expected = fields.pop(_BY_READING if differ else "expected", None)
        return read(
            {
                **fields,
                "expected": expected if differ else dict.fromkeys(readings, expected),
                "readings_differ": differ,
            },
            cls,
        )
