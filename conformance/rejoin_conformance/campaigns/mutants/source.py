"""The sources of the reference as syntax trees, with every change that an operator can make."""

from __future__ import annotations
import __future__

import ast
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.operators.sites import Site, changes, sites
from rejoin_conformance.kit.import_graph import modules_of

REFERENCE: Final = "rejoin"
_FLAGS: Final = __future__.annotations.compiler_flag


@frozen(eq=False)
class Function:
    """A function that no other function contains.

    name: its qualified name, as in `Client.push`. within: the names of the classes that contain it.
    """

    name: str
    within: tuple[str, ...]
    node: ast.FunctionDef

    def compiled(self, path: Path) -> CodeType:
        """Return the code of the function, without the module around it.

        Raises LookupError if the function is not in it.
        """
        statement: ast.stmt = self.node
        for name in reversed(self.within):
            statement = ast.ClassDef(
                name=name, bases=[], keywords=[], body=[statement], decorator_list=[]
            )
        module = ast.fix_missing_locations(ast.Module(body=[statement], type_ignores=[]))
        code = compile(module, str(path), "exec", flags=_FLAGS, dont_inherit=True)
        found = code_named(code, self.name)
        if found is None:
            raise LookupError(f"{path} has no function {self.name}")
        return found


@frozen(eq=False)
class Source:
    """A module of the reference.

    changes: every change of the tree, in the order of the source: (place, kind, new node).
    functions: ID of a node in a function's body -> the outermost function.
    lines: ID of a node -> the first and last line of its statement, or of the statement's head.
    """

    path: Path
    tree: ast.Module
    changes: tuple[tuple[Site, str, ast.AST], ...] = field(repr=False)
    functions: dict[int, Function] = field(repr=False)
    lines: dict[int, tuple[int, int]] = field(repr=False)

    def changed(self, number: int) -> CodeType:
        """Return the code with change `number` in it: of the changed function, or of the module.

        The tree is the same afterwards. Raises SyntaxError, ValueError or TypeError if no code can
        have this change.
        """
        return self._with([number], self.functions.get(id(self.changes[number][0].node)))

    def changed_together(self, numbers: Sequence[int]) -> CodeType:
        """Return the code of a function with several changes in it. None is inside another."""
        return self._with(numbers, self.functions.get(id(self.changes[numbers[0]][0].node)))

    def changed_module(self, *numbers: int) -> CodeType:
        """Return the code of the whole module with these changes in it. None is inside another."""
        return self._with(numbers, None)

    def overlap(self, number: int, other: int) -> bool:
        """Return whether two changes are at one place, or one of them is inside the other."""
        first, second = self.changes[number][0], self.changes[other][0]
        at = (first.name, first.place) == (second.name, second.place)
        same = at and first.holder is second.holder
        return same or first.contains(second) or second.contains(first)

    def compiled(self, function: Function | None) -> CodeType:
        """Return the code of a function, or of the module, as the tree is now."""
        if function is not None:
            return function.compiled(self.path)
        ast.fix_missing_locations(self.tree)
        return compile(self.tree, str(self.path), "exec", dont_inherit=True)

    def _with(self, numbers: Sequence[int], function: Function | None) -> CodeType:
        changes = [self.changes[number] for number in numbers]
        for site, _, node in changes:
            site.put(node)
        try:
            return self.compiled(function)
        finally:
            for site, _, _ in changes:
                site.put(site.node)


@cache
def source_of(module: str) -> Source:
    """Return the source of a module of the reference."""
    path = source_path(module)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [(site, kind, node) for site in list(sites(tree)) for kind, node in changes(site)]
    return Source(path, tree, tuple(found), dict(_functions(tree)), dict(_lines(tree)))


@cache
def source_path(module: str) -> Path:
    """Return the source file of a module of the reference."""
    return _paths()[module]


def digest_of(code: CodeType) -> bytes:
    """Return a digest of what the code does; its place in the source does not matter."""
    digest = hashlib.blake2b(digest_size=16)
    for part in _parts(code):
        digest.update(part)
    return digest.digest()


@cache
def _paths() -> dict[str, Path]:
    return modules_of(REFERENCE)


def _functions(
    tree: ast.AST, within: tuple[str, ...] = (), function: Function | None = None
) -> Iterator[tuple[int, Function]]:
    """Yield the ID of each node in a function's body, with the outermost function."""
    inside = function
    if function is None and isinstance(tree, ast.FunctionDef):
        inside = Function(".".join((*within, tree.name)), within, tree)
    for name, value in ast.iter_fields(tree):
        # Decorators, defaults and annotations belong to the code around the function.
        around = inside if name == "body" else function
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if around is not None:
                yield id(child), around
            deeper = (*within, child.name) if isinstance(child, ast.ClassDef) else within
            yield from _functions(child, deeper, around)


def _lines(tree: ast.AST, lines: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, tuple[int, int]]]:
    for child in ast.iter_child_nodes(tree):
        own = _lines_of(child) if isinstance(child, ast.stmt) else lines
        yield id(child), own
        yield from _lines(child, own)


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None) or [
        each.pattern for each in getattr(statement, "cases", [])
    ]
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


def code_named(code: CodeType, name: str) -> CodeType | None:
    """Return the code of the function with this qualified name, or None."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            found = code_named(constant, name)
            if found is not None:
                return found
    return None


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
    """Return a constant as text that does not depend on hash seeds."""
    if isinstance(constant, frozenset):
        return repr(sorted(map(repr, constant)))
    return repr(constant)
