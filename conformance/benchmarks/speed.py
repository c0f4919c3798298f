"""A table of speeds: an earlier commit, this checkout and the compiled build, in turn, in one run.

usage: speed.py [--baseline COMMIT] [--only VERSION] [--rounds N] [--port CMD] [--json FILE]
                [--record] [--all | ROW ...]

Each round measures every version once. A cell is the median over the rounds, with the smallest and
the largest measurement. A ratio is of two measurements of one round. Rows that have digests, such
as histories, must give the same digests in all versions. A version in which a row does not run has
no number; the reason follows the row.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from attrs import evolve, field, frozen

from ports import rust
from speed_measures import RATIO, DoesNotRunError, Sample
from speed_page import NOTHING, PAGE, keep, kept_rows, page, spread
from speed_rows import Row, rows
from speed_trees import (
    BASELINE,
    BEFORE,
    COMPILED,
    COMPILED_BUILD,
    NOW,
    ROOT,
    NoBaselineError,
    StaleBuildError,
    Tree,
    full_name,
    has_changes,
    trees,
)

ROUNDS: Final = 7
_PROGRAM: Final = Path(__file__).relative_to(ROOT)


@frozen
class Measured:
    """The samples of one row.

    samples: the name of a version that ran -> one sample for each round. failures: the name of a
    version that does not run -> the reason.
    """

    row: Row
    samples: Mapping[str, tuple[Sample, ...]]
    failures: Mapping[str, str] = field(factory=dict)

    @property
    def same_results(self) -> bool:
        """Return whether all versions that ran gave the same digest in each round."""
        rounds = zip(*self.samples.values(), strict=True)
        return all(len({sample.digest for sample in each}) == 1 for each in rounds)

    @property
    def digest(self) -> str:
        """Return the digest of all rounds and versions, or nothing if there are several.

        They differ if each round does other work.
        """
        found = {sample.digest for samples in self.samples.values() for sample in samples}
        return found.pop() if len(found) == 1 else ""

    @property
    def failed(self) -> bool:
        """Return whether the results differ, or a version other than the earlier one fails."""
        return not self.same_results or any(name != BEFORE for name in self.failures)

    def numbers(self, tree: str) -> tuple[float, ...]:
        """Return the measurements of a version, a number for each round; none if it did not run."""
        return tuple(sample.measured for sample in self.samples.get(tree, ()))

    def ratios(self, tree: str) -> tuple[float, ...]:
        """Return the measurement before / that of a version, for each round that has both."""
        before = self.numbers(BEFORE)
        return tuple(a / b for a, b in zip(before, self.numbers(tree), strict=False))


def measured(row: Row, compared: Sequence[Tree], rounds: int) -> Measured:
    """Measure the versions in turn, after one turn that does not count.

    A version that fails takes no further turns, and has no samples.
    """
    count = row.rounds or rounds
    turns = ([0] if count > 1 else []) + [*range(count)]
    failures: dict[str, str] = {}
    with ExitStack() as open_versions:
        measures = {
            tree.name: open_versions.enter_context(row.measure(tree))
            for tree in compared
            if tree.name in row.versions
        }
        samples: dict[str, list[Sample]] = {name: [] for name in measures}
        for number in turns:
            for name in [*samples]:
                try:
                    samples[name].append(measures[name](number))
                except DoesNotRunError as error:
                    failures[name] = str(error)
                    del samples[name]
    return Measured(row, {name: tuple(all_[-count:]) for name, all_ in samples.items()}, failures)


def table_line(each: Measured, compared: Sequence[str]) -> str:
    """Return the line of a row, and a line for each version that does not run.

    compared: the names of all versions in the table.
    """
    cells = [spread(each.numbers(name)) for name in compared]
    for name in compared[1:]:
        ratios = each.ratios(name) if each.row.unit != RATIO else ()
        cells.append(f"{spread(ratios)} times" if ratios else NOTHING)
    note = "" if each.same_results else "  DIFFERENT RESULTS"
    line = f"{_line(f'{each.row.what}, {each.row.unit}', cells)}  aim {each.row.aim}{note}"
    return "\n".join([line, *(f"    does not run: {why}" for why in each.failures.values())])


def headings(compared: Sequence[str]) -> list[str]:
    """Return the headings of the columns of numbers. compared: the names of the versions."""
    first, *others = compared
    return [first, *others, *(f"{first} / {name}" for name in others)]


def as_data(results: Sequence[Measured]) -> dict[str, object]:
    """Return all measurements: row -> unit, aim, version -> a number for each round, failures.

    A row whose rounds do the same work also has its digest.
    """
    return {
        each.row.name: {
            "what": each.row.what,
            "unit": each.row.unit,
            "aim": each.row.aim,
            "same_results": each.same_results,
            "measured": {name: each.numbers(name) for name in each.samples},
            "does_not_run": dict(each.failures),
            "digest": each.digest,
        }
        for each in results
    }


def main(arguments: Sequence[str] = ()) -> int:
    """Measure the chosen rows and print the table."""
    given = _parser().parse_args(arguments)
    all_rows = rows(given.port or rust())
    names = [row.name for row in all_rows]
    unknown = sorted(set(given.rows) - set(names))
    if unknown:
        print(f"no row is named {unknown[0]}; choose from {', '.join(names)}", file=sys.stderr)
        return 2
    chosen = [
        row
        for row in all_rows
        if given.all or row.name in given.rows or not (given.rows or row.on_request)
    ]
    if given.only:
        only = (given.only,)
        chosen = [evolve(row, versions=only) for row in chosen if given.only in row.versions]
    if given.record and has_changes():
        print("the packages have changes; commit them before --record", file=sys.stderr)
        return 2
    try:
        with trees(given.baseline, given.compiled) as compared:
            results = _table(chosen, compared, given.rounds, names if given.record else ())
    except (NoBaselineError, StaleBuildError) as error:
        print(error, file=sys.stderr)
        return 2
    left_out = [row.name for row in all_rows if row.on_request and row not in chosen]
    if left_out:
        print(f"\nnot run, because they take long: {' '.join(left_out)}")
        print(f"run them with: python {_PROGRAM} ROW ..., or every row with --all")
    if given.json:
        given.json.write_text(json.dumps(as_data(results), indent=2) + "\n", encoding="utf-8")
    return int(any(each.failed for each in results))


def _table(
    chosen: Sequence[Row], compared: Sequence[Tree], rounds: int, recorded: Sequence[str]
) -> list[Measured]:
    """Measure the rows; print and record each at once, because the table takes many minutes.

    recorded: the names of all rows of the page to write; none if nothing is recorded.
    """
    names = [tree.name for tree in compared]
    print(_line("", headings(names)), flush=True)
    results: list[Measured] = []
    for row in chosen:
        results.append(measured(row, compared, rounds))
        print(table_line(results[-1], names), flush=True)
        if recorded and not results[-1].failed:
            keep(as_data(results[-1:]), commit=full_name("HEAD"), cores=os.cpu_count() or 1)
            PAGE.write_text(page(kept_rows(), recorded), encoding="utf-8")
    return results


def _line(what: str, cells: Iterable[str]) -> str:
    return f"{what:<58}{'  '.join(f'{cell:>22}' for cell in cells)}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare speeds with those of an earlier commit.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="default: all quick rows")
    parser.add_argument("--all", action="store_true", help="also run the rows that take long")
    parser.add_argument(
        "--baseline", default=BASELINE, help="a commit; default: the one before the work on speed"
    )
    parser.add_argument("--compiled", type=Path, default=COMPILED, help="default: .venv-fast")
    parser.add_argument(
        "--only", choices=(BEFORE, NOW, COMPILED_BUILD), help="measure only one version"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    parser.add_argument("--port", help="an adapter's command line; default: the Rust port")
    parser.add_argument("--json", type=Path, help="a file for all measurements")
    parser.add_argument(
        "--record", action="store_true", help="keep the measurements and write docs/speed.md"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
