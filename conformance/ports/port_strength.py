"""The figures of the ports' mutants and planted bugs, as Markdown for `docs/port-strength.md`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from planted import load_bugs
from port_mutants import INVALID, KILLED, Equivalent, Mutant
from scratch import SYSTEMS

_INTRODUCTION: Final = """\
# The strength of the corpus against the ports

`conformance/ports/mutants.py check --table docs/port-strength.md` writes this page. It is the
counterpart of [strength.md](strength.md) for the two ports, whose authors knew the spec alone.

## Mutants

`make port-mutants` runs the mutants that cargo-mutants lists for the Rust port, and those of
Stryker for the JavaScript port. The corpus is their only test; the greeting and the farewell of
the adapter protocol count as two more vectors. A mutant is *killed* if a vector gets another
answer, or none in time. It is *equivalent* if `conformance/ports/LANGUAGE/equivalent.toml` argues
that no input of an operation can show the change. A mutant that is neither is *alive*. Mutants that
do not compile are left out.
"""

_PLANTED: Final = """\
## Planted bugs

`conformance/ports/planted/` lists 30 bugs a system, of the kind that people make, half of them
in each port. The lists were written before anybody looked at the vectors. `planted.py` plants
the bugs in copies of the ports, one at a time. A bug that no vector found at first led to
vectors of its kind. A *harmless* bug changes no answer, which its entry argues.
"""

_REASONS: Final = 5
"""The number of arguments that the page shows."""


def page(
    results: Mapping[tuple[str, str], Sequence[Mutant]],
    argued: Mapping[str, Sequence[Equivalent]],
) -> str:
    """Return the page. results: by port and part; argued: the entries of each port."""
    entries = {port: {each.change for each in listed} for port, listed in argued.items()}
    by_part: defaultdict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for (port, _), mutants in results.items():
        for each in mutants:
            by_part[port, _part(each.file)].append(each)
    rows = [
        (f"{port} | {part}", _counts(mutants, entries[port]))
        for (port, part), mutants in sorted(by_part.items())
    ]
    return "\n".join([_INTRODUCTION, _table(rows), _reasons(argued), _PLANTED, _planted()])


def _part(file: str) -> str:
    """Return the system to which a source file belongs, or `common`."""
    folder = file.removeprefix("src/").rpartition("/")[0].replace("_", "-")
    return folder if folder in SYSTEMS else "common"


def _counts(
    mutants: Iterable[Mutant], argued: set[tuple[str, str, str, str, str, int]]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for mutant in mutants:
        if mutant.fate == INVALID:
            continue
        equivalent = "equivalent" if mutant.change in argued else "alive"
        counts["mutants"] += 1
        counts["killed" if mutant.fate == KILLED else equivalent] += 1
    return counts


def _table(rows: Sequence[tuple[str, Counter[str]]]) -> str:
    """Return a table of the rows, and of their sums by port and in all."""
    columns = ("mutants", "killed", "equivalent", "alive")
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, counts in rows:
        sums[f"**{name.split(' ')[0]}** |"].update(counts)
        sums["**all** |"].update(counts)
    lines = ["| port | part | " + " | ".join(columns) + " |", "|---|---|" + "--:|" * len(columns)]
    for name, counts in [*rows, *sorted(sums.items(), key=lambda row: row[1].total())]:
        lines.append(f"| {name} | " + " | ".join(f"{counts[each]:,}" for each in columns) + " |")
    return "\n".join(lines) + "\n"


def _reasons(argued: Mapping[str, Sequence[Equivalent]]) -> str:
    """Return a table of the arguments, those of the most mutants first."""
    counts = Counter((port, each.argument) for port, listed in argued.items() for each in listed)
    ordered = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "\n".join(
        [
            "## Why mutants are equivalent",
            "",
            "| port | argument | mutants |",
            "|---|---|--:|",
            *(f"| {port} | {text} | {count} |" for (port, text), count in ordered[:_REASONS]),
            "",
            "`equivalent.toml` of each port has the other arguments, each of fewer mutants.",
            "",
        ]
    )


def _planted() -> str:
    reasons: list[str] = []
    lines = [
        "| system | bugs | found at first | found by new vectors | harmless | open |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for system in SYSTEMS:
        bugs = load_bugs(system)
        missed = sum(bug.missed_at_first for bug in bugs)
        harmless = sum(bool(bug.harmless) for bug in bugs)
        found = len(bugs) - missed
        waiting = [bug for bug in bugs if bug.open]
        counts = (len(bugs), found, missed - harmless - len(waiting), harmless, len(waiting))
        lines.append(f"| {system} | " + " | ".join(map(str, counts)) + " |")
        reasons += [f"- `{bug.name}`: {bug.open}" for bug in waiting]
    if reasons:
        reasons = ["", "Open are:", "", *reasons]
    return "\n".join([*lines, *reasons]) + "\n"
