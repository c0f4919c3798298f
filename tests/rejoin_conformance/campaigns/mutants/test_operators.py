"""Every kind of change changes its construct, and nothing that no operation shows."""

from __future__ import annotations

import ast

from rejoin_conformance.campaigns.mutants.operators import KINDS
from rejoin_conformance.campaigns.mutants.source import changes, sites

CHANGED = {
    "argument-dropped": ("f(a, b)", "f(a)"),
    "arguments-swapped": ("f(a, b)", "f(b, a)"),
    "arithmetic": ("a - b", "a + b"),
    "assignment-emptied": ("a = b", "a = None"),
    "boolean-operator": ("a and b", "a or b"),
    "branch-deleted": ("if a:\n    b()", "if a:\n    pass"),
    "call-dropped": ("f(a)", "a"),
    "case-deleted": (
        "match a:\n    case 1:\n        b\n    case _:\n        c",
        "match a:\n    case _:\n        c",
    ),
    "case-guard-dropped": (
        "match a:\n    case 1 if b:\n        c",
        "match a:\n    case 1:\n        c",
    ),
    "choice-fixed": ("a if b else c", "c"),
    "comparison": ("a < b", "a <= b"),
    "condition-fixed": ("if a:\n    b", "if False:\n    b"),
    "condition-negated": ("while a:\n    b", "while not a:\n    b"),
    "decorator-dropped": ("@a\ndef f():\n    b", "def f():\n    b"),
    "default-emptied": ("def f(a=b):\n    c", "def f(a=None):\n    c"),
    "element-dropped": ("(a, b, c)", "(a, c)"),
    "elements-swapped": ("(a, b)", "(b, a)"),
    "filter-dropped": ("[a for a in b if c]", "[a for a in b]"),
    "filter-negated": ("[a for a in b if c]", "[a for a in b if not c]"),
    "function-exchanged": ("min(a)", "max(a)"),
    "handler-deleted": (
        "try:\n    a\nexcept B:\n    c",
        "try:\n    a\nexcept B:\n    raise",
    ),
    "integer-at-a-limit": ("a(5)", "a(0)"),
    "integer-by-one": ("a(5)", "a(6)"),
    "jump-exchanged": ("for a in b:\n    continue", "for a in b:\n    break"),
    "method-exchanged": ("a.add(b)", "a.discard(b)"),
    "negation-dropped": ("a(not b)", "a(b)"),
    "operand-alone": ("a - b", "a"),
    "operand-dropped": ("a and b and c", "a and c"),
    "operands-swapped": ("a - b", "b - a"),
    "raise-deleted": ("raise a", "pass"),
    "returned-nothing": ("def f():\n    return a", "def f():\n    return None"),
    "slice": ("a[1:b]", "a[:b]"),
    "statement-deleted": ("for a in b:\n    c", "pass"),
    "text-constant": ("a(b'x')", "a(b'x~')"),
    "truth-constant": ("a(True)", "a(False)"),
}


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


def test_every_kind_changes_its_construct() -> None:
    assert CHANGED.keys() == {*KINDS}
    wrong = [
        kind for kind, (before, after) in CHANGED.items() if (kind, after) not in changed(before)
    ]
    assert wrong == []


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
