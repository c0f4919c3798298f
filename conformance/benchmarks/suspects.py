r"""How often a report names the clause of a bug: first, and among the first three.

    suspects.py BUGS.txt ...           bugs of tables
    suspects.py BUGS.txt --list        also a line for each bug

A table begins with a line `system: NAME`. Then each bug is a paragraph: a name, a colon and its
clause (or several, of which one must be named), then each function with the text before (`-`) and
after (`+`) the change, as in tests/support/planted. A line that begins with `only` names the
operations of an adapter that has no others; `\n` in a text is the end of a line:

    a union instead of the 3-way merge: HM-3WAY-SET
      only history-merge/merge
      three_way_merge.set_three_way_merge
      - return (b | (a - o)) - (o - a)
      + return a | b

The reference with the bug answers the vectors, as an adapter of these operations and as one of all.
It runs in a forked process, and the report is the one of `rejoin run`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.protocol import Hello, Reply
from rejoin_conformance.adapters.results.configuration import Configuration, RunCorpus
from rejoin_conformance.adapters.results.failure_groups import told_in_full
from rejoin_conformance.adapters.results.failure_steps import StepsTold
from rejoin_conformance.adapters.results.records import Record, record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, Outcome, cases_of
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.campaigns.findings.suspecting import with_evidence
from rejoin_conformance.campaigns.mutants.asking import in_a_fork
from rejoin_conformance.campaigns.mutants.in_force import loaded, put_in_force
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, edited
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_of
from rejoin_conformance.contract.operation import Operation, Output, output_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.forks import in_forks
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.limited_time import TooLongError, limited_time

SECONDS: Final = 0.5
"""Processor time that one answer may take."""
_HELLO: Final = Hello(
    name="bug", version="", language="", operations=(), readings={}, max_in_flight=1
)
_RUN: Final = Configuration(
    suite="",
    command=(),
    program="",
    adapter=_HELLO,
    selection=Selection(),
    corpus=RunCorpus(cases=0, digest="", operations=0, clauses=0),
    timeout_ms=0,
)


@frozen(kw_only=True)
class Bug:
    """A bug. clauses: one of them must be named. operations: of the adapter; empty for all."""

    name: str
    system: str
    clauses: frozenset[str]
    operations: tuple[str, ...]
    changes: tuple[KnockedOut, ...]


@frozen
class Rank:
    """The report on a bug. place: of its clause among the suspects, from 1; 0 if it has none."""

    failures: int = 0
    place: int = 0
    line: str = ""


def bugs_in(path: Path) -> Iterator[Bug]:
    """Yield the bugs of a table, each for its operations and for all. Raises EntriesError."""
    head, *paragraphs = path.read_text(encoding="utf-8").strip().split("\n\n")
    system = head.strip().split("\n")[-1].partition(":")[2].strip()
    for paragraph in paragraphs:
        first, *lines = paragraph.split("\n")
        name, _, clauses = first.rpartition(":")
        only: list[str] = []
        edits: dict[str, list[tuple[str, str]]] = {}
        function = before = ""
        for line in map(str.strip, lines):
            mark, _, text = line.replace(r"\n", "\n").partition(" ")
            match mark:
                case "only":
                    only += text.split()
                case "-":
                    before = text
                case "+":
                    edits.setdefault(function, []).append((before, text))
                case _:
                    whole = line.startswith("rejoin.")
                    function = line if whole else f"rejoin.{system.replace('-', '_')}.{line}"
        changes = tuple(edited(name, name, each, some, system) for each, some in edits.items())
        bug = Bug(
            name=name,
            system=system,
            clauses=frozenset(clauses.split()),
            operations=tuple(only),
            changes=changes,
        )
        yield from (bug, evolve(bug, operations=())) if only else (bug,)


@cache
def _cases(system: str, operations: tuple[str, ...]) -> tuple[Case, ...]:
    found = system_named(system)
    names = operations or tuple(each.name for each in found.operations)
    hello = evolve(_HELLO, operations=names)
    return tuple(
        case
        for case in cases_of([found], {system: load_system(system)}, Selection(), hello)
        if case.vector.operation in names and case.vector.tier != "sizes"
    )


def _answers(bug: Bug) -> tuple[list[Record], dict[tuple[str, str], JsonObject]]:
    """Return the failures, and the steps of wrong outputs, by the key of a case."""
    operations = put_in_force(bug.system, bug.changes)
    outcomes = [_outcome(each, operations) for each in _cases(bug.system, bug.operations)]
    summary = summarise(map(record, outcomes), _RUN)
    wrong = {each.key for each in told_in_full(summary.failures) if each.fault == "wrong-output"}
    steps: dict[tuple[str, str], JsonObject] = {}
    for case in (each.case for each in outcomes if each.case.key in wrong):
        lists = case.system.steps_operation(case.operation.name)
        if lists is not None and (not bug.operations or lists.name in bug.operations):
            try:
                with limited_time(SECONDS):
                    said = operations[lists.name].run(case.vector.input, case.reading)
            except (Exception, TooLongError):  # noqa: BLE001 - whatever a bug raises
                continue
            if isinstance(said, Output):
                steps[case.key] = said.value
    return [record(each) for each in outcomes if each.verdict != "pass"], steps


def _outcome(case: Case, operations: Mapping[str, Operation]) -> Outcome:
    try:
        with limited_time(SECONDS):
            result = operations[case.operation.name].run(case.vector.input, case.reading)
    except TooLongError:
        return Outcome(case=case, verdict="timeout")
    except Exception as error:  # noqa: BLE001 - whatever the changed code raises
        return judge(case, Reply(1, "error", {"message": type(error).__name__}))
    if isinstance(result, Output):
        return judge(case, Reply(1, "output", result.value))
    return judge(case, Reply(1, "rejected", {}))


def reported(bug: Bug) -> RunSummary | None:
    """Return the report on a bug; None if the bug ends the process."""
    loaded(bug.system)
    cases = {case.key: case for case in _cases(bug.system, bug.operations)}
    done = in_a_fork(lambda: _answers(bug), None)
    if done is None:
        return None
    failed, steps = done
    records = {key: record(Outcome(case=case, verdict="pass")) for key, case in cases.items()}
    records.update((each.key, each) for each in failed)
    failures = summarise(records.values(), _RUN).failures
    records.update((each.key, each) for each in with_evidence([*records.values()], failures, cases))
    for each in (records[each.key] for each in told_in_full(failures)):
        if each.fault == "wrong-output":
            records[each.key] = _with_steps(each, cases[each.key], steps.get(each.key))
    return summarise(records.values(), _RUN)


def _with_steps(failed: Record, case: Case, observed: JsonObject | None) -> Record:
    lists = case.system.steps_operation(case.operation.name)
    said = None if lists is None else lists.run(case.vector.input, case.reading)
    if lists is None or not isinstance(said, Output):
        return failed
    told = StepsTold(case=case, lists=lists, expected=said.value, observed=observed)
    return evolve(failed, steps=told.kept(output_in(failed.observed)))


def ranked(bug: Bug) -> Rank:
    """Return the place of the bug's clause in the report on it."""
    found = reported(bug)
    if found is None:
        return Rank()
    names = [each.clause for each in found.suspects]
    place = next((place for place, name in enumerate(names, 1) if name in bug.clauses), 0)
    only = f" (only {', '.join(bug.operations)})" if bug.operations else ""
    begin = "" if found.begin is None else found.begin.id
    count = len(found.failures)
    line = f"{place or '-':>3} of {count:>4} failures  {bug.name}{only}: {begin}; {names[:3]}"
    return Rank(count, place, line)


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description="Print how often the clause of a bug is named.")
    parser.add_argument("tables", nargs="+", type=Path, metavar="BUGS.txt")
    parser.add_argument("--list", action="store_true", help="print a line for each bug")
    arguments = parser.parse_args()
    bugs = [bug for path in arguments.tables for bug in bugs_in(path)]
    for system in sorted({each.system for each in bugs}):
        loaded(system)
        _cases(system, ())
        for module in mutated_modules(system):
            source_of(module)  # once, and not in each process
    ranks: dict[int, Rank] = {}
    with in_forks(lambda place: ranked(bugs[place]), range(len(bugs))) as results:
        ranks.update(results)
    noticed = [ranks[place] for place in sorted(ranks) if ranks[place].failures]
    for each in noticed if arguments.list else ():
        print(each.line)
    first = sum(each.place == 1 for each in noticed)
    three = sum(1 <= each.place <= 3 for each in noticed)
    count = len(noticed)
    print(f"{count} of {len(bugs)} bugs fail a vector; the clause is first in {first}")
    if count:
        print(f"({first / count:.0%}), among three in {three} ({three / count:.0%})")


if __name__ == "__main__":
    main()
