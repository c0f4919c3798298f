"""Knock-outs: mutants that are written for one clause each.

A mutant shows that the vectors notice a change. A knock-out shows that the vectors tagged with a
clause decide it: without the clause, one of them fails. `conformance/mutants/SYSTEM/knockouts/` has
one file for each page of the spec:

    [[knockout]]
    clause = "HM-MERGE-EMPTY"
    function = "rejoin.history_merge.complete_algorithm.merge_"
    before = "return default"
    after = "return None"

    [[none]]
    clause = "HM-MERGE-CHECK-NAMES"
    reason = "Why no operation can show it."

`before` is source text that occurs once in the function. `function` can be a class or a module too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, Final

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.asking import ask, corpus_of
from rejoin_conformance.campaigns.mutants.equivalent import EntriesError, Reason, entries_in
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import Function, source_of, source_path
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.json_forms import OPTIONAL
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.worlds import definition

FOLDER: Final = "knockouts"

SECONDS: Final = 2.0
"""Processor time that one vector may take under a knock-out; one that takes longer notices it."""


@frozen(kw_only=True)
class Knockout:
    """A change written for one clause, as its file has it."""

    clause: str
    function: str
    before: str
    after: str


@frozen(kw_only=True)
class NoKnockout:
    """A clause that no operation can show, with the reason."""

    clause: str
    reason: Reason


@frozen(kw_only=True)
class Page:
    """The entries of one file."""

    knockout: tuple[Knockout, ...] = field(default=(), metadata=OPTIONAL)
    none: tuple[NoKnockout, ...] = field(default=(), metadata=OPTIONAL)


@frozen(kw_only=True)
class KnockedOut:
    """A knock-out as a change of the reference. text: the changed source of the module.

    first_line, last_line: the lines of the definition that is changed. edited: those of the edits.
    """

    clause: str
    module: str
    function: str
    first_line: int
    last_line: int
    edited: frozenset[int]
    text: str

    def code(self) -> CodeType:
        """Return the code of the changed function."""
        node = definition(ast.parse(self.text), self.function.split("."))
        assert isinstance(node, ast.FunctionDef)
        return Function(self.function, node).compiled(source_path(self.module))

    def edit(self, _tree: ast.Module, _hook: str) -> ast.Module:
        """Return the tree of the module with the change."""
        return ast.parse(self.text)


@frozen(kw_only=True)
class Knockouts:
    """The knock-outs of a system."""

    changes: tuple[KnockedOut, ...]
    none: tuple[NoKnockout, ...]


@cache
def load_knockouts(folder: Path, system: str) -> Knockouts:
    """Return the knock-outs of a system. folder: its folder of `conformance/mutants/`.

    They are read once: every shrunk finding asks for them. Raises EntriesError.
    """
    changes: list[KnockedOut] = []
    none: list[NoKnockout] = []
    for path in sorted((folder / FOLDER).glob("*.toml")):
        page = entries_in(path, Page)
        for each in page.knockout:
            where, edit = f"{path}: {each.clause}", (each.before, each.after)
            changes.append(edited(where, each.clause, each.function, [edit], system))
        none += page.none
    names = [*(each.clause for each in changes), *(each.clause for each in none)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise EntriesError(f"{folder / FOLDER}: {twice[0]} has two entries")
    return Knockouts(changes=tuple(changes), none=tuple(none))


def edited(
    where: str, clause: str, function: str, edits: Sequence[tuple[str, str]], system: str
) -> KnockedOut:
    """Return a change of the text of a function, a class or a module.

    where: begins an error. edits: (text that occurs once, text in its place). Raises EntriesError.
    """
    fitting = [each for each in mutated_modules(system) if f"{function}.".startswith(f"{each}.")]
    if not fitting:
        raise EntriesError(f"{where}: {function} is not in a module of {system}")
    module = max(fitting, key=len)
    name = function[len(module) + 1 :]
    lines = source_path(module).read_text(encoding="utf-8").splitlines(keepends=True)
    node = definition(source_of(module).tree, name.split(".")) if name else None
    if name and not isinstance(node, ast.FunctionDef | ast.ClassDef):
        raise EntriesError(f"{where}: {module} has no {name}")
    first, last = (0, len(lines)) if node is None else (node.lineno - 1, node.end_lineno or 0)
    inside = original = "".join(lines[first:last])
    changed: set[int] = set()
    for before, after in edits:
        times = inside.count(before)
        if times != 1:
            raise EntriesError(f"{where}: {before!r} occurs {times} times, and not once")
        inside = inside.replace(before, after)
        start = first + 1 + original.partition(before)[0].count("\n")
        changed.update(range(start, start + 1 + before.count("\n")))
    text = "".join([*lines[:first], inside, *lines[last:]])
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise EntriesError(f"{where}: the change is not Python: {error.msg}") from None
    return KnockedOut(
        clause=clause,
        module=module,
        function=name if isinstance(node, ast.FunctionDef) else "",
        first_line=first + 1,
        last_line=last,
        edited=frozenset(changed),
        text=text,
    )


def check_knockouts(system: str, knockouts: Knockouts, spread: Spread) -> list[JsonObject]:
    """Return the result of each knock-out, in the order of the files.

    `vectors`: the number of vectors tagged with its `clause`. `asked`: how many of them ran. `by`:
    the ID of the first one that fails; empty if none does. `how`: its answer, or what else went
    wrong.
    """

    def noticed(number: int) -> Json:
        change, corpus = knockouts.changes[number], corpus_of(system)
        tagged = [
            (place, corpus.questions[place], SECONDS)
            for place in corpus.asked
            if change.clause in corpus.questions[place].vector.clauses
        ]
        tagged.sort(key=lambda each: each[1].vector.lineage is not None)  # random ones last
        answers = ask(system, [change], tagged)
        return {
            "clause": change.clause,
            "vectors": len(tagged),
            "asked": answers.asked,
            "by": "" if answers.wrong is None else corpus.questions[answers.wrong].vector.id,
            "how": answers.how[:200],
        }

    pieces: list[Any] = spread.pieces(noticed, len(knockouts.changes), "knock-outs")
    return pieces


def holes(system: str, knockouts: Knockouts, noticed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for each knock-out that nothing notices, and for each clause without one."""
    for each in noticed:
        if not each["by"]:
            why = f" ({each['how']})" if each["how"] else ""
            said = f"none of its {each['vectors']} vectors notices the knock-out{why}"
            yield f"{each['clause']}: {said}"
    known = {clause.id for clause in clauses_of(system)}
    have = {each.clause for each in knockouts.changes} | {each.clause for each in knockouts.none}
    for name in sorted(have - known):
        yield f"{name}: not a clause of {system}, but it has a knock-out"
    for clause in clauses_of(system):
        if clause.level == "MUST" and clause.id not in have:
            yield f"{clause.id}: a MUST clause without a knock-out, and without a reason"
