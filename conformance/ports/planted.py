"""Plant bugs in copies of the ports, one at a time, and ask which vectors find them.

usage: planted.py [--port rust|javascript] [--bug NAME] [SYSTEM ...]

`planted/SYSTEM.toml` lists the bugs: 30 a system, of the kind that people make. Each bug replaces
one text of one source file. The script prints for each bug how many vectors give a wrong answer,
and some of them. With `--json FILE` it also writes all of them to a file.

A bug that turned out to be harmless has an argument in the list; no vector may find it.

Exit codes: 0 every bug is found or harmless, 1 a bug is missed, or a harmless one is found, 2 a bug
cannot be planted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from scratch import PORTS, SYSTEMS, Scratch, ScratchError, scratch_of

SHOWN: Final = 3
"""How many vectors are named on a line."""


class PlantError(Exception):
    """A bug that cannot be planted: the sources changed, or its text has a mistake."""


@frozen(kw_only=True)
class Bug:
    """A change of a port's source.

    kind: what sort of mistake it is. file: a path in the port. before: a text that occurs once in
    it. after: the text in its place. missed_at_first: whether no vector found it when the list was
    new. harmless: why no input can show it, if that is so. open: why no vector shows it yet.
    """

    system: str
    name: str
    kind: str
    port: str
    file: str
    before: str
    after: str
    missed_at_first: bool = False
    harmless: str = ""
    open: str = ""

    def plant(self, text: str) -> str:
        """Return a source text with the bug. Raises PlantError."""
        if text.count(self.before) != 1:
            raise PlantError(f"{self.name}: {self.file} does not contain its text exactly once")
        return text.replace(self.before, self.after)


def load_bugs(system: str) -> tuple[Bug, ...]:
    """Return the bugs of a system. Raises TypeError if a field is unknown or missing."""
    path = PORTS / "planted" / f"{system}.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    return tuple(Bug(system=system, **each) for each in listed)


def found_by(bug: Bug, scratch: Scratch) -> tuple[str, ...] | None:
    """Return the vectors that find a bug in a copy; None if the copy hangs.

    The copy is as before afterwards. Raises PlantError, ScratchError.
    """
    path = scratch.folder / bug.file
    text = path.read_text(encoding="utf-8")
    path.write_text(bug.plant(text), encoding="utf-8")
    try:
        return scratch.wrong_vectors(bug.system)
    finally:
        path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Plant the chosen bugs and print what the corpus says."""
    given = _parser().parse_args(arguments)
    bugs = [bug for system in given.system or SYSTEMS for bug in load_bugs(system)]
    chosen = [
        bug
        for bug in bugs
        if given.port in (None, bug.port) and (not given.bug or bug.name in given.bug)
    ]
    try:
        results = dict(_results(chosen))
    except (PlantError, ScratchError) as error:
        print(error, file=sys.stderr)
        return 2
    if given.json:
        lines = json.dumps(results, indent=1, sort_keys=True)
        given.json.write_text(lines + "\n", encoding="utf-8")
    found = {name for name, vectors in results.items() if vectors != ()}
    harmless = {f"{bug.system}/{bug.name}" for bug in chosen if bug.harmless}
    missed = len(results.keys() - found - harmless)
    print(
        f"planted {len(results)} bugs: {len(found)} found, {len(harmless - found)} harmless, "
        f"{missed} missed"
    )
    for name in sorted(harmless & found):
        print(f"{name} is found: its argument is wrong")
    return 1 if missed or harmless & found else 0


def _results(bugs: Sequence[Bug]) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield each bug's name in its system, and the vectors that find it."""
    for port in ("rust", "javascript"):
        planted = [bug for bug in bugs if bug.port == port]
        scratch = scratch_of(port) if planted else None
        for bug in planted:
            assert scratch is not None
            vectors = found_by(bug, scratch)
            print(f"{bug.system} {port} {bug.name}: {_shown(vectors)}", flush=True)
            yield f"{bug.system}/{bug.name}", vectors


def _shown(vectors: tuple[str, ...] | None) -> str:
    if vectors is None:
        return "found: it gives no answer"
    if not vectors:
        return "MISSED"
    more = " ..." if len(vectors) > SHOWN else ""
    return f"found by {len(vectors):,}: {' '.join(vectors[:SHOWN])}{more}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Plant bugs in the ports and ask the corpus.")
    parser.add_argument("system", nargs="*", choices=[*SYSTEMS, []], help="default: all systems")
    parser.add_argument("--port", choices=["rust", "javascript"], help="default: both")
    parser.add_argument("--bug", action="append", help="the name of a bug; default: all")
    parser.add_argument("--json", type=Path, help="a file for all results")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
