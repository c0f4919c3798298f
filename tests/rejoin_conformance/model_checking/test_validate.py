from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.contract.model import Behaviour, Step
from rejoin_conformance.kit.tla_values import record
from rejoin_conformance.model_checking.tlc import TlcFailedError
from rejoin_conformance.model_checking.validate import Accepted, NotJudged, Refused, validated
from support.toy_model import FOLDER, TOY_MODEL, History, trace_of

FINE: History = (("A", 0), ("B", 1), ("B", 0), ("A", 2))


def _trace(history: History, reading: str = "document") -> Behaviour:
    return trace_of(history, reading)


def test_what_the_code_does_by_the_model_is_accepted() -> None:
    traces = [_trace(FINE), _trace(FINE[:1]), _trace(())]
    verdicts = list(validated(TOY_MODEL, FOLDER, traces, "document"))
    assert verdicts == [Accepted(trace=0), Accepted(trace=1), Accepted(trace=2)]


def test_a_step_that_the_model_does_not_allow_is_found() -> None:
    twice = _trace((("A", 0), ("B", 1), ("B", 1), ("A", 0)))
    (verdict,) = validated(TOY_MODEL, FOLDER, [twice], "document")
    assert verdict == Refused(trace=0, at=2, step=twice.steps[2], instead=())
    assert verdict.text() == ('step 3, hear(number: 1, who: "B"):\n  the model does not allow it')


@pytest.mark.full_run("model checker")
def test_the_first_step_may_be_the_wrong_one() -> None:
    wrong = _trace((("A", 1), ("A", 0)))
    (verdict,) = validated(TOY_MODEL, FOLDER, [wrong], "document")
    assert verdict == Refused(trace=0, at=0, step=wrong.steps[0], instead=())


@pytest.mark.full_run("model checker")
def test_a_state_that_the_model_does_not_come_to_is_reported_beside_the_model_s() -> None:
    deaf = _trace(FINE, "deaf")
    refused = list(validated(TOY_MODEL, FOLDER, [_trace(FINE), deaf, _trace(FINE)], "document"))
    assert refused[0] == Accepted(trace=0)
    assert refused[2] == Accepted(trace=2)
    verdict = refused[1]
    assert isinstance(verdict, Refused)
    assert (verdict.at, verdict.instead) == (1, (record(seen=frozenset({1}), posted=1),))
    assert verdict.text() == (
        'step 2, hear(number: 1, who: "B"):\n'
        "  the model observes [posted |-> 1, seen |-> {1}]\n"
        "  the code observed  [posted |-> 1, seen |-> {}]"
    )


@pytest.mark.full_run("model checker")
def test_a_trace_on_which_tlc_fails_affects_no_other() -> None:
    unknown = Behaviour((Step(record(action="sing", who="A"), record(posted=0)),))
    verdicts = list(validated(TOY_MODEL, FOLDER, [_trace(FINE), unknown], "document"))
    assert verdicts[0] == Accepted(trace=0)
    assert isinstance(verdicts[1], NotJudged)
    assert "CASE" in verdicts[1].error
    assert "\n" not in verdicts[1].error


@pytest.mark.full_run("model checker")
def test_a_model_with_a_fault_is_reported_at_once_and_blamed_on_no_trace(tmp_path: Path) -> None:
    text = (FOLDER / "Toy.tla").read_text(encoding="utf-8")
    (tmp_path / "Toy.tla").write_text(text.replace("====", "Odd == Nowhere\n===="))
    with pytest.raises(TlcFailedError, match="Nowhere"):
        list(validated(TOY_MODEL, tmp_path, [_trace(FINE), _trace(FINE)], "document"))
