"""The steps of the actions of clients: what a poll sees, fetches, finds and does; what is uploaded.

The actions note their steps in a recorder while they run. Versions are noted as the design has
them: snapshots or version maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:  # these modules import the readings, which hold a recorder
    from rejoin.conflict_detection.definitions import Classification

CLASSIFIED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "overwrite": "CD-CLASSIFY-OVERWRITE",
        "conflict": "CD-CLASSIFY-CONFLICT",
        "stale": "CD-CLASSIFY-STALE",
        "same": "CD-CLASSIFY-SAME",
    }
)
"""Classification -> the clause that gives it."""


@frozen
class LookStep:
    """A client looks at a path in another directory. version: the linked version, or None.

    The steps after it, up to the next look or upload, belong to this look.
    """

    client: str
    other: str
    path: str
    version: Any

    @property
    def clause(self) -> str:
        """Return the clause about a look at a path."""
        return "CD-POLL-NOTHING" if self.version is None else "CD-POLL-SUBSCRIBED"


@frozen
class FetchStep:
    """Snapshots are fetched. fetched: those that exist. clause: says which ones are fetched."""

    fetched: frozenset[bytes]
    clause: str


@frozen
class ClassifyStep:
    """The linked version is classified. first: whether the client has no version of the file."""

    classification: Classification
    first: bool

    @property
    def clause(self) -> str:
        """Return the clause that gives the classification."""
        return "CD-CLASSIFY-FIRST" if self.first else CLASSIFIED_BY[self.classification.value]


@frozen
class ReclassifyStep:
    """An overwrite becomes a conflict. unsaved: because of a local change, or of a blocked name."""

    unsaved: bool

    @property
    def clause(self) -> str:
        """Return the clause that makes the overwrite a conflict."""
        return "CD-OVERWRITE-UNSAVED" if self.unsaved else "CD-PATH-BLOCKED"


@frozen
class OverwriteStep:
    """The local file is replaced. content: its new content, or None if it is removed."""

    clause: ClassVar = "CD-OVERWRITE-APPLY"
    content: bytes | None


@frozen
class HoldStep:
    """The linked version is held. content: that of its conflict file, or None if it has none."""

    clause: ClassVar = "CD-CONFLICT-APPLY"
    content: bytes | None


@frozen
class DropLinkStep:
    """The client removes its link to a deletion."""

    clause: ClassVar = "CD-DELETE-DROP-LINK"


@frozen
class UploadStep:
    """A version is uploaded.

    follows: the versions that it directly follows: first the current one, if there is one, and then
    those of conflict files that went away. content: None for a deletion.
    """

    client: str
    path: str
    version: Any
    follows: tuple[Any, ...]
    content: bytes | None
    clause: str


ActionStep: TypeAlias = (
    LookStep
    | FetchStep
    | ClassifyStep
    | ReclassifyStep
    | OverwriteStep
    | HoldStep
    | DropLinkStep
    | UploadStep
)


@frozen(eq=False)
class ActionRecorder:
    """Notes the steps of actions, in order."""

    _steps: list[ActionStep] = field(factory=list, init=False)

    def note(self, step: ActionStep) -> None:
        """Add a step.

        Clauses: CD-STEPS-LIST
        """
        self._steps.append(step)

    def taken(self) -> tuple[ActionStep, ...]:
        """Return the steps that were noted, and forget them.

        Clauses: CD-STEPS-LIST
        """
        steps = tuple(self._steps)
        self._steps.clear()
        return steps
