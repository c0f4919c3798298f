"""The lines of a results file as values: a header, one record for each verdict, a footer.

The field `volatile` of each line holds values that vary from run to run. All other fields depend
only on the adapter's answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import Annotated, Final, TypeAlias

from attrs import field, frozen

from rejoin_conformance.adapters.results.configuration import Configuration
from rejoin_conformance.adapters.results.failure_steps import FailureSteps
from rejoin_conformance.adapters.runner.cases import (
    FAILURES,
    VERDICTS,
    WRONG_REASON,
    Fault,
    Outcome,
    Verdict,
)
from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.tier import Level
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_forms import OPTIONAL, Where, unexpected, within
from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of

FORMAT: Final = 2

_VECTOR_ID: Final = Where(lambda name: name.count("/") == 2, "SYSTEM/TOPIC/NAME")

Key: TypeAlias = tuple[str, str]
"""(ID of the vector, reading)."""


@frozen
class Header:
    """The first line: the adapter, the vectors and the options of the run."""

    configuration: Configuration
    volatile: JsonObject
    format: int = FORMAT


@frozen(kw_only=True)
class Volatile:
    """The fields of a record that vary from run to run; `Outcome` describes them."""

    microseconds: Annotated[int, within(0)] = 0
    stderr: str = field(default="", metadata=OPTIONAL)
    first_attempt: str = field(default="", metadata=OPTIONAL)
    restarted: bool = field(default=False, metadata=OPTIONAL)


@frozen(kw_only=True)
class Record:
    """The line of one verdict. Only a failure has the fields from `summary` to `fault` and `steps`.

    missing: for `not-declared`, the feature that the adapter leaves out and the vector needs.
    observed: the reply without its number; None if there was none.
    steps: for a wrong output that a report tells in full, its steps.
    is_decided: for a failure, whether the reference was asked without one clause at a time. Then
        `decides` has the clauses without which it gives another answer: those of `alike` the
        observed one. A fault in code counts as absence. `closest` has those without which it goes
        wrong for most nearly the same vectors.
    """

    id: Annotated[str, _VECTOR_ID]
    reading: str
    operation: str
    clauses: tuple[str, ...]
    level: Level
    verdict: Verdict
    summary: str = field(default="", metadata=OPTIONAL)
    input: JsonObject | None = field(default=None, metadata=OPTIONAL)
    expected: JsonObject | None = field(default=None, metadata=OPTIONAL)
    observed: JsonObject | None = field(default=None, metadata=OPTIONAL)
    explanation: str = field(default="", metadata=OPTIONAL)
    fault: Fault = field(default="", metadata=OPTIONAL)
    missing: str = field(default="", metadata=OPTIONAL)
    steps: FailureSteps | None = field(default=None, metadata=OPTIONAL)
    decides: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    alike: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    closest: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    is_decided: bool = field(default=False, metadata=OPTIONAL)
    volatile: Volatile = Volatile()

    @property
    def asked(self) -> Asked:
        """Return the question of a failure with both answers."""
        return Asked(
            operation=self.operation,
            reading=self.reading,
            input=self.input or {},
            expected=self.expected,
            observed=self.observed,
        )

    @property
    def key(self) -> Key:
        """Return the vector and the reading, which name the record in its file."""
        return (self.id, self.reading)

    @property
    def system(self) -> str:
        """Return the name of the vector's system."""
        return self.id.partition("/")[0]

    @property
    def lists_steps(self) -> bool:
        """Return whether the operation only lists the steps of another one."""
        if self.system not in system_names():
            return False
        operation = system_named(self.system).operation(self.operation)
        return operation is not None and bool(operation.steps_of)

    @property
    def answers(self) -> bool:
        """Return whether the adapter was asked."""
        return self.verdict != "not-declared"

    @property
    def kind(self) -> str:
        """Return the verdict as reports name it: a wrong reason is a kind of its own."""
        return WRONG_REASON if self.fault == WRONG_REASON else self.verdict

    @property
    def failed(self) -> bool:
        """Return whether the verdict is a failure."""
        return self.verdict in FAILURES


@frozen
class Footer:
    """The last line of a finished run.

    verdicts: verdict -> the number of records. digest: of all records, as hex.
    """

    verdicts: Mapping[str, int]
    digest: str
    volatile: JsonObject


Line: TypeAlias = Header | Record | Footer


def record(outcome: Outcome) -> Record:
    """Return the record of an outcome."""
    vector, failed = outcome.case.vector, outcome.verdict in FAILURES
    volatile = Volatile(
        microseconds=outcome.microseconds,
        stderr=outcome.stderr if failed else "",
        first_attempt=outcome.first_attempt,
        restarted=outcome.restarted,
    )
    return Record(
        id=vector.id,
        reading=outcome.case.reading,
        operation=vector.operation,
        clauses=vector.clauses,
        level=vector.level,
        verdict=outcome.verdict,
        summary=vector.summary if failed else "",
        input=vector.input if failed else None,
        expected=outcome.case.expected if failed else None,
        observed=outcome.observed,
        explanation=outcome.explanation,
        fault=outcome.fault,
        missing=outcome.missing,
        volatile=volatile,
    )


def footer(records: Collection[Record], volatile: JsonObject) -> Footer:
    """Return the footer of a run with these records. Its digest leaves out what is volatile."""
    listed: list[Json] = [
        {name: value for name, value in line_of(each).items() if name != "volatile"}
        for each in sorted(records, key=attrgetter("key"))
    ]
    return Footer(count_verdicts(records), digest_of({"records": listed}), volatile)


def count_verdicts(records: Iterable[Record]) -> dict[str, int]:
    """Return verdict -> the number of records, for every verdict."""
    counted = Counter(each.verdict for each in records)
    return {verdict: counted[verdict] for verdict in VERDICTS}


_KINDS: Final[Mapping[str, type[Line]]] = {"header": Header, "vector": Record, "footer": Footer}


def line_of(line: Line) -> JsonObject:
    """Return a line as JSON: the name of its kind under `type`, and its fields.

    A failure without a reply says so.
    """
    name = next(name for name, kind in _KINDS.items() if isinstance(line, kind))
    observed = {"observed": line.observed} if isinstance(line, Record) and line.failed else {}
    return {"type": name, **plain(line), **observed}


def read_line(value: Json) -> Line:
    """Return the line that JSON describes. Raises MalformedError."""
    fields = {**read(value, JsonObject)}
    name = fields.pop("type", None)
    if not isinstance(name, str) or name not in _KINDS:
        raise unexpected(f"one of {', '.join(_KINDS)}", name).inside(".type")
    return read(fields, _KINDS[name])
