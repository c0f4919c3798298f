"""The steps of conflict resolution: the messages set aside, the base, each replay, what is kept.

`resolve_messages` and `merge` note their steps in a recorder while they run.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:  # these modules import the readings, which hold a recorder
    from rejoin.config_merge.application_data import Dict
    from rejoin.config_merge.config_diffs import LaggedDiff, Rank
    from rejoin.config_merge.diff_updates import Diff
    from rejoin.config_merge.ignored_updates import Why
    from rejoin.config_merge.messages import Message

IGNORED_BY: Final[Mapping[Why, str]] = MappingProxyType(
    {
        "invalid": "CM-IGNORE-INVALID",
        "duplicate": "CM-IGNORE-DUPLICATE",
        "stale": "CM-IGNORE-STALE",
        "included": "CM-IGNORE-INCLUDED",
    }
)
"""The reason to ignore a message -> the clause that gives it."""


@frozen
class IgnoreStep:
    """A message is ignored. index: its place in the input, from 0."""

    index: int
    why: Why

    @property
    def clause(self) -> str:
        """Return the clause that gives the reason."""
        return IGNORED_BY[self.why]


@frozen
class SurvivorsStep:
    """The messages that are not ignored, in ascending order of rank."""

    clause: ClassVar = "CM-RESOLVE-ORDER"
    messages: tuple[Message, ...]


@frozen
class ResultStep:
    """The result is a survivor. alone: whether it is the only one; if not, nobody can sign."""

    rank: Rank
    alone: bool

    @property
    def clause(self) -> str:
        """Return the clause by which no merge is made."""
        return "CM-RESOLVE-SINGLE" if self.alone else "CM-SIGN-CANNOT-MERGE"


@frozen
class SeqnoStep:
    """newseqno, the seqno of the merge."""

    clause: ClassVar = "CM-RESOLVE-SEQNO"
    seqno: int


@frozen
class BaseStep:
    """The highest-ranked survivor, and its data, with which the merge starts."""

    clause: ClassVar = "CM-RESOLVE-BASE"
    rank: Rank
    data: Dict


@frozen
class ReplayStep:
    """An entry of the replay set is applied.

    rank, diff: the seqno and hash of the entry, and its diff. source: the rank of the message that
    supplies its values. data: the data after the entry.
    """

    rank: Rank
    diff: Diff
    source: Rank
    data: Dict

    @property
    def clause(self) -> str:
        """Return the clause by which the entry is in the replay set."""
        own = self.rank == self.source
        return "CM-RESOLVE-REPLAY-OWN" if own else "CM-RESOLVE-REPLAY-LAGGED"


@frozen
class PruneStep:
    """The data after empty sets and dicts are removed, if the reading does so at the end."""

    clause: ClassVar = "CM-RESOLVE-PRUNE"
    data: Dict


@frozen
class KeepStep:
    """The entries of the replay set that become lagged diffs of the merge, in order."""

    clause: ClassVar = "CM-RESOLVE-LAGGED"
    rows: tuple[LaggedDiff, ...]


@frozen
class MessageStep:
    """The merge. encoded: its bytes."""

    clause: ClassVar = "CM-RESOLVE-DIFF-EMPTY"
    encoded: bytes


ResolveStep: TypeAlias = (
    IgnoreStep
    | SurvivorsStep
    | ResultStep
    | SeqnoStep
    | BaseStep
    | ReplayStep
    | PruneStep
    | KeepStep
    | MessageStep
)


@frozen(eq=False)
class ResolveRecorder:
    """Notes the steps of one resolution, in order."""

    _steps: list[ResolveStep] = field(factory=list, init=False)

    def note(self, step: ResolveStep) -> None:
        """Add a step.

        Clauses: CM-STEPS-LIST
        """
        self._steps.append(step)

    def steps(self) -> tuple[ResolveStep, ...]:
        """Return the steps that were noted.

        Clauses: CM-STEPS-LIST
        """
        return tuple(self._steps)
