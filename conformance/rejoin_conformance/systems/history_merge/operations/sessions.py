"""Operations on sessions: accept one message, or offer a sequence of messages."""

from __future__ import annotations

from typing import Any, Final

from rejoin.history_merge import (
    LITERAL_NODES,
    HistoryMergeError,
    MergeCache,
    Reading,
    Session,
    StateType,
    graph_of,
)
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import any_of, list_of, nullable, record
from rejoin_conformance.systems.history_merge.operations.features import STATE_TYPES
from rejoin_conformance.systems.history_merge.operations.fields import (
    FORMATS,
    StateFormat,
    by_fast,
    for_each_state_type,
    literally,
    names_field,
    node_of,
    nodes_field,
    state_format,
)


def _accept(value: JsonObject, reading: Reading, *, fast: bool) -> JsonObject:
    form = state_format(value)
    accepted = graph_of(nodes_field(value, "nodes", form))
    session = _new_session(form.states, reading, len(accepted) + 1, fast=fast)
    for message in accepted:
        session.accept(message)
    session.accept(node_of(value["message"], form))
    return {"accepted": True}


def _session(value: JsonObject, reading: Reading, *, fast: bool) -> JsonObject:
    form = state_format(value)
    messages = nodes_field(value, "messages", form)
    session = _new_session(form.states, reading, len(messages), fast=fast)
    steps: list[Json] = []
    for message in messages:
        try:
            session.accept(message)
        except HistoryMergeError:
            accepted = False
        else:
            accepted = True
        steps.append({"accepted": accepted, "state": _state(session, form)})
    return {"steps": steps}


def _words(value: JsonObject) -> list[str]:
    """Return a word for each message: whether it has no parent, one parent or several."""
    messages = value["messages"]
    assert isinstance(messages, list)
    return [
        ("root", "one parent", "join")[min(len(names_field(each, "parents")), 2)]
        for each in messages
        if isinstance(each, dict)
    ]


def _state(session: Session[Any], form: StateFormat) -> Json:
    """Return the state of a session, or None if its heads conflict."""
    try:
        return form.write(session.members())
    except HistoryMergeError:
        return None


def _new_session(
    states: StateType[Any], reading: Reading, messages: int, *, fast: bool
) -> Session[Any]:
    """Return a session for that many messages. It merges literally if they are within the bound."""
    cached = fast or messages > LITERAL_NODES
    return Session(states, reading, MergeCache() if cached else None)


def _accept_input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema()), "message": form.node_schema()})


def _session_input(form: StateFormat) -> JsonObject:
    return record({"messages": list_of(form.node_schema())})


OPERATIONS: Final = (
    Operation(
        name="history-merge/accept",
        summary=(
            "Accept a message into a session that has accepted the messages `nodes`, listed in any "
            "order. Reject it if the session refuses it."
        ),
        input_schema=for_each_state_type(_accept_input),
        output_schema=record({"accepted": {"const": True}}),
        perform=literally(_accept),
        second=by_fast(_accept),
        features=STATE_TYPES,
    ),
    Operation(
        name="history-merge/session",
        summary=(
            "Offer messages to a new session in the order of the list. Return for each message "
            "whether the session accepted it, and the state of the session after it, which is null "
            "if its heads conflict. A refused message refuses only itself."
        ),
        input_schema=for_each_state_type(_session_input),
        output_schema=record(
            {
                "steps": list_of(
                    record(
                        {
                            "accepted": {"type": "boolean"},
                            "state": nullable(any_of(*(form.schema for form in FORMATS.values()))),
                        }
                    )
                )
            }
        ),
        perform=literally(_session),
        second=by_fast(_session),
        features=STATE_TYPES,
        step_words=_words,
    ),
)
