"""The step recorder: the reference without one, and with one, beside a copy that notes no steps.

The copy is the reference without the statements that note steps. All copies run in this process.
"""

from __future__ import annotations

import ast
import importlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from attrs import frozen

import rejoin
from side_by_side import compare, line

REFERENCE: Final = Path(rejoin.__file__).parent
ROWS: Final = (3, 9, 1000)

Call: TypeAlias = Callable[[], object]
Choice: TypeAlias = Callable[[Any, Any], Any]
"""(a copy of a system's package, a reading) -> the reading to use."""


@frozen
class Case:
    """Something that a system does.

    calls: how often it is called in a row. prepare: returns the call for a copy of the system's
    package, with the chosen reading.
    """

    name: str
    calls: int
    prepare: Callable[[Any, Choice], Call]


def main() -> None:
    """Print the ratios of every case, without and with a recorder."""
    with packages() as (noting, silent):
        for system, cases in CASES.items():
            for case in cases:
                baseline = case.prepare(silent[system], plain)
                for choice, words in ((plain, "no recorder"), (recorded, "recorder")):
                    call = case.prepare(noting[system], choice)
                    comparison = compare(call, baseline, pairs=31, calls=case.calls)
                    print(line(f"{system}, {case.name}", comparison, words, "no noting"))


def plain(_package: Any, reading: Any) -> Any:
    """Return the reading itself, which notes nothing."""
    return reading


def recorded(package: Any, reading: Any) -> Any:
    """Return the reading with a new recorder."""
    return package.recording(reading)[0]


@contextmanager
def packages() -> Iterator[tuple[Mapping[str, ModuleType], Mapping[str, ModuleType]]]:
    """Return the systems of a copy of the reference, and of a copy that notes no steps."""
    with tempfile.TemporaryDirectory() as folder:
        noting, silent = Path(folder) / "noting", Path(folder) / "silent"
        for copied in (noting, silent):
            shutil.copytree(REFERENCE, copied / "rejoin", ignore=shutil.ignore_patterns("*.pyc"))
        for path in sorted(silent.rglob("*.py")):
            path.write_text(without_notes(path.read_text(encoding="utf-8")), encoding="utf-8")
        yield _loaded(noting), _loaded(silent)


def without_notes(source: str) -> str:
    """Return the source of a module without the statements that note steps."""
    return ast.unparse(_Silent().visit(ast.parse(source)))


class _Silent(ast.NodeTransformer):
    """Removes each `if` that runs only with a recorder, and the names of recorders.

    A comparison `steps is None` becomes `True`.
    """

    def visit_If(self, node: ast.If) -> ast.AST:
        """Replace the statement by `pass` if it asks for a recorder."""
        if _asks_for_a_recorder(node.test) and not node.orelse:
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Replace the statement by `pass` if it gives a recorder a name."""
        if isinstance(node.value, ast.Attribute) and node.value.attr == "steps":
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Replace the comparison `steps is None` by `True`."""
        return ast.Constant(value=True) if _compares_recorder(node, ast.Is) else node


def _asks_for_a_recorder(test: ast.expr) -> bool:
    return any(_compares_recorder(each, ast.IsNot) for each in ast.walk(test))


def _compares_recorder(node: ast.AST, how: type[ast.cmpop]) -> bool:
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], how)
        and ast.unparse(node.left).split(".")[-1] == "steps"
    )


def _loaded(folder: Path) -> Mapping[str, ModuleType]:
    """Import the packages of the systems from a folder, beside those that are imported already."""
    before = {name: module for name, module in sys.modules.items() if _is_ours(name)}
    for name in before:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return {name: importlib.import_module(f"rejoin.{_module(name)}") for name in CASES}
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if _is_ours(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _is_ours(name: str) -> bool:
    return name == "rejoin" or name.startswith("rejoin.")


def _module(system: str) -> str:
    return system.replace("-", "_")


def _merge(rows: int) -> Callable[[Any, Choice], Call]:
    def prepare(hm: Any, choice: Choice) -> Call:
        nodes, row = [hm.Node("r", frozenset(), frozenset())], ["r"]
        for number in range(rows):
            names = [f"{side}{number:05d}" for side in "ab"]
            states = {name: frozenset([name[0], str(number % 7)]) for name in names}
            nodes += [hm.Node(name, frozenset(row), states[name]) for name in names]
            row = names
        graph = hm.graph_of(nodes)

        def call() -> object:
            reading = choice(hm, hm.DOCUMENT)
            return hm.merge(graph, row, hm.SETS, reading=reading)

        return call

    return prepare


def _resolve(cm: Any, choice: Choice) -> Call:
    """Return a resolve of four messages of one seqno with 20 keys and five rows each."""
    data = {b"k%02d" % number: number for number in range(20)}
    message = cm.update([], data)
    for number in range(6):
        message = cm.update([message.encoded], {**data, b"n": number})
    heads = [
        cm.update([message.encoded], {**message.data, b"x%d" % number: number}).encoded
        for number in range(4)
    ]

    def call() -> object:
        reading = choice(cm, cm.DOCUMENT)
        return cm.resolve(heads, reading=reading).message.encoded

    return call


def _play(cd: Any, choice: Choice) -> Call:
    """Return 12 edits and 18 polls of three clients, without a conflict."""

    def call() -> object:
        reading = choice(cd, cd.REPAIRED)
        folder = cd.Folder(cd.SnapshotDesign(reading))
        for name in "ABC":
            folder = cd.add_client(folder, name)
        for number in range(6):
            folder = cd.edit(folder, "A", "foo", b"a%d" % number).folder
            folder = cd.poll(folder, "B", "A", "foo").folder
            folder = cd.edit(folder, "B", "foo", b"b%d" % number).folder
            folder = cd.poll(folder, "C", "B", "foo").folder
            folder = cd.poll(folder, "A", "B", "foo").folder
        return cd.local_files(cd.client_named(folder, "C"))

    return call


CASES: Final[Mapping[str, tuple[Case, ...]]] = {
    "history-merge": tuple(
        Case(f"merge of {rows:,} rows", max(1, 300 // rows**2), _merge(rows)) for rows in ROWS
    ),
    "config-merge": (Case("resolve of 4 messages", 30, _resolve),),
    "conflict-detection": (Case("12 edits and 18 polls", 10, _play),),
}
"""System -> what it does."""


if __name__ == "__main__":
    main()
