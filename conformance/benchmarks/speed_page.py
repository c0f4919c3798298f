"""The kept measurements of the table of speeds, and `docs/speed.md`, which shows them.

A row that takes long is measured alone. So the kept file has the last measurement of each row, with
the commit that was measured.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from speed_measures import RATIO
from speed_trees import BEFORE, COMPILED_BUILD, NOW, ROOT

KEPT: Final = ROOT / "conformance" / "benchmarks" / "speed.json"
PAGE: Final = ROOT / "docs" / "speed.md"
NOTHING: Final = "-"
"""The cell of a version that was not measured."""

_LATER: Final = (NOW, COMPILED_BUILD)
_INTRODUCTION: Final = """\
# Speed, before and now

`.venv/bin/python conformance/benchmarks/speed.py --record` writes this page. It measures the commit
before the work on speed, the checkout and, after `make fast`, the [compiled build](compiled.md), in
turn, in one run. `make bench` prints the same table without writing it.

A cell is the median over the rounds, with the smallest and the largest measurement. A ratio is the
time before / the time of the other version in the same round. The aims were set before the work.
The last column has the commit that was measured and the number of cores. Rows that have digests,
such as histories, had equal digests in all versions.
"""
_FINDINGS: Final = """\
`.venv/bin/python conformance/benchmarks/same_results.py check` compares 100,000 default histories
of each system, under every reading, with those of the commit before the work on speed. At commit
15778206, all digests were equal, pure and compiled.

## What paid

- History merge keeps a set of nodes as one integer while the nodes' numbers are below 1,024.
- A lagged row that several config messages carry is parsed once.
- `rejoin verify` uses all cores. A command imports its modules when it runs.
- Laws share what they have computed. A step of a history becomes JSON only where somebody reads it.
- `fuzz --adapter` answers from what the history's run has computed, where that is the same.
- A task of a campaign on Spark has five seconds of work instead of two. A task costs 20 to 50 ms.

## What did not pay

- Switching off garbage collection, remembering merges and resolves by their input, named tuples,
  classes without slots, other settings of Spark.
- Mutable values make histories up to 18 % faster. They are refused, because values are immutable.
- The tests have no costly part: no file takes more than 7 % of their time. The largest compile the
  packages, start clusters, build ports, and run model checkers. Of the 6,917 tests of the earlier
  commit, 18 fail at that commit itself; their time counts.
- Compilation speeds up calls and loops, but not dicts, tuples, constructors that attrs makes, and
  libsodium.

The profiles are flat: in config merge and conflict detection no function takes more than about 6 %
of a history. So three times the speed needs a reference of another kind, with fewer objects. It
would no longer mirror the documents clause by clause.
"""


def spread(numbers: Sequence[float]) -> str:
    """Return the median with the smallest and the largest number."""
    if not numbers:
        return NOTHING
    middle = _three_digits(statistics.median(numbers))
    if len(numbers) == 1:
        return middle
    return f"{middle} ({_three_digits(min(numbers))}..{_three_digits(max(numbers))})"


def kept_rows(path: Path = KEPT) -> dict[str, Any]:
    """Return the kept rows: name -> the row as `speed.as_data` returns it, commit and cores."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return kept


def keep(rows: Mapping[str, Any], *, commit: str, cores: int, path: Path = KEPT) -> None:
    """Replace kept rows by new measurements. rows: as `speed.as_data` returns them."""
    new = {name: {**row, "commit": commit, "cores": cores} for name, row in rows.items()}
    text = json.dumps({**kept_rows(path), **new}, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def page(kept: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the page. kept: as `kept_rows` returns it. names: all rows, in their order."""
    titles = ["Work", "Unit", BEFORE, *_LATER, *(f"{BEFORE} / {name}" for name in _LATER)]
    lines = [_line([*titles, "Aim", "Measured"]), "|---" * (len(titles) + 2) + "|"]
    lines += [_line(_cells(kept[name])) for name in names if name in kept]
    sections = [_INTRODUCTION, "\n".join(lines) + "\n"]
    digests = [
        f"- {kept[name]['what']}: `{kept[name]['digest']}`"
        for name in names
        if name in kept and kept[name]["digest"]
    ]
    if digests:
        sections.append("## Digests\n\n" + "\n".join(digests) + "\n")
    missing = [f"`{name}`" for name in names if name not in kept]
    if missing:
        sections.append(f"Not measured yet: {', '.join(missing)}.\n")
    return "\n".join([*sections, _FINDINGS])


def _cells(row: Mapping[str, Any]) -> list[str]:
    measured: Mapping[str, Sequence[float]] = row["measured"]
    ratios = [_ratios(row, name) for name in _LATER]
    return [
        row["what"],
        row["unit"],
        *(spread(measured.get(name, ())) for name in (BEFORE, *_LATER)),
        *(spread(each) for each in ratios),
        row["aim"],
        f"{row['commit'][:8]}, {row['cores']} cores",
    ]


def _ratios(row: Mapping[str, Any], version: str) -> list[float]:
    """Return the ratios of each round that both versions have; none if the unit is a ratio."""
    if row["unit"] == RATIO:
        return []
    pairs = zip(row["measured"].get(BEFORE, ()), row["measured"].get(version, ()), strict=False)
    return [before / later for before, later in pairs]


def _three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
