"""Every kind of change changes its construct, and nothing that no operation shows."""

from __future__ import annotations

import ast

from rejoin_conformance.campaigns.mutants.operators import KINDS
from rejoin_conformance.campaigns.mutants.source import changes, sites


def changed(source: str) -> set[tuple[str, str]]:
    """(kind, source after the change) for every change of a source."""
    tree = ast.parse(source)
    found = set()
    for site in list(sites(tree)):
        for kind, node in changes(site):
            site.put(node)
            found.add((kind, ast.unparse(ast.fix_missing_locations(tree))))
            site.put(site.node)
    return found


def test_every_kind_changes_its_example() -> None:
    assert len(KINDS) >= 20
    found = {name: changed(kind.before) for name, kind in KINDS.items()}
    assert [name for name, kind in KINDS.items() if (name, kind.after) not in found[name]] == []


NEVER_SHOWN = [
    "from a import b",
    "__all__ = ['a']",
    "A: TypeAlias = Literal['a']",
    "T = TypeVar('T', bound='A')",
    "Rank = tuple[int, bytes]",
    "CODES: Final = {'a': 'the text of an error'}",
    "class A:\n    b = field(repr=False, init=False)",
    "@frozen(kw_only=True)\nclass A:\n    b: int",
    "def f() -> BadError:\n    return BadError('a', 1)",
    "def f(reading=DOCUMENT):\n    pass",
    "def f(a=None):\n    pass",
]


def test_nothing_is_changed_that_no_operation_shows() -> None:
    shown = {"assignment-emptied", "call-dropped", "decorator-dropped"}
    found = {source: {kind for kind, _ in changed(source)} - shown for source in NEVER_SHOWN}
    assert {source: kinds for source, kinds in found.items() if kinds} == {}


def test_only_texts_and_orders_that_mean_nothing_stay_as_they_are() -> None:
    raised = "def f():\n    message = 'a' + 'b'\n    raise Error('code', f'{message} is wrong')"
    assert {kind for kind, _ in changed(raised)} == {"raise-deleted"}
    returned = "def f():\n    text = 'a'\n    if b:\n        raise Error(text)\n    return text"
    assert "assignment-emptied" in {kind for kind, _ in changed(returned)}
    assert not any("B, A" in after for _, after in changed("isinstance(a, (A, B))"))
    assert any("b, a" in after for _, after in changed("f((a, b))"))
    flag = "class A:\n    b = field(eq=lambda a: a.rank)"
    assert ("argument-dropped", "class A:\n    b = field()") in changed(flag)
    assert "operands-swapped" not in {kind for kind, _ in changed("a + 1")}
    assert "operands-swapped" in {kind for kind, _ in changed("a + b")}
    assert changed('"""The text of a module."""') == set()
