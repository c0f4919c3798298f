"""The benchmark of the step recorder compares with a copy that is the same but for the notes."""

from __future__ import annotations

import ast

from recorder import CASES, REFERENCE, packages, plain, recorded, without_notes

RECORDERS = {"action_steps.py", "merge_steps.py", "resolve_steps.py"}


def test_all_copies_return_the_same() -> None:
    with packages() as (noting, silent):
        for system, (case, *_) in CASES.items():
            assert noting[system] is not silent[system]
            results = [
                case.prepare(package[system], choice)()
                for package in (noting, silent)
                for choice in (plain, recorded)
            ]
            assert results[0]
            assert results == [results[0]] * 4


def test_the_copy_mentions_no_recorder_outside_of_the_recorders_themselves() -> None:
    noting = silent = 0
    for path in sorted(REFERENCE.rglob("*.py")):
        if path.name not in RECORDERS:
            source = path.read_text(encoding="utf-8")
            noting += recorders_asked(source)
            silent += recorders_asked(without_notes(source))
    assert noting > 15
    assert silent == 0


def test_other_statements_stay() -> None:
    asks = "if reading.steps is not None:\n    reading.steps.note(1)\n"
    other = "if a is not None:\n    b()"
    assert without_notes(asks + other) == f"pass\n{other}"
    assert without_notes("if b and a.steps is None:\n    c()") == "if b and True:\n    c()"
    assert without_notes("steps = a.steps\nsteps = list(a)") == "pass\nsteps = list(a)"


def recorders_asked(source: str) -> int:
    """Return how often a module reads a recorder from a reading, or notes a step."""
    return sum(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and node.attr in {"steps", "note"}
        for node in ast.walk(ast.parse(source))
    )
