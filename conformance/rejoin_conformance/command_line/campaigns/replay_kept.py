"""The histories in a file of vectors, as `rejoin replay FILE` prints them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from rejoin_conformance.command_line.console import chosen_reading
from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_EVERY, OF_MODEL, KeptHistory
from rejoin_conformance.corpus.load import CorpusError, load_histories
from rejoin_conformance.kit.json_types import Json


@frozen
class ReplayedKept:
    """A history from a file, and the reading to run it under."""

    system: System
    kept: KeptHistory
    history: Any
    reading: str

    def to_json(self) -> Json:
        """Return the history as data, with the laws that it breaks."""
        broken: list[Json] = [f"{law} {kind}" for law, kind, _ in self._broken()]
        return {**self.kept.to_json(), "reading": self.reading, "broken": broken}

    def text(self) -> str:
        """Return the origin of the history, its events and the laws that it breaks."""
        return "\n".join(
            [
                f"{self.kept.name} [{self.reading}]",
                f"  {self.kept.shows}",
                f"  {self.origin()}",
                "",
                *self.system.describe(self.history, self.reading).splitlines(),
                "",
                *(f"{law} BROKEN\n    {kind}: {detail}" for law, kind, detail in self._broken()),
            ]
        )

    def origin(self) -> str:
        """Return the command that reproduces the history before it was shrunk."""
        name, lineage = self.system.name, self.kept.lineage
        if lineage.profile.startswith(OF_MODEL):
            steps = lineage.profile.rpartition("-")[2]
            every = lineage.profile.startswith(OF_EVERY)
            which = (
                f"--every-to-depth {steps}" if every else f"--depth {steps} --seed {lineage.seed}"
            )
            return (
                f"shrunk from behaviour {lineage.index} of: rejoin model behaviours {name} {which}"
            )
        origin = f"--seed {lineage.seed} --index {lineage.index} --profile {lineage.profile}"
        return f"shrunk from: rejoin replay {name} {origin} --reading {self.reading}"

    def _broken(self) -> Iterable[tuple[str, str, str]]:
        """Return law, kind and detail of the first violation of each kind."""
        try:
            violations = self.system.histories.examine(self.history, self.reading).violations
        except Exception as error:  # noqa: BLE001 - the history may be kept for this exception
            return [("no-crash", type(error).__name__, str(error))]
        first = {(each.law, each.kind): each.detail for each in reversed(violations)}
        return [(law, kind, detail) for (law, kind), detail in sorted(first.items())]


def kept_in(path: Path, reading: str | None) -> list[ReplayedKept]:
    """Return the histories of a file.

    reading: the reading to run them under; None for the reading in which each broke a law.
    Raises CorpusError if the file is not a file of vectors, or one of its histories is invalid.
    """
    name, histories = load_histories(path)
    system = system_named(name)
    found: list[ReplayedKept] = []
    for kept in histories:
        try:
            history = system.histories.from_json(kept.history)
        except NotAHistoryError as error:
            raise CorpusError(f"{path}: {kept.name} is not a history of {name}: {error}") from None
        named = reading or next(iter(kept.lineage.readings), None)
        found.append(ReplayedKept(system, kept, history, chosen_reading(system, named)))
    return found
