"""The mutants of a system's reference, each with its source text before and after."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from functools import cache
from types import CodeType
from typing import Final

from attrs import frozen

from rejoin_conformance.campaigns.mutants.source import REFERENCE, source_of
from rejoin_conformance.kit.modules import modules_of

_SHARED: Final = {"config-merge": ("rejoin.bencode",)}
"""Modules of the reference outside a system's package that only this system uses."""

_NEVER_ASKED: Final = (".errors", ".worked_example")
"""Modules that no operation shows: codes, texts and places of errors, and the example's edits."""

_LONGEST: Final = 200


@frozen(kw_only=True)
class Mutant:
    """One small change of the reference.

    number: the place of the change among all changes of its module.
    function: the qualified name of the function that is changed, as in `Client.push`; empty if the
        change is outside functions: a constant, a default, a class field or a decorator.
    line, last_line: the lines of the changed statement, from 1; of its head if it has a body.
    before, after: the changed source text, at most 200 characters of it.
    occurrence: the place among equal changes of one function, in the order of the source, from 0.
    """

    module: str
    number: int
    kind: str
    function: str
    line: int
    last_line: int
    before: str
    after: str
    occurrence: int = 0

    @property
    def name(self) -> str:
        """A short name that is stable as long as the source around the change is."""
        place = (self.module, self.function, self.kind, self.before, self.after)
        text = "\0".join((*place, str(self.occurrence)))
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    @property
    def place(self) -> str:
        """Return the module and the function, or the module alone, as one dotted name."""
        return f"{self.module}.{self.function}".rstrip(".")

    def code(self) -> CodeType:
        """Return the code of the changed function."""
        return source_of(self.module).changed_code(self.number)

    def edit(self, _tree: ast.Module, _hook: str) -> ast.Module:
        """Return the tree of the module with the change."""
        return source_of(self.module).changed_tree(self.number)


def mutated_modules(system: str) -> tuple[str, ...]:
    """The modules of the reference that the mutants of a system change, sorted."""
    package = f"{REFERENCE}.{system.replace('-', '_')}"
    names = (name for name in modules_of(REFERENCE) if f"{name}.".startswith(f"{package}."))
    mutated = (*names, *_SHARED.get(system, ()))
    return tuple(sorted(each for each in mutated if not each.endswith(_NEVER_ASKED)))


def mutants_of(system: str) -> tuple[Mutant, ...]:
    """All mutants of a system, in the order of the source; changes with equal bytecode once."""
    return tuple(mutant for module in mutated_modules(system) for mutant in mutants_in(module))


@cache
def mutants_in(module: str) -> tuple[Mutant, ...]:
    """All mutants of a module, in the order of the source; changes with equal bytecode once."""
    source, found = source_of(module), list[Mutant]()
    often: Counter[tuple[str, str, str, str]] = Counter()
    for number, _ in source.codes():
        site, kind, node = source.changes[number]
        function = site.function
        name = function.name if function else ""
        before, after = _shown(site.node), _shown(node)
        mutant = Mutant(
            module=module,
            number=number,
            kind=kind,
            function=name,
            line=site.lines[0],
            last_line=site.lines[1],
            before=before,
            after=after,
            occurrence=often[name, kind, before, after],
        )
        found.append(mutant)
        often[name, kind, before, after] += 1
    return tuple(found)


def _shown(node: ast.AST) -> str:
    """Return the source text of a node on one line; of a function, its decorators and its name."""
    if isinstance(node, ast.FunctionDef):
        decorators = (f"@{ast.unparse(each)} " for each in node.decorator_list)
        return f"{''.join(decorators)}def {node.name}"
    line = " ".join(ast.unparse(node).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
