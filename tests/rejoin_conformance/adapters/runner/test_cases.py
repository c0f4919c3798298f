"""A selection chooses vectors; an adapter's hello decides in which readings they are run."""

from __future__ import annotations

import pytest

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Selection, UndeclaredReadingError, readings_of
from support.toy_system import TOY, VECTORS, toy_cases

HELLO = Hello(
    name="toy",
    version="",
    language="",
    operations=("toy/halve",),
    readings={},
    max_in_flight=1,
)


def _hello(*readings: str) -> Hello:
    return Hello(
        name="toy",
        version="",
        language="",
        operations=("toy/halve",),
        readings={"toy": readings},
        max_in_flight=1,
    )


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        (Selection(), 41),
        (Selection(systems=("toy",)), 41),
        (Selection(systems=("other",)), 0),
        (Selection(operations=("toy/double",)), 1),
        (Selection(operations=("double",)), 1),
        (Selection(operations=("d*", "halve")), 41),
        (Selection(clauses=("TOY-ODD",)), 20),
        (Selection(clauses=("TOY-ODD", "TOY-DOUBLE")), 21),
        (Selection(levels=("should",)), 1),
        (Selection(ids=("toy/halves/half-of-1?",)), 10),
        (Selection(ids=("*/half-of-3", "*/half-of-4")), 2),
        (Selection(ids=("*/half-of-1?",), clauses=("TOY-HALF",)), 5),
    ],
)
def test_a_selection_chooses(selection: Selection, count: int) -> None:
    chosen = [vector for vector in VECTORS["toy"] if selection.chooses(vector)]
    assert len(chosen) == count
    assert len(toy_cases(HELLO, selection)) == count


def test_without_a_word_about_readings_the_default_is_run() -> None:
    assert readings_of(TOY, Selection(), HELLO) == ("strict",)


def test_declared_readings_are_run_each() -> None:
    assert readings_of(TOY, Selection(), _hello("lenient", "strict")) == ("lenient", "strict")
    assert len(toy_cases(_hello("lenient", "strict"))) == 82


def test_a_chosen_reading_is_run_whatever_is_declared() -> None:
    selection = Selection(readings=("lenient", "of-another-system"))
    assert readings_of(TOY, selection, _hello("strict")) == ("lenient",)


def test_a_declared_reading_that_does_not_exist_is_refused() -> None:
    with pytest.raises(
        UndeclaredReadingError, match="the reading 'creative' of toy; the readings are strict"
    ):
        toy_cases(_hello("creative"))


def test_each_case_has_the_expectation_of_its_reading() -> None:
    expected = {
        case.reading: case.expected
        for case in toy_cases(_hello("strict", "lenient"), Selection(ids=("*/half-of-15",)))
    }
    assert expected == {"strict": {"rejected": {}}, "lenient": {"output": {"half": 7}}}
