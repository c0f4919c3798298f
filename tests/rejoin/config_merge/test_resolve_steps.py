"""A resolution with a recorder has the same result, and its steps lead to it."""

from __future__ import annotations

import pytest

from rejoin import config_merge as cm
from rejoin.config_merge import DOCUMENT, LIBSESSION, READINGS, ConfigMergeError, recording

FIRST = cm.update([], {b"k": 1})
LEFT = cm.update([FIRST.encoded], {b"k": 1, b"a": 1})
RIGHT = cm.update([FIRST.encoded], {b"k": 1, b"b": 1})
LATER = cm.update([RIGHT.encoded], {b"k": 1, b"b": 2})


def _steps(*messages: cm.Message, reading: cm.Reading = DOCUMENT) -> tuple[cm.ResolveStep, ...]:
    recorded, recorder = recording(reading)
    encoded = [each.encoded for each in messages]
    assert cm.resolve(encoded, reading=recorded) == cm.resolve(encoded, reading=reading)
    return recorder.steps()


def test_a_merge_shows_its_base_each_entry_and_what_it_keeps() -> None:
    steps = _steps(LATER, FIRST, LEFT)
    merge = cm.resolve([LATER.encoded, LEFT.encoded]).message
    between = sorted((LEFT, RIGHT), key=lambda each: each.rank)
    assert steps[:4] == (
        cm.IgnoreStep(1, "included"),
        cm.SurvivorsStep((LEFT, LATER)),
        cm.SeqnoStep(4),
        cm.BaseStep(LATER.rank, LATER.data),
    )
    replays = [step for step in steps if isinstance(step, cm.ReplayStep)]
    assert [step.rank for step in replays] == [
        FIRST.rank,
        *(each.rank for each in between),
        LATER.rank,
    ]
    assert [step.source == step.rank for step in replays] == [
        False,
        *(each is LEFT for each in between),
        True,
    ]
    assert replays[-1].data == merge.data
    assert steps[-2:] == (
        cm.KeepStep(merge.lagged),
        cm.MessageStep(merge.encoded),
    )


def test_a_reading_that_prunes_at_the_end_has_a_step_for_it() -> None:
    kinds = {
        name: [type(step) for step in _steps(LEFT, RIGHT, reading=reading)]
        for name, reading in READINGS.items()
    }
    assert cm.PruneStep not in kinds["document"]
    assert kinds["libsession"].index(cm.PruneStep) == len(kinds["libsession"]) - 3
    assert LIBSESSION.steps is DOCUMENT.steps is None


def test_one_survivor_is_the_result() -> None:
    assert _steps(FIRST, LEFT) == (
        cm.IgnoreStep(0, "included"),
        cm.SurvivorsStep((LEFT,)),
        cm.ResultStep(LEFT.rank, alone=True),
    )


def test_a_rejected_resolution_has_no_steps() -> None:
    recorded, recorder = recording()
    with pytest.raises(ConfigMergeError):
        cm.resolve([b"i1e"], reading=recorded)
    assert recorder.steps() == ()


def test_each_step_names_its_clause() -> None:
    clauses = [step.clause for step in _steps(LATER, FIRST, LEFT, LEFT)]
    assert clauses[:5] == [
        "CM-IGNORE-INCLUDED",
        "CM-IGNORE-DUPLICATE",
        "CM-RESOLVE-ORDER",
        "CM-RESOLVE-SEQNO",
        "CM-RESOLVE-BASE",
    ]
    assert {*clauses[5:-2]} == {"CM-RESOLVE-REPLAY-OWN", "CM-RESOLVE-REPLAY-LAGGED"}
    assert clauses[-2:] == ["CM-RESOLVE-LAGGED", "CM-RESOLVE-DIFF-EMPTY"]
