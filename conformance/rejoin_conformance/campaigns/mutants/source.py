"""The sources of the reference as syntax trees, with every change that an operator can make."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.never_shown import is_without_effect, never_shown
from rejoin_conformance.campaigns.mutants.operators import changes_of
from rejoin_conformance.kit.modules import modules_of

REFERENCE: Final = "rejoin"
_FLAGS: Final = __future__.annotations.compiler_flag


@frozen(eq=False)
class Function:
    """A function that no other function contains. name: its qualified name, as `Client.push`."""

    name: str
    node: ast.FunctionDef

    def compiled(self, path: Path) -> CodeType:
        """Return the code of the function, without the module around it."""
        statement: ast.stmt = self.node
        for name in reversed(self.name.split(".")[:-1]):
            statement = ast.ClassDef(name, [], [], [statement], [])
        module = ast.fix_missing_locations(ast.Module([statement], []))
        code: CodeType = compile(module, str(path), "exec", flags=_FLAGS, dont_inherit=True)
        for name in self.name.split("."):
            code = next(each for each in _codes_in(code) if each.co_name == name)
        return code


@frozen(eq=False)
class Site:
    """A place in a syntax tree where a node can be changed.

    holder, name, place: the node stands in the field `name` of `holder`; in a list, at `place`.
    function: the outermost function whose body contains it, or None. lines: the first and the last
    line of its statement, or of the statement's head.
    """

    holder: ast.AST
    name: str
    place: int | None
    node: ast.AST
    function: Function | None
    lines: tuple[int, int]

    def put(self, node: ast.AST) -> None:
        """Put a node at this place, in the tree itself."""
        if self.place is None:
            setattr(self.holder, self.name, node)
        else:
            getattr(self.holder, self.name)[self.place] = node


@frozen(eq=False)
class Source:
    """A module of the reference.

    changes: every change of the tree, in the order of the source: (place, kind, new node).
    """

    path: Path
    tree: ast.Module
    changes: tuple[tuple[Site, str, ast.AST], ...] = field(repr=False)

    def changed_code(self, number: int) -> CodeType:
        """Return the code with change `number` in it: of the changed function, or of the module.

        Raises SyntaxError, ValueError or TypeError if no code can have this change.
        """
        site, _, node = self.changes[number]
        site.put(node)
        try:
            return self.code(site.function)
        finally:
            site.put(site.node)

    def codes(
        self, wanted: Callable[[Site], bool] = lambda _: True
    ) -> Iterator[tuple[int, CodeType]]:
        """Yield the number and the code of each change of a place; those of equal bytecode once."""
        seen: dict[Function | None, set[CodeType]] = {}
        for number, (site, _, _) in enumerate(self.changes):
            function = site.function
            if not wanted(site):
                continue
            if function not in seen:
                seen[function] = {_without_lines(self.code(function))}
            try:
                code = self.changed_code(number)
                known = _without_lines(code)
            except (SyntaxError, ValueError, TypeError):
                continue
            if known not in seen[function]:
                seen[function].add(known)
                yield number, code

    def changed_tree(self, number: int) -> ast.Module:
        """Return a tree of its own with change `number` in it."""
        site, _, node = self.changes[number]
        site.put(node)
        try:
            return deepcopy(self.tree)
        finally:
            site.put(site.node)

    def code(self, function: Function | None) -> CodeType:
        """Return the code of a function, or of the module, as the tree is now."""
        if function is not None:
            return function.compiled(self.path)
        tree = ast.fix_missing_locations(self.tree)
        return compile(tree, str(self.path), "exec", dont_inherit=True)


@cache
def source_of(module: str) -> Source:
    """Return the source of a module of the reference."""
    path = source_path(module)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [(site, kind, node) for site in [*sites(tree)] for kind, node in changes(site)]
    return Source(path, tree, tuple(found))


def source_path(module: str) -> Path:
    """Return the source file of a module of the reference."""
    return Path(str(modules_of(REFERENCE)[module]))


def sites(tree: ast.AST) -> Iterator[Site]:
    """Yield the places of all nodes of a module that operations can show, from the outside in."""
    yield from _sites(tree, never_shown(tree), "", None, (0, 0))


def changes(site: Site) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changes of the node at a place: (kind, new node)."""
    for kind, node in changes_of(site.node):
        if not is_without_effect(site.holder, kind):
            yield kind, node


def _sites(
    tree: ast.AST,
    hidden: frozenset[int],
    within: str,
    function: Function | None,
    lines: tuple[int, int],
) -> Iterator[Site]:
    """Yield the places below a node. within: the names of the classes around it, each with a dot.

    Decorators, defaults and annotations of a function belong to the code around it.
    """
    inside, deeper = function, within
    if function is None and isinstance(tree, ast.FunctionDef):
        inside = Function(f"{within}{tree.name}", tree)
    elif isinstance(tree, ast.ClassDef):
        deeper = f"{within}{tree.name}."
    for name, value in ast.iter_fields(tree):
        around = inside if name == "body" else function
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, child in children:
            if isinstance(child, ast.AST) and id(child) not in hidden:
                own = _lines_of(child) if isinstance(child, ast.stmt) else lines
                yield Site(tree, name, place, child, around, own)
                yield from _sites(child, hidden, deeper, around, own)


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    cases = [each.pattern for each in getattr(statement, "cases", [])]
    body = getattr(statement, "body", None) or cases
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


def _without_lines(code: CodeType) -> CodeType:
    """Return the code without its place in the source, which codes that do the same differ in."""
    inner = (_without_lines(x) if isinstance(x, CodeType) else x for x in code.co_consts)
    return code.replace(co_consts=tuple(inner), co_firstlineno=1, co_linetable=b"")


def _codes_in(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]
