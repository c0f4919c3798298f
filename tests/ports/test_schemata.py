"""A source can carry all its mutants, and the compiler's errors show which of them are invalid."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemata import Site, by_file, invalid, schema, sites

FILE = "src/a.rs"
SOURCE = """\
const LAST: i64 = 9 - 1;

/// The next one.
pub fn next(a: i64) -> i64 {
    a + 1
}

fn none() {}
"""


def place(line: int, column: int) -> dict[str, int]:
    return {"line": line, "column": column}


def listed(
    line: int, column: int, replacement: str, *, inside: bool = True, result: str = "-> i64"
) -> dict[str, Any]:
    span = {"start": place(4, 1), "end": place(6, 2)}
    return {
        "file": FILE,
        "function": {"span": span, "return_type": result} if inside else None,
        "span": {"start": place(line, column), "end": place(line, column + 1)},
        "replacement": replacement,
    }


@pytest.fixture
def mutants() -> tuple[Site, ...]:
    reported = [
        listed(5, 7, "-"),
        listed(1, 21, "+", inside=False),
        listed(5, 7, "*"),
    ]
    return sites(reported, {FILE: SOURCE})


def test_the_changed_text_is_found_by_line_and_column(mutants: tuple[Site, ...]) -> None:
    assert [SOURCE[each.start : each.end] for each in mutants] == ["+", "-", "+"]
    assert [each.number for each in mutants] == [1, 2, 3]


def test_only_mutants_in_functions_can_be_carried(mutants: tuple[Site, ...]) -> None:
    assert [each.number for each in by_file(mutants)[FILE]] == [1, 3]
    with pytest.raises(ValueError, match=r"mutant 2 of src/a\.rs"):
        schema(SOURCE, mutants, 0)


def test_a_function_whose_result_is_any_type_of_a_trait_has_no_arms() -> None:
    (mutant,) = sites([listed(5, 7, "-", result="-> impl Iterator<Item = i64>")], {FILE: SOURCE})
    assert mutant.function is None


def test_a_number_chooses_the_body_of_a_function(mutants: tuple[Site, ...]) -> None:
    made = schema(SOURCE, by_file(mutants)[FILE], 5)
    assert (
        made.text
        == """\
const LAST: i64 = 9 - 1;

/// The next one.
pub fn next(a: i64) -> i64 { match crate::mutant::at(5) {
1 => {
    a - 1
}
3 => {
    a * 1
}
_ => {
    a + 1
}
} }

fn none() {}
"""
    )
    assert made.functions == {5: (1, 3)}
    assert made.arms == ((1, 5, 7), (3, 8, 10))


def error(line: int, *, primary: bool = True, file: str = FILE) -> str:
    span = {"file_name": file, "line_start": line, "is_primary": primary, "expansion": None}
    message = {"level": "error", "spans": [span], "rendered": f"wrong in line {line}"}
    return json.dumps({"reason": "compiler-message", "message": message})


def of_macro(line: int) -> str:
    about = json.loads(error(1, file="macros.rs"))
    outer = {"file_name": FILE, "line_start": line, "expansion": None}
    about["message"]["spans"][0]["expansion"] = {"span": outer}
    return json.dumps(about)


def test_errors_name_the_mutants_that_do_not_compile(mutants: tuple[Site, ...]) -> None:
    schemas = {FILE: schema(SOURCE, by_file(mutants)[FILE], 0)}
    assert invalid([error(6)], schemas) == {1}
    assert invalid([of_macro(9)], schemas) == {3}
    assert invalid(['{"reason": "build-finished"}'], schemas) == frozenset()


def test_an_error_outside_of_the_mutants_is_not_one_of_theirs(mutants: tuple[Site, ...]) -> None:
    schemas = {FILE: schema(SOURCE, by_file(mutants)[FILE], 0)}
    with pytest.raises(ValueError, match="wrong in line 12"):
        invalid([error(12)], schemas)
