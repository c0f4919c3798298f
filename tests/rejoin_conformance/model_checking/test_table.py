from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.model import Configuration
from rejoin_conformance.model_checking.check import Checked
from rejoin_conformance.model_checking.table import line, to_json
from rejoin_conformance.model_checking.tlc_output import TlcOutcome, TraceState

STATE = TraceState("Next", {"n": 1})
PASSES = Configuration(name="all-well", summary="All | is well.", bounds="2")
VIOLATES = Configuration(name="lost", summary="Nothing is lost.", bounds="3", violates="NoLoss")
LOST = Checked(
    VIOLATES, TlcOutcome(violated="NoLoss", trace=(STATE, STATE, STATE), milliseconds=600)
)
NOT_LOST = Checked(VIOLATES, TlcOutcome(generated=5, distinct=5, depth=2, milliseconds=600))


def test_a_line_and_data_say_what_was_expected() -> None:
    assert line(LOST).startswith("ok    lost")
    assert line(LOST).endswith("violates NoLoss after 2 steps, as expected")
    assert line(NOT_LOST).startswith("WRONG lost")
    said = [to_json(NOT_LOST)[name] for name in ("as_expected", "distinct", "result")]
    assert said == [False, 5, "passes; expected: violates NoLoss"]
    drawn = Checked(evolve(PASSES, behaviours=3000), TlcOutcome(generated=9, milliseconds=1))
    assert to_json(drawn)["result"] == "passes in 3,000 random behaviours"


def test_a_failure_of_tlc_is_neither_a_pass_nor_a_violation() -> None:
    failed = Checked(PASSES, TlcOutcome(error="no memory"))
    assert not failed.as_expected
    assert failed.text() == "TLC failed: no memory"
