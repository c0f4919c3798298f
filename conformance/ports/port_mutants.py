"""Mutants of a port as its tool reports them, and the list of those that no input can show.

An entry of `rust/equivalent.toml` or `javascript/equivalent.toml` names a mutant by its text,
not by a line number, so that it stays valid while the code around it moves:

    [[equivalent]]
    file = "history-merge/lcau.js"
    line = "while (counts[COMMON] > 0 || (counts[LEFT] > 0 && counts[RIGHT] > 0)) {"
    kind = "EqualityOperator"
    before = "counts[LEFT] > 0"
    after = "counts[LEFT] >= 0"
    argument = "Why no input of an operation can show the change."

`line` is the line of the source on which the change begins. If a file has the same change on equal
lines, `occurrence` tells them apart, from 0.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import asdict, evolve, frozen

from scratch import PORTS

KILLED: Final = "killed"
SURVIVED: Final = "survived"
INVALID: Final = "invalid"
"""Fates. A mutant is invalid if it does not compile or start."""

_LONGEST: Final = 160

Change = tuple[str, str, str, str, str, int]


@frozen(kw_only=True)
class Mutant:
    """A change and what the corpus says of it.

    line: the first source line of the change. kind: the tool's name for the kind of change. span:
    the first and last line and column of the changed text, from 1; the last column is behind it.
    before, after: shortened texts. replacement: the whole text in place of the changed one.
    """

    file: str
    line: str
    kind: str
    before: str
    after: str
    fate: str
    occurrence: int = 0
    span: tuple[int, int, int, int] = (0, 0, 0, 0)
    replacement: str = ""

    @property
    def change(self) -> Change:
        """Return the fields by which an entry names the mutant."""
        return (self.file, self.line, self.kind, self.before, self.after, self.occurrence)


@frozen(kw_only=True)
class Equivalent:
    """An entry of the list: a change, and why no input can show it."""

    file: str
    line: str
    kind: str
    before: str
    after: str
    argument: str
    occurrence: int = 0

    @property
    def change(self) -> Change:
        """Return the fields by which the entry names its mutant."""
        return (self.file, self.line, self.kind, self.before, self.after, self.occurrence)


def span_of(location: Mapping[str, Mapping[str, int]]) -> tuple[int, int, int, int]:
    """Return the span of a mutant from the start and the end in a report."""
    start, end = location["start"], location["end"]
    return (start["line"], start["column"], end["line"], end["column"])


def mutant_of(
    file: str, source: str, kind: str, span: tuple[int, int, int, int], replacement: str, fate: str
) -> Mutant:
    """Return a mutant from what its tool reports. source: the text of the file."""
    first, left, last, right = span
    lines = source.splitlines()
    changed = lines[first - 1 : last]
    changed[-1] = changed[-1][: right - 1]
    changed[0] = changed[0][left - 1 :]
    return Mutant(
        file=file,
        line=_short(lines[first - 1]),
        kind=kind,
        before=_short(" ".join(changed)),
        after=_short(replacement),
        fate=fate,
        span=(first, left, last, right),
        replacement=replacement,
    )


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."


def numbered(mutants: Iterable[Mutant]) -> tuple[Mutant, ...]:
    """Return the mutants in the order of the sources, equal changes with their number."""
    seen: Counter[Change] = Counter()
    counted = []
    for mutant in sorted(mutants, key=lambda each: (each.file, each.span)):
        counted.append(evolve(mutant, occurrence=seen[mutant.change]))
        seen[mutant.change] += 1
    return tuple(counted)


def load_equivalent(port: str) -> tuple[Equivalent, ...]:
    """Return the list of a port; empty if there is none. Raises TypeError for an invalid entry."""
    path = PORTS / port / "equivalent.toml"
    if not path.exists():
        return ()
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
    return tuple(Equivalent(**entry) for entry in entries)


def faults(mutants: Sequence[Mutant], argued: Sequence[Equivalent]) -> tuple[str, ...]:
    """Return what is wrong: survivors without an entry; entries refuted, twice or of no mutant.

    An entry of a file that was not run counts as right.
    """
    fates = {mutant.change: mutant.fate for mutant in mutants}
    entries = {entry.change for entry in argued}
    files = {mutant.file for mutant in mutants}
    return (
        *(
            f"{mutant.file}:{mutant.span[0]}: {mutant.kind} survives without an entry: "
            f"{mutant.before} -> {mutant.after}"
            for mutant in mutants
            if mutant.fate == SURVIVED and mutant.change not in entries
        ),
        *(
            f"{entry.file}: {entry.kind} {entry.before} -> {entry.after}: {problem}"
            for entry in argued
            if entry.file in files and entry.argument.strip()
            for problem in [_problem(fates.get(entry.change))]
            if problem
        ),
        *(
            f"{file}: {kind} {before} -> {after}: {count} entries name the same mutant"
            for (file, _, kind, before, after, _), count in Counter(
                entry.change for entry in argued
            ).items()
            if count > 1
        ),
        *(
            f"{entry.file}: an entry has no argument"
            for entry in argued
            if not entry.argument.strip()
        ),
    )


def _problem(fate: str | None) -> str:
    if fate is None:
        return "the entry names no mutant"
    return "the entry is refuted, a vector kills the mutant" if fate == KILLED else ""


def save(path: Path, mutants: Sequence[Mutant]) -> None:
    """Write mutants to a JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps([asdict(mutant) for mutant in mutants], indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def load(path: Path) -> tuple[Mutant, ...]:
    """Return the mutants of a JSON file."""
    listed = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Mutant(**{**each, "span": tuple(each["span"])}) for each in listed)
