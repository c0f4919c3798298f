"""Random histories of the history merge: drawn from profiles, run on the reference, checked.

`actions` defines the actions, `drawing` draws them and `run` carries them out. The `laws_` modules
check the laws on the result.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.history import Histories
from rejoin_conformance.contract.law import Examination, Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import LAWS, PROFILES, READINGS
from rejoin_conformance.systems.history_merge.actions import History, history_from_json
from rejoin_conformance.systems.history_merge.calls import calls_of
from rejoin_conformance.systems.history_merge.drawing import generate_history
from rejoin_conformance.systems.history_merge.laws_elements import element_alone
from rejoin_conformance.systems.history_merge.laws_histories import HistoryCheck
from rejoin_conformance.systems.history_merge.laws_merges import MergeCheck
from rejoin_conformance.systems.history_merge.outcome import cover, outcome_of, shown
from rejoin_conformance.systems.history_merge.run import Run, run_history

SETS_BESIDES_HEADS: Final = 3
"""The number of sets of messages that an examination merges, besides the heads of the history."""

_MOST_MERGED: Final = 6
_WINDOW: Final = 16


def examine_history(history: History, oracle: Any, reading: Reading) -> Examination:
    """Return the examination of a history: a pure function of the history and the reading.

    oracle: the module of the oracle, which then merges in place of the reference, or None.
    """
    run = run_history(history, reading, oracle)
    ledger, draw = Ledger(LAWS), Draw(history.probe)
    if run.messages:
        cover(run, ledger)
        alone = element_alone(run, draw)
        for numbers in _sets(run, draw):
            check = MergeCheck(run, ledger, draw, numbers)
            check.check_all(alone)
        HistoryCheck(run, ledger, draw).check_all(numbers, check.merged)
    return ledger.examination(_digest(run, ledger))


def _sets(run: Run, draw: Draw) -> list[tuple[int, ...]]:
    """Return sets to merge: the heads of the history, and the heads of drawn nearby messages."""
    count = len(run.messages)
    found = [run.views.heads((1 << count) - 1)]
    for _ in range(SETS_BESIDES_HEADS):
        last = draw.between(min(2, count), count)
        near = range(max(0, last - _WINDOW), last)
        some = draw.sample(near, draw.between(2, _MOST_MERGED))
        found.append(run.views.heads(run.past_of(tuple(some))))
    return found


def _digest(run: Run, ledger: Ledger) -> bytes:
    lines = [f"{each.id} {shown(each.state)}" for each in run.messages]
    text = "\n".join([*lines, *ledger.observed])
    return hashlib.blake2b(text.encode(), digest_size=32).digest()


HISTORIES: Final[Histories[History]] = Histories(
    profiles=PROFILES.summaries,
    large=("long", "large"),
    generate=lambda profile, seed: generate_history(PROFILES.weights[profile], seed),
    examine=under(READINGS, lambda history, reading: examine_history(history, None, reading)),
    examine_by=under(READINGS, examine_history),
    oracle_needs="Merges.literally",
    calls=calls_of,
    outcome=under(READINGS, lambda history, reading: outcome_of(run_history(history, reading))),
    from_json=history_from_json,
)
"""The random histories of this system."""
