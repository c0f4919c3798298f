"""The places of a syntax tree that a mutant can change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attrs import frozen

from rejoin_conformance.campaigns.mutants.operators.kinds import KINDS
from rejoin_conformance.campaigns.mutants.operators.never_shown import (
    is_without_effect,
    never_shown,
)


@frozen(eq=False)
class Site:
    """A place in a syntax tree where a node can be changed.

    holder, name, place: the node stands in the field `name` of `holder`; in a list, at `place`.
    """

    holder: ast.AST
    name: str
    place: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        """Put a node at this place, in the tree itself."""
        if self.place is None:
            setattr(self.holder, self.name, node)
        else:
            getattr(self.holder, self.name)[self.place] = node

    def contains(self, other: Site) -> bool:
        """Return whether the other place is inside the node at this one."""
        return any(each is other.holder for each in ast.walk(self.node))


def sites(tree: ast.AST) -> Iterator[Site]:
    """Yield the places of all nodes of a module that operations can show, from the outside in."""
    yield from _sites(tree, never_shown(tree))


def changes(site: Site) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changes of the node at a place: (kind, new node)."""
    for kind, change in KINDS.items():
        if is_without_effect(site.holder, kind):
            continue
        for node in change(site.node):
            yield kind, ast.copy_location(node, site.node)


def _sites(tree: ast.AST, hidden: frozenset[int]) -> Iterator[Site]:
    for name, value in ast.iter_fields(tree):
        if isinstance(value, ast.AST):
            children: list[tuple[int | None, ast.AST]] = [(None, value)]
        elif isinstance(value, list):
            children = [(place, each) for place, each in enumerate(value)]
        else:
            continue
        for place, child in children:
            if isinstance(child, ast.AST) and id(child) not in hidden:
                yield Site(tree, name, place, child)
                yield from _sites(child, hidden)
