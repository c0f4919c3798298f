"""Knock-outs: changes of the reference written for one clause each.

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
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final

from attrs import frozen

from rejoin_conformance.campaigns.mutants.entries import EntriesError, entries_in
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import code_named, source_of, source_path

FOLDER: Final = "knockouts"


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
    reason: str


@frozen(kw_only=True)
class KnockedOut:
    """A knock-out as a change of the reference: see `exchanging.Change`."""

    clause: str
    module: str
    function: str
    source: str

    @property
    def place(self) -> str:
        """Return the module and the function as one dotted name."""
        return f"{self.module}.{self.function}".rstrip(".")

    def function_code(self) -> CodeType:
        """Return the code of the changed function."""
        found = code_named(self.module_code(), self.function)
        if found is None:
            raise LookupError(f"{self.module} has no function {self.function}")
        return found

    def module_code(self) -> CodeType:
        """Return the code of the changed module."""
        return compile(self.source, str(source_path(self.module)), "exec", dont_inherit=True)


@frozen(kw_only=True)
class Knockouts:
    """The knock-outs of a system."""

    changes: tuple[KnockedOut, ...]
    none: tuple[NoKnockout, ...]


def load_knockouts(folder: Path, system: str) -> Knockouts:
    """Return the knock-outs of a system. folder: its folder of `conformance/mutants/`.

    Raises EntriesError.
    """
    changes: list[KnockedOut] = []
    none: list[NoKnockout] = []
    for path in sorted((folder / FOLDER).glob("*.toml")):
        tables = entries_in(path, {"knockout": Knockout, "none": NoKnockout})
        changes += (_changed(path, each, system) for each in tables["knockout"])
        none += tables["none"]
    names = [*(each.clause for each in changes), *(each.clause for each in none)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise EntriesError(f"{folder / FOLDER}: {twice[0]} has two entries")
    return Knockouts(changes=tuple(changes), none=tuple(none))


@cache
def _changed(path: Path, knockout: Knockout, system: str) -> KnockedOut:
    """Return the change. It is made once: every shrunk finding asks for all changes of a system."""
    where = f"{path}: {knockout.clause}"
    module = _module_of(knockout.function, mutated_modules(system))
    if module is None:
        raise EntriesError(f"{where}: {knockout.function} is not in a module of {system}")
    name = knockout.function[len(module) + 1 :]
    text = source_path(module).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    node = _node_named(source_of(module).tree, name) if name else None
    if name and node is None:
        raise EntriesError(f"{where}: {module} has no {name}")
    first, last = (0, len(lines)) if node is None else (node.lineno - 1, node.end_lineno or 0)
    inside = "".join(lines[first:last])
    if inside.count(knockout.before) != 1:
        times = inside.count(knockout.before)
        raise EntriesError(f"{where}: {knockout.before!r} occurs {times} times, and not once")
    changed = inside.replace(knockout.before, knockout.after)
    source = "".join([*lines[:first], changed, *lines[last:]])
    try:
        ast.parse(source)
    except SyntaxError as error:
        raise EntriesError(f"{where}: the change is not Python: {error.msg}") from None
    function = name if isinstance(node, ast.FunctionDef) else ""
    return KnockedOut(clause=knockout.clause, module=module, function=function, source=source)


def _module_of(name: str, modules: Sequence[str]) -> str | None:
    fitting = [each for each in modules if f"{name}.".startswith(f"{each}.")]
    return max(fitting, key=len, default=None)


def _node_named(tree: ast.Module, name: str) -> ast.FunctionDef | ast.ClassDef | None:
    body: Sequence[ast.stmt] = tree.body
    found: ast.FunctionDef | ast.ClassDef | None = None
    for part in name.split("."):
        found = next(
            (
                each
                for each in body
                if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name == part
            ),
            None,
        )
        if found is None:
            return None
        body = found.body
    return found
