"""Compare the digests of default histories with those of the commit before the work on speed.

usage: same_results.py record [--commit COMMIT] [--histories N]
       same_results.py check [--compiled] [--histories N] [SYSTEM ...]

`record` examines the histories in a temporary checkout of the commit and writes `same_results.json`
after each part. After an interruption, the same command continues. `check` examines the histories
in this checkout, or in the compiled build, and compares. Both examine every system under each of
its readings, on all cores. 100,000 histories take about an hour of CPU time.

A block has 250 histories. Its digest covers every result, and the count of every law and of
everything that the histories reach. A part has 10,000 histories. Its digest is the SHA-256 of the
digests of its blocks. The file also has the digests of the first two blocks, for a quick check.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from rejoin_conformance.campaigns.plan import BLOCK_SIZE
from rejoin_conformance.contract.registry import all_systems, system_names
from speed_measures import DoesNotRunError, work
from speed_trees import (
    BASELINE,
    COMPILED,
    NoBaselineError,
    StaleBuildError,
    Tree,
    compiled_build,
    earlier,
    full_name,
    this_checkout,
)

KEPT: Final = Path(__file__).with_name("same_results.json")
PART: Final = 10_000
FIRST: Final = 500
"""The number of histories whose blocks have their own digests in the file."""

HISTORIES: Final = 100_000
_BUILD: Final = "from rejoin_conformance.kit.source import build; print(build())"

Sought: TypeAlias = tuple[str, str]
"""(system, reading)."""


class NotRecordedError(Exception):
    """The file does not have the digests that a check needs. The message says what to do."""


@frozen
class Digests:
    """The digests of the histories of one system under one reading.

    blocks: one for each of the first blocks. parts: first history of a part -> its digest.
    """

    blocks: tuple[str, ...] = ()
    parts: Mapping[int, str] = field(factory=dict)

    def expected(self, histories: range) -> str | None:
        """Return the digest of a part, or of one of the first blocks; None if there is none."""
        if len(histories) == PART:
            return self.parts.get(histories.start)
        block = histories.start // BLOCK_SIZE
        return self.blocks[block] if block < len(self.blocks) else None


@frozen
class Recorded:
    """The file. commit: the version that gave the digests."""

    commit: str
    digests: Mapping[Sought, Digests]

    def of(self, sought: Sought) -> Digests:
        """Return the digests of a system under a reading; without any, if it has none yet."""
        return self.digests.get(sought, Digests())

    def having(self, sought: Sought, start: int, digests: Sequence[str]) -> Recorded:
        """Return the file with one more part. start: its first history."""
        old = self.of(sought)
        blocks = old.blocks if start else tuple(digests[: FIRST // BLOCK_SIZE])
        new = Digests(blocks, {**old.parts, start: digest_of(digests)})
        return Recorded(self.commit, {**self.digests, sought: new})


def all_readings(systems: Sequence[str] = ()) -> tuple[Sought, ...]:
    """Return every reading of the named systems, or of all."""
    return tuple(
        (system.name, reading)
        for system in all_systems()
        if system.name in (systems or system_names())
        for reading in system.every_reading
    )


def digest_of(blocks: Sequence[str]) -> str:
    """Return the digest of a part. blocks: the digests of its blocks, in their order."""
    return hashlib.sha256("".join(blocks).encode("ascii")).hexdigest()


def read(path: Path = KEPT) -> Recorded:
    """Read the file. Raises NotRecordedError if there is none."""
    if not path.exists():
        raise NotRecordedError(f"{path.name} does not exist; run: same_results.py record")
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    digests = {
        (system, reading): Digests(
            tuple(each["blocks"]), {int(start): part for start, part in each["parts"].items()}
        )
        for system, readings in value["digests"].items()
        for reading, each in readings.items()
    }
    return Recorded(value["commit"], digests)


def write(recorded: Recorded, path: Path = KEPT) -> None:
    """Write the file in one step, so that an interruption loses at most the parts underway."""
    digests: dict[str, dict[str, Any]] = {}
    for (system, reading), each in sorted(recorded.digests.items()):
        parts = {str(start): part for start, part in sorted(each.parts.items())}
        digests.setdefault(system, {})[reading] = {"blocks": [*each.blocks], "parts": parts}
    value = {"commit": recorded.commit, "profile": "default", "seed": 1, "digests": digests}
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(path)


def examined(
    tree: Tree, wanted: Sequence[tuple[Sought, range]]
) -> Iterator[tuple[Sought, int, list[str]]]:
    """Yield the digests of ranges of histories, in any order.

    Each is (system and reading, first history, digests of the blocks). Raises DoesNotRunError.
    """
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        futures = {
            pool.submit(block_digests, tree, sought, histories): (sought, histories.start)
            for sought, histories in wanted
        }
        try:
            for future in as_completed(futures):
                yield *futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def block_digests(tree: Tree, sought: Sought, histories: range) -> list[str]:
    """Return the digests of the blocks of these histories, examined in another process."""
    first, last = histories.start // BLOCK_SIZE, -(-histories.stop // BLOCK_SIZE)
    with work("block", *sought)(tree) as examine:
        return [examine(block).digest for block in range(first, last)]


def record(
    commit: str, histories: int, path: Path = KEPT, say: Callable[[str], None] = print
) -> None:
    """Record the parts that the file does not have yet. Raises NoBaselineError."""
    name = full_name(commit)
    known = read(path) if path.exists() else Recorded(name, {})
    recorded = known if known.commit == name else Recorded(name, {})
    wanted = [
        (sought, range(start, start + PART))
        for start in range(0, histories, PART)
        for sought in all_readings()
        if start not in recorded.of(sought).parts
    ]
    with earlier(commit) as tree:
        for sought, start, digests in examined(tree, wanted):
            recorded = recorded.having(sought, start, digests)
            write(recorded, path)
            say(f"{' '.join(sought)}: recorded histories {_span(range(start, start + PART))}")


def check(
    tree: Tree,
    histories: int,
    systems: Sequence[str] = (),
    path: Path = KEPT,
    say: Callable[[str], None] = print,
) -> bool:
    """Return whether the histories of a version have the recorded digests; name those that differ.

    histories: at most FIRST are compared by block, more are compared by whole parts.
    Raises NotRecordedError.
    """
    recorded, sought = read(path), all_readings(systems)
    whole = histories > FIRST
    size = PART if whole else BLOCK_SIZE
    wanted = [
        (each, range(start, start + size)) for start in range(0, histories, size) for each in sought
    ]
    for each, part in wanted:
        if recorded.of(each).expected(part) is None:
            raise NotRecordedError(
                f"{path.name} has no digest of the histories {_span(part)} of {' '.join(each)}; "
                f"run: same_results.py record --histories {histories}"
            )
    same = True
    for each, start, blocks in examined(tree, wanted):
        part = range(start, start + size)
        equal = recorded.of(each).expected(part) == (digest_of(blocks) if whole else blocks[0])
        same = same and equal
        verdict = "equal" if equal else "DIFFERENT"
        say(f"{' '.join(each)}: histories {_span(part)} {verdict}")
    return same


def main(arguments: Sequence[str] = ()) -> int:
    """Record or check, and print a line for each part."""
    given = _parser().parse_args(arguments)
    try:
        if given.task == "record":
            record(given.commit, given.histories)
            return 0
        return _checked(given.histories, given.systems, compiled=given.compiled)
    except (NoBaselineError, StaleBuildError, NotRecordedError, DoesNotRunError) as error:
        print(error, file=sys.stderr)
        return 2


def _checked(histories: int, systems: Sequence[str], *, compiled: bool) -> int:
    tree = compiled_build() if compiled else this_checkout()
    build = "" if tree is None else _build_of(tree)
    if tree is None or compiled == (build == "pure"):
        print(f"{COMPILED.name} has no compiled build; run: make fast", file=sys.stderr)
        return 2
    print(f"comparing with commit {read().commit}; this build: {build}", flush=True)
    same = check(tree, histories, systems)
    print("all digests are equal" if same else "some digests are DIFFERENT")
    return int(not same)


def _build_of(tree: Tree) -> str:
    done = subprocess.run(
        [str(tree.python), "-P", "-c", _BUILD],
        env=dict(tree.environment()),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def _span(histories: range) -> str:
    return f"{histories.start:,} to {histories.stop - 1:,}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare digests with those of an earlier commit.")
    tasks = parser.add_subparsers(dest="task", required=True)
    recording = tasks.add_parser("record", help="write the digests of a commit")
    recording.add_argument("--commit", default=BASELINE, help="default: before the work on speed")
    checking = tasks.add_parser("check", help="compare the digests of this checkout")
    checking.add_argument("systems", nargs="*", metavar="SYSTEM", help="default: all systems")
    checking.add_argument("--compiled", action="store_true", help="check the build of make fast")
    for each in (recording, checking):
        each.add_argument(
            "--histories",
            type=int,
            default=HISTORIES,
            help=f"of each reading; default: {HISTORIES}",
        )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
