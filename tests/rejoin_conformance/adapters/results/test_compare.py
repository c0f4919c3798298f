"""Two results differ vector by vector; a transcript (`toy.txt`) shows the text."""

from __future__ import annotations

from typing import cast

from attrs import evolve

from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.records import Volatile
from rejoin_conformance.adapters.results.results_diff import compare
from rejoin_conformance.adapters.runner.cases import Verdict
from support.result_files import passed, results


def _results(**verdicts: str) -> Results:
    """Name -> verdict, or verdict: explanation; an empty text for no record."""
    said = {name: text.partition(": ") for name, text in verdicts.items() if text}
    return results(
        *(
            evolve(
                passed(name),
                verdict=cast("Verdict", verdict),
                explanation=explanation,
                volatile=Volatile(restarted=explanation == "restarted"),
            )
            for name, (verdict, _, explanation) in said.items()
        )
    )


CHANGES = [
    ("pass", "fail: wrong", ["newly failing"]),
    ("not-declared", "crash: gone", ["newly failing"]),
    ("", "timeout: late", ["newly failing"]),
    ("fail: wrong", "pass", ["newly passing"]),
    ("not-declared", "pass", ["newly passing"]),
    ("", "pass", ["appeared"]),
    ("", "not-declared", ["appeared"]),
    ("pass", "", ["disappeared"]),
    ("fail: wrong", "", ["disappeared"]),
    ("fail: wrong", "fail: otherwise", ["changed"]),
    ("fail: wrong", "crash: gone", ["changed"]),
    ("pass", "not-declared", ["changed"]),
    ("pass", "pass: restarted", ["newly failing"]),
    ("", "pass: restarted", ["newly failing"]),
    ("pass: restarted", "pass", ["newly passing"]),
    ("fail: wrong", "pass: restarted", ["changed"]),
    ("pass: restarted", "fail: wrong", ["changed"]),
    ("pass: restarted", "pass: restarted", []),
    ("pass", "pass", []),
    ("fail: wrong", "fail: wrong", []),
]


def test_a_change_stands_in_one_group() -> None:
    for old, new, groups in CHANGES:
        comparison = compare(_results(x=old), _results(x=new))
        assert [title for title, changes in comparison.items() if changes] == groups, (old, new)


def test_accepted_restarts_are_no_changes() -> None:
    old, new = _results(x="pass"), _results(x="pass: restarted")
    accepting = evolve(new, configuration=evolve(new.configuration, allow_restarts=True))
    assert compare(old, accepting)["newly failing"] == []
    assert compare(old, new)["newly failing"][0].verdicts == ("pass", "pass, after a restart")
