"""The plan of a campaign. Campaigns with equal plans have equal digests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from attrs import Attribute, evolve, field, frozen, validators

from rejoin_conformance.adapters.limits import LONGEST
from rejoin_conformance.adapters.run_options import WrongUsageError, one_of
from rejoin_conformance.adapters.runner.cases import refuse_unknown_readings
from rejoin_conformance.adapters.runner.declared import OwnCodes
from rejoin_conformance.adapters.runner.known_failures import is_of_kind
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_forms import NOT_EMPTY, OPTIONAL
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import did_you_mean
from rejoin_conformance.readings.expressions import UnknownReadingError
from rejoin_conformance.readings.in_force import Side, is_rule_file, side_of

BLOCK_SIZE: Final = 250
"""The number of histories in a block. A block is counted, digested and kept as a unit."""

DEFAULT_SEED: Final = 1
"""The default seed of a campaign."""

LEAST_SEED: Final = -(2**63)
MOST_SEED: Final = 2**63 - 1
"""The seeds of a campaign: integers of 64 bits, as the table of campaigns has them."""

ANSWER_TIMEOUT: Final = 10
"""The default number of seconds that an adapter has to answer."""

CHECK_EVERY: Final = 100  # 1 of this many
"""The answers of the oracle that the reference checks by default."""

MOST_HISTORIES: Final = 10_000_000_000
"""The driver holds 33 bytes for each block: 1.3 GB for this many histories."""


AS_GIVEN: Final = ("bounds", "rule_path", "codes_path")
"""The fields of a plan on which no digest depends: the bounds, and how files were named."""

HISTORY_TIMEOUT: Final = 60
"""The default number of seconds that a history may take."""

LawsBy: TypeAlias = Literal["reference", "oracle"]
"""What runs the histories on which laws are checked."""


@frozen(kw_only=True)
class Bounds:
    """How a history is examined, and what that may take. A campaign's digest is without it."""

    history_timeout: int = opt(
        "Seconds that a history may take; a longer one is quarantined. With an adapter, they begin "
        "anew with each answer.",
        HISTORY_TIMEOUT,
        least=1,
        most=LONGEST,
    )
    max_memory: int = opt(
        "GiB of memory that the process that runs histories, and the adapter's, may take; 0 for no "
        "limit.",
        4,
        metavar="GIB",
        least=0,
        most=LONGEST,
    )

    laws_by: LawsBy = opt(
        "Without --adapter: what runs histories. The oracle is faster. It has not every system.",
        "reference",
    )
    no_oracle: bool = opt(
        "With --adapter: let the reference answer, even if the oracle is installed.",
        default=False,
    )
    check_every: int = opt(
        "The reference checks 1 of this many answers or runs of the oracle.",
        CHECK_EVERY,
        metavar="N",
        least=1,
        most=LONGEST,
    )


@frozen(kw_only=True)
class Drawn:
    """The histories 0 .. histories - 1 of (system, profile, seed), in blocks of `block_size`."""

    block_size: ClassVar[int]
    system: str
    profile: str
    seed: int
    histories: int = field(validator=[validators.ge(1), validators.le(MOST_HISTORIES)])

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return -(-self.histories // self.block_size)

    def indices(self, block: int) -> range:
        """Return the indices of the histories of one block. The last block can be shorter."""
        first = block * self.block_size
        return range(first, min(first + self.block_size, self.histories))

    def history(self, index: int) -> Any:
        """Return one of the histories."""
        return system_named(self.system).history(self.profile, self.seed, index)


def _no_text(_plan: Plan, name: Attribute[tuple[str, ...]], value: object) -> None:
    """Refuse a text: it is a sequence too, of its characters."""
    if isinstance(value, str):
        raise WrongUsageError(f"{name.name}: expected a tuple of texts, not the text {value!r}")


@frozen(kw_only=True)
class Plan(Drawn):
    """Histories to examine under each of the readings.

    adapter: the command line of an adapter to compare with the reference; None to check the laws.
        timeout: the seconds that it has to answer. operations: the only operations to ask it; empty
        for all that it declares. leave_out: features to leave out of the operations, besides those
        that it leaves out. known: shell patterns of the kinds of difference that are expected.
    bounds: what one history may take. Equal plans can have different bounds.
    rule: the text of the rule file that is the only reading; None if the readings are not files.
        rule_path: how the command line named the file.
    strict_codes: whether the codes of rejections are compared. codes: system -> the adapter's name
        for a code -> the codes of the spec. codes_path: how the command line named their file.
    """

    block_size: ClassVar[int] = BLOCK_SIZE
    readings: Annotated[tuple[str, ...], NOT_EMPTY] = field(validator=_no_text)
    adapter: str | None = field(default=None, metadata=OPTIONAL)
    timeout: int = field(default=ANSWER_TIMEOUT, validator=validators.ge(1))
    rule: str | None = field(default=None, metadata=OPTIONAL)
    operations: tuple[str, ...] = field(default=(), validator=_no_text, metadata=OPTIONAL)
    leave_out: tuple[str, ...] = field(default=(), validator=_no_text, metadata=OPTIONAL)
    known: tuple[str, ...] = field(default=(), validator=_no_text, metadata=OPTIONAL)
    bounds: Bounds = field(factory=Bounds, eq=False, metadata=OPTIONAL)
    rule_path: str = field(default="", eq=False, metadata=OPTIONAL)
    strict_codes: bool = field(default=False, metadata=OPTIONAL)
    codes: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        factory=dict, hash=False, metadata=OPTIONAL
    )
    codes_path: str = field(default="", eq=False, metadata=OPTIONAL)

    @property
    def compared_codes(self) -> OwnCodes | None:
        """Return the adapter's names for codes; None if codes are not compared."""
        return OwnCodes(self.codes) if self.strict_codes else None

    def knows(self, kind: str, reading: str) -> bool:
        """Return whether a kind of difference is expected in a reading."""
        return any(is_of_kind(kind, reading, pattern) for pattern in self.known)

    def to_json(self) -> JsonObject:
        """Return the plan as data. The campaign's digest starts with it.

        The data have the timeout only if there is an adapter.
        """
        value = plain(self) | {"block_size": BLOCK_SIZE}
        for name in AS_GIVEN:
            value.pop(name, None)
        if self.adapter is None:
            del value["timeout"]
        return value

    def as_given(self) -> JsonObject:
        """Return the fields of `AS_GIVEN` that are not the defaults. A store keeps them too."""
        value = plain(self)
        return {name: value[name] for name in AS_GIVEN if name in value}

    @classmethod
    def from_json(cls, value: JsonObject) -> Plan:
        """Return the plan that the data describe. Raises MalformedError."""
        fields = {name: each for name, each in value.items() if name != "block_size"}
        return read({"timeout": ANSWER_TIMEOUT, **fields}, cls)


def asked_operations(system: System, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the operations of a system that some patterns choose, with or without its name."""
    names = [operation.name for operation in system.operations]
    return tuple(
        name
        for name in names
        if any(fnmatchcase(form, p) for p in patterns for form in _forms(name))
    )


def chosen_operations(systems: Sequence[System], patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the operations that some patterns choose.

    Raises WrongUsageError if one of the patterns chooses none.
    """
    for pattern in patterns:
        if not any(asked_operations(system, (pattern,)) for system in systems):
            every = [form for each in systems for op in each.operations for form in _forms(op.name)]
            near = did_you_mean(pattern, every)
            raise WrongUsageError(f"--operation {pattern}: there is no such operation{near}")
    return tuple(name for system in systems for name in asked_operations(system, patterns))


def checked(plan: Plan) -> Plan:
    """Return a plan whose system, profile, readings and operations exist.

    Operations can be patterns in the plan; in the result they are names. Raises WrongUsageError.
    """
    system = known_system(plan.system)
    known_profile(system, plan.profile)
    for each in plan.readings if plan.rule is None else ():
        known_reading(system, each)
    if plan.adapter is not None:
        refuse_unknown_readings(plan.readings, [system])
    return evolve(plan, operations=chosen_operations([system], plan.operations))


def known_system(name: str) -> System:
    """Return the system of this name. Raises WrongUsageError for any other name."""
    return system_named(one_of("system", name, system_names()))


def known_profile(system: System, name: str) -> str:
    """Return the profile if the system has it. Raises WrongUsageError for any other name."""
    return one_of("profile", name, system.histories.profiles, f"{system.name}: ")


def known_side(system: System, given: str) -> Side:
    """Return the reading or rule file of this name. Raises WrongUsageError for any other name."""
    try:
        return side_of(given, system)
    except UnknownReadingError as error:
        raise WrongUsageError(f"{system.name}: {error}") from None


def known_reading(system: System, given: str) -> str:
    """Return the reading or expression of this name. Raises WrongUsageError for any other name."""
    if is_rule_file(given):
        raise WrongUsageError(f"{given}: a rule file is not possible here; name a reading")
    return known_side(system, given).name


def _forms(operation: str) -> tuple[str, str]:
    return operation, operation.partition("/")[2]


def gaps(finished: bytearray) -> Iterator[range]:
    """Yield the runs of zeros, in ascending order: the numbers that are not finished."""
    start = finished.find(0)
    while start >= 0:
        end = finished.find(1, start)
        stop = end if end >= 0 else len(finished)
        yield range(start, stop)
        start = finished.find(0, stop)
