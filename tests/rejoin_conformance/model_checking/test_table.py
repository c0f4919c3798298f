from __future__ import annotations

from rejoin_conformance.contract.model import Configuration
from rejoin_conformance.model_checking.check import Checked
from rejoin_conformance.model_checking.table import line, markdown, to_json
from rejoin_conformance.model_checking.tlc_output import TlcOutcome, TraceState

STATE = TraceState("Next", {"n": 1})
PASSES = Configuration(name="all-well", summary="All | is well.", bounds="2")
VIOLATES = Configuration(name="lost", summary="Nothing is lost.", bounds="3", violates="NoLoss")
WELL = Checked(PASSES, TlcOutcome(generated=1200, distinct=1000, depth=7, milliseconds=2400))
LOST = Checked(
    VIOLATES, TlcOutcome(violated="NoLoss", trace=(STATE, STATE, STATE), milliseconds=600)
)
NOT_LOST = Checked(VIOLATES, TlcOutcome(generated=5, distinct=5, depth=2, milliseconds=600))


def test_the_page_has_a_row_a_configuration() -> None:
    page = markdown({"Toy": [WELL, LOST, NOT_LOST]})
    assert "## Toy" in page
    assert r"| `all-well` | All \| is well. | 2 | no violation | 1,200 | 1,000 | 7 |" in page
    assert "| `lost` | Nothing is lost. | 3 | violates `NoLoss`, 2 steps |" in page
    assert "**not as expected**: passes; expected: violates NoLoss" in page


def test_sections_of_systems_that_were_not_checked_stay() -> None:
    first = markdown({"Zebra": [LOST], "Toy": [WELL]})
    second = markdown({"Toy": [LOST]}, first)
    assert second == markdown({"Toy": [LOST], "Zebra": [LOST]})
    assert markdown({}, second) == second


def test_rows_of_other_configurations_can_stay() -> None:
    both = markdown({"Toy": [WELL, LOST]})
    assert markdown({"Toy": [LOST]}, both, keep_rows=True) == both
    assert markdown({"Toy": [LOST]}, both) == markdown({"Toy": [LOST]})
    assert markdown({"Toy": [LOST]}, markdown({"Toy": [WELL]}), keep_rows=True) == both


def test_a_line_and_data_say_what_was_expected() -> None:
    assert line(LOST).startswith("ok    lost")
    assert line(LOST).endswith("violates NoLoss after 2 steps, as expected")
    assert line(NOT_LOST).startswith("WRONG lost")
    assert to_json(NOT_LOST)["as_expected"] is False
    assert to_json(WELL)["distinct"] == 1000


def test_a_failure_of_tlc_is_neither_a_pass_nor_a_violation() -> None:
    failed = Checked(PASSES, TlcOutcome(error="no memory"))
    assert not failed.as_expected
    assert failed.text() == "TLC failed: no memory"
