"""The figures of a whole run of the mutants, as Markdown for `docs/strength.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.run import MutantRun

_INTRODUCTION: Final = """\
# The strength of the corpus

`make strength` writes this page. A *mutant* is the reference with one small change. The command
`rejoin mutants` makes every mutant of the reference and asks the vectors. A mutant is *killed* if
some answer to a vector changes. It is *equivalent* if `conformance/mutants/SYSTEM/equivalent.toml`
argues that no input of an operation can show the change. A mutant that is neither is *alive*: a
hole in the corpus. The last section lists all of them.

A mutant counts only if the changed code was seen to be in force. Changes that compile to equal code
count once. Changes that no operation can show are left out: texts of errors, types and docstrings.
"""

_LONGEST: Final = 110


def strength(runs: Sequence[MutantRun], every: int = 1) -> str:
    """Return the page for the runs of all systems. every: only each so many-th mutant was run."""
    sample = f"\nThe figures are those of a sample: every {every}th mutant was run.\n"
    sections = [
        _INTRODUCTION + (sample if every > 1 else ""),
        "## Systems\n\n" + _table("system", ((run.system, _counts(run)) for run in runs)),
        "## Kinds of change\n\n" + _grouped("kind", runs, lambda mutant: mutant.kind),
        "## Modules\n\n" + _grouped("module", runs, lambda mutant: f"`{mutant.module}`"),
        "## Why mutants are equivalent\n\n" + _reasons(runs),
        "## Mutants that no vector kills\n\n" + _alive(runs),
    ]
    return "\n".join(sections)


def _counts(run: MutantRun) -> Counter[str]:
    return Counter({"vectors": len(run.vectors)}) + run.fates()


def _grouped(first: str, runs: Sequence[MutantRun], group: Callable[[Mutant], str]) -> str:
    counts: dict[str, Counter[str]] = {}
    for run in runs:
        for mutant, _, fate in run.each():
            counts.setdefault(group(mutant), Counter())[fate] += 1
    return _table(first, sorted(counts.items()))


def _table(first: str, rows: Iterable[tuple[str, Counter[str]]]) -> str:
    """Return a table with a row for each name, and the sum."""
    every = list(rows)
    total = sum((counts for _, counts in every), Counter())
    columns = ["mutants", "killed", "equivalent", "alive"]
    if total["vectors"]:
        columns.insert(0, "vectors")
    lines = [f"| {first} | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
    for name, counts in [*every, ("**all**", total)]:
        numbers = {**counts, "mutants": sum(counts.values()) - counts["vectors"]}
        numbers["alive"] = numbers["mutants"] - counts["killed"] - counts["equivalent"]
        cells = [f"{numbers.get(column, 0):,}" for column in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _reasons(runs: Sequence[MutantRun]) -> str:
    reasons: Counter[str] = Counter()
    for run in runs:
        for mutant, _, fate in run.each():
            if fate == "equivalent":
                reasons[run.argued.argument(mutant) or ""] += 1
    if not reasons:
        return "No mutant is argued to be equivalent.\n"
    ordered = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    lines = ["| argument | mutants |", "|---|--:|"]
    lines += [f"| {_cell(reason)} | {count:,} |" for reason, count in ordered]
    return "\n".join(lines) + "\n"


def _alive(runs: Sequence[MutantRun]) -> str:
    lines = list(_alive_lines(runs))
    return "\n".join(lines) + "\n" if lines else "There is none.\n"


def _alive_lines(runs: Sequence[MutantRun]) -> Iterator[str]:
    for run in runs:
        for mutant, examined in run.alive:
            change = f"`{_code(mutant.before)}` -> `{_code(mutant.after)}`"
            why = "" if examined.fate == "survived" else f" ({examined.fate})"
            yield f"- `{mutant.place}`, {mutant.kind}{why}: {change}"


def _code(text: str) -> str:
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    return short.replace("`", "'")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
