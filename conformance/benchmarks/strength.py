"""The tables of mutants: of the reference, and of the ports, with the bugs planted in them."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, Final, TypeAlias

from ports import SOURCES
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.reports.document_markdown import code
from tables import Table, table_of

Mutant: TypeAlias = Mapping[str, Any]
"""Its `fate`, the `argument` if it is `equivalent`, and where it belongs."""

FATES: Final = "mutants | killed | equivalent | alive"
ALL: Final = "**all**"
_SHOWN: Final = 5
"""The number of arguments that a table has, those of the most mutants first."""


def of_reference(runs: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
    """Return the tables of mutants of the reference. runs: as `rejoin mutants --json` prints."""
    mutants = [{**each, "system": run["system"]} for run in runs for each in run["mutants"]]
    vectors = {run["system"]: run["vectors"] for run in runs}
    vectors[ALL] = sum(vectors.values())
    by_system = [(name, vectors[name], *fates) for name, *fates in _counted(mutants, "system")]
    alive = [
        (f"{each['module']}:{each['line']}", each["kind"], *_texts(each["before"], each["after"]))
        for each in mutants
        if each["fate"] not in {"killed", "equivalent"}
    ]
    return {
        "mutants-by-system": table_of(f"system | vectors | {FATES}", by_system),
        "mutants-by-kind": table_of(f"kind | {FATES}", _counted(mutants, "kind")),
        "mutants-equivalent": _arguments(mutants),
        "mutants-alive": table_of("line | kind | before | after", alive),
    }


def of_ports(mutants: Sequence[Mutant]) -> dict[str, Table]:
    """Return the tables of mutants of the ports. mutants: as `mutants.py check --json` prints."""
    *parts, every = _counted(mutants, "port", "part")
    ports = ((port, ALL, *fates) for port, *fates in _counted(mutants, "port")[:-1])
    return {
        "port-mutants": table_of(f"port | part | {FATES}", [*parts, *ports, every]),
        "port-mutants-equivalent": _arguments(mutants, "port"),
    }


def planted() -> Table:
    """Return the table of bugs that are planted in the ports, by system."""
    rows: list[list[Json]] = []
    for path in sorted((SOURCES / "planted").glob("*.toml")):
        bugs = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
        missed, harmless, waiting = (
            sum(bool(bug.get(field)) for bug in bugs)
            for field in ("missed_at_first", "harmless", "open")
        )
        found = (len(bugs) - missed, missed - harmless - waiting)
        rows.append([path.stem, len(bugs), *found, harmless, waiting])
    heads = "system | bugs | found at first | found by new vectors | harmless | open"
    return table_of(heads, rows)


def _counted(mutants: Iterable[Mutant], *fields: str) -> list[tuple[Any, ...]]:
    """Return the counts of the mutants whose fields are the same, and those of all mutants."""
    groups: dict[tuple[str, ...], Counter[str]] = {}
    for each in mutants:
        names = tuple(each[field] for field in fields)
        groups.setdefault(names, Counter())[each["fate"]] += 1
    every = sum(groups.values(), Counter())
    rows = (*sorted(groups.items()), ((ALL, *("" for _ in fields[1:])), every))
    return [(*names, *_counts(fates)) for names, fates in rows]


def _counts(fates: Counter[str]) -> tuple[int, int, int, int]:
    killed, equivalent = fates["killed"], fates["equivalent"]
    return fates.total(), killed, equivalent, fates.total() - killed - equivalent


def _arguments(mutants: Iterable[Mutant], *fields: str) -> Table:
    names = (*fields, "argument")
    argued = (each for each in mutants if each["fate"] == "equivalent")
    counts = Counter(tuple(each[name] for name in names) for each in argued)
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    rows: list[tuple[Json, ...]] = [(*texts, count) for texts, count in ordered[:_SHOWN]]
    if others := [count for _, count in ordered[_SHOWN:]]:
        rows.append((*("" for _ in fields), f"{len(others):,} other arguments", sum(others)))
    return table_of(" | ".join((*names, "mutants")), rows)


def _texts(*texts: str) -> Iterator[str]:
    yield from (code(shorten(each, 110, placeholder="...")) for each in texts)
