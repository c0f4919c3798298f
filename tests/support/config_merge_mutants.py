"""Deliberate faults in the reference of config merge; the tests must find each of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

from attrs import frozen

from rejoin.config_merge import (
    client,
    conflict_resolution,
    diff_updates,
    encryption,
    ignored_updates,
    non_conflicting_updates,
    outer_metadata,
)


@frozen
class Mutant:
    """A faulty reference: one piece of text in the source of one function is replaced.

    found_by: the laws that must find the fault.
    """

    name: str
    module: ModuleType
    function: str
    text: str
    wrong: str
    found_by: tuple[str, ...]


MUTANTS = (
    Mutant(
        "the replay set is processed in descending order",
        conflict_resolution,
        "replay_set",
        "in sorted(replay)]",
        "in sorted(replay, reverse=True)]",
        ("no-lost-update", "merge-form", "replay-of-everything"),
    ),
    Mutant(
        "the current data start as those of the lowest message",
        conflict_resolution,
        "merge",
        "highest = ranked[-1]",
        "highest = ranked[0]",
        ("untouched-leaves-stay", "merge-form"),
    ),
    Mutant(
        "entries of newseqno - N are not replayed",
        conflict_resolution,
        "replay_set",
        "row.rank[0] >= oldest",
        "row.rank[0] > oldest",
        ("no-lost-update",),
    ),
    Mutant(
        "the messages' own diffs are not replayed",
        conflict_resolution,
        "replay_set",
        "(message.row, message) for message in ranked}",
        "(message.row, message) for message in ranked[-1:]}",
        ("no-lost-update", "merge-form", "idempotence"),
    ),
    Mutant(
        "lagged diffs are not replayed",
        conflict_resolution,
        "replay_set",
        "for row in message.lagged:",
        "for row in ():",
        ("no-lost-update",),
    ),
    Mutant(
        "the messages are merged in the order in which they came",
        conflict_resolution,
        "merge",
        "ranked = sorted(survivors, key=by_rank)",
        "ranked = list(survivors)",
        ("order-independence",),
    ),
    Mutant(
        "a merge keeps no unknown keys",
        conflict_resolution,
        "merge",
        'unknown=highest.unknown if reading.unknown_keys_on_merge == "highest" else ()',
        "unknown=()",
        ("merge-form",),
    ),
    Mutant(
        "ties are broken by the lower hash",
        conflict_resolution,
        "merge",
        "ranked = sorted(survivors, key=by_rank)",
        "ranked = sorted(survivors, key=lambda m: (m.seqno, bytes(255 - b for b in m.hash)))",
        ("untouched-leaves-stay", "merge-form"),
    ),
    Mutant(
        "included messages are not ignored",
        ignored_updates,
        "set_aside",
        "for rank in recent.keys() & included:",
        "for rank in ():",
        ("ignored-exactly",),
    ),
    Mutant(
        "the window of stale messages is one too wide",
        ignored_updates,
        "set_aside",
        "within(window, rank[0], largest)",
        "within(window + 1, rank[0], largest)",
        ("ignored-exactly", "deletion-loses-nothing"),
    ),
    Mutant(
        "duplicates survive",
        ignored_updates,
        "set_aside",
        'why[index] = "duplicate"',
        "pass",
        ("repeats-change-nothing",),
    ),
    Mutant(
        "the survivors stay in the order in which they came",
        ignored_updates,
        "set_aside",
        "sorted(survivors, key=by_rank)",
        "survivors",
        ("order-independence",),
    ),
    Mutant(
        "rows that are out of the window are carried on",
        non_conflicting_updates,
        "non_conflicting_update",
        "rows_within(window,",
        "rows_within(window + 1,",
        ("update-form",),
    ),
    Mutant(
        "a merge carries on rows that are out of the window",
        conflict_resolution,
        "merge",
        "rows_within(window,",
        "rows_within(window + 1,",
        ("merge-form",),
    ),
    Mutant(
        "elements that were removed from a set are not recorded",
        diff_updates,
        "change_between",
        "removed=had - has",
        "removed=NO_ELEMENTS",
        ("diff-and-apply", "update-form"),
    ),
    Mutant(
        "empty sets and dicts are not removed",
        conflict_resolution,
        "process_entry",
        "reading.prune_after_each_entry and",
        "False and",
        ("ciphertext-opens", "bad-messages-spoil-nothing"),
    ),
    Mutant(
        "an edit is forgotten when the client resolves",
        client,
        "resolve_known",
        "if local is not None:",
        "if (local := None) is not None:",
        ("edit-survives-resolve",),
    ),
    Mutant(
        "a push deletes everything that the client knows",
        client,
        "obsoleted_by",
        "known.rank in included",
        "True",
        ("deletes-only-obsolete",),
    ),
    Mutant(
        "a push deletes the message that it stores",
        client,
        "push",
        "delete=obsoleted_by(message, client)",
        "delete=(storage_id(ciphertext),)",
        ("deletes-only-obsolete", "exchange-converges"),
    ),
    Mutant(
        "merges are not pushed",
        client,
        "_message_to_push",
        "return None if client.head_is_stored else head",
        "return None",
        ("exchange-converges",),
    ),
    Mutant(
        "the nonce differs from call to call",
        encryption,
        "encrypt",
        "nonce_of(plaintext, reading=reading, domain=domain)",
        "__import__('os').urandom(NONCE_LENGTH)",
        ("same-messages-same-bytes", "exchange-converges"),
    ),
    Mutant(
        "keys after the signature are accepted",
        outer_metadata,
        "_parse_outer",
        "if key > SIGNATURE:",
        "if False:",
        ("bad-messages-spoil-nothing",),
    ),
    Mutant(
        "unknown keys are lost in parsing",
        outer_metadata,
        "_parse_outer",
        "unknown=tuple(unknown)",
        "unknown=()",
        ("canonical-form",),
    ),
)


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """Replace the right function by the faulty one until the block ends."""
    right = getattr(mutant.module, mutant.function)
    source = inspect.getsource(right)
    if source.count(mutant.text) != 1:
        raise ValueError(f"{mutant.name}: the text that it replaces is not there once")
    wrong = _compiled(source.replace(mutant.text, mutant.wrong), mutant.function, right)
    places = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("rejoin.") and getattr(module, mutant.function, None) is right
    ]
    try:
        for module in places:
            setattr(module, mutant.function, wrong)
        yield
    finally:
        for module in places:
            setattr(module, mutant.function, right)


def _compiled(source: str, name: str, right: FunctionType) -> Callable[..., object]:
    """Return the function compiled from that source, with the global names of the right one."""
    code = compile("from __future__ import annotations\n" + source, f"<wrong {name}>", "exec")
    names: dict[str, Any] = {}
    exec(code, right.__globals__, names)
    wrong: Callable[..., object] = names[name]
    return wrong
