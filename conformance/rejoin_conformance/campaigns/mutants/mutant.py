"""The mutants of a system's reference, each with its source text before and after."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final

from attrs import frozen

from rejoin_conformance.campaigns.mutants.operators import Site, changes, sites
from rejoin_conformance.kit.import_graph import modules_of

REFERENCE: Final = "rejoin"
_SHARED: Final = {"config-merge": ("rejoin.bencode",)}
"""Modules of the reference outside a system's package that only this system uses."""

_LONGEST: Final = 200
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@frozen(kw_only=True)
class Mutant:
    """One small change of the reference.

    number: the place of the change among all changes of its module.
    function: the qualified name of the function that is changed, as in `Client.push`; empty if the
        change is outside functions: a constant, a default, a class field or a decorator.
    line, last_line: the lines of the changed statement, from 1; of its head if it has a body.
    before, after: the changed source text, at most 200 characters of it.
    occurrence: tells equal changes of one function apart, in the order of the source, from 0.
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


def mutated_modules(system: str) -> tuple[str, ...]:
    """The modules of the reference that the mutants of a system change, sorted."""
    package = f"{REFERENCE}.{system.replace('-', '_')}"
    names = (name for name in modules_of(REFERENCE) if f"{name}.".startswith(f"{package}."))
    return tuple(sorted((*names, *_SHARED.get(system, ()))))


def mutants_of(system: str) -> tuple[Mutant, ...]:
    """All mutants of a system, in the order of the source; changes with equal bytecode once."""
    return tuple(mutant for module in mutated_modules(system) for mutant in _of_module(module))


def mutated_tree(mutant: Mutant) -> ast.Module:
    """The syntax tree of the mutant's module with the change in it."""
    tree = _parsed(source_path(mutant.module))
    for number, (site, _, node) in enumerate(_all_changes(tree)):
        if number == mutant.number:
            site.put(node)
            return ast.fix_missing_locations(tree)
    raise LookupError(f"{mutant.module} has no change {mutant.number}")


@cache
def source_path(module: str) -> Path:
    """The source file of a module of the reference."""
    return modules_of(REFERENCE)[module]


def _of_module(module: str) -> Iterator[Mutant]:
    path = source_path(module)
    tree = _parsed(path)
    seen = {_bytecode(_compiled(tree, path))}
    functions = dict(_functions(tree))
    statements = dict(_statement_lines(tree))
    often: Counter[tuple[str, str, str, str]] = Counter()
    for number, (site, kind, node) in enumerate(_all_changes(tree)):
        before = ast.unparse(site.node)
        site.put(node)
        try:
            code = _compiled(ast.fix_missing_locations(tree), path)
        except (SyntaxError, ValueError, TypeError):
            code = None
        finally:
            site.put(site.node)
        if code is None or (known := _bytecode(code)) in seen:
            continue
        seen.add(known)
        function = functions.get(id(site.node), "")
        lines = statements.get(id(site.node), (0, 0))
        change = (function, kind, _short(before), _short(ast.unparse(node)))
        yield Mutant(
            module=module,
            number=number,
            kind=kind,
            function=function,
            line=lines[0],
            last_line=lines[1],
            before=change[2],
            after=change[3],
            occurrence=often[change],
        )
        often[change] += 1


def _all_changes(tree: ast.Module) -> Iterator[tuple[Site, str, ast.AST]]:
    for site in list(sites(tree)):
        for kind, node in changes(site):
            yield site, kind, node


def _functions(tree: ast.AST, name: str = "", holder: str = "") -> Iterator[tuple[int, str]]:
    """ID of a node inside a function's body -> the qualified name of the outermost function."""
    for field, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            within = name
            # Decorators, defaults and annotations belong to the code around the function.
            if not name and isinstance(tree, _DEFINITIONS) and field == "body":
                within = f"{holder}{tree.name}"
            if within:
                yield id(child), within
            deeper = f"{holder}{child.name}." if isinstance(child, ast.ClassDef) else holder
            yield from _functions(child, within, deeper)


def _statement_lines(
    tree: ast.AST, lines: tuple[int, int] = (0, 0)
) -> Iterator[tuple[int, tuple[int, int]]]:
    """ID of a node -> the first and the last line of its statement, or of the statement's head."""
    for child in ast.iter_child_nodes(tree):
        own = _lines_of(child) if isinstance(child, ast.stmt) else lines
        yield id(child), own
        yield from _statement_lines(child, own)


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None) or [
        each.pattern for each in getattr(statement, "cases", [])
    ]
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _compiled(tree: ast.Module, path: Path) -> CodeType:
    return compile(tree, str(path), "exec", dont_inherit=True)


def _bytecode(code: CodeType) -> str:
    """A digest of what the code does; where it stands in the source does not matter."""
    digest = hashlib.blake2b(digest_size=16)
    for part in _parts(code):
        digest.update(part)
    return digest.hexdigest()


def _parts(code: CodeType) -> Iterator[bytes]:
    yield code.co_qualname.encode()
    yield code.co_code
    yield code.co_exceptiontable
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode()
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)
        else:
            yield f"{type(constant).__name__} {_ordered(constant)}".encode()


def _ordered(constant: object) -> str:
    """A constant as text that does not depend on hash seeds."""
    if isinstance(constant, frozenset):
        return repr(sorted(map(repr, constant)))
    return repr(constant)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def by_kind(mutants: Iterable[Mutant]) -> dict[str, int]:
    """Kind of change -> the number of mutants of this kind, sorted by kind."""
    counts: dict[str, int] = {}
    for mutant in mutants:
        counts[mutant.kind] = counts.get(mutant.kind, 0) + 1
    return dict(sorted(counts.items()))
