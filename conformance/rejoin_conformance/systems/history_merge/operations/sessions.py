"""Sessions: whether a message is accepted, and what a session makes of a sequence of messages."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import HistoryMergeError, Session, graph_of, session_of
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import any_of, list_of, record
from rejoin_conformance.systems.history_merge.operations.fields import (
    FORMATS,
    StateFormat,
    for_each_state_type,
    node_of,
    nodes_field,
    reading_named,
    state_format,
)


def _accept(value: JsonObject, name: str) -> JsonObject:
    form = state_format(value)
    accepted = graph_of(nodes_field(value, "nodes", form))
    session = session_of(accepted, form.states, reading_named(name))
    session.accept(node_of(value["message"], form))
    return {"accepted": True}


def _session(value: JsonObject, name: str) -> JsonObject:
    form = state_format(value)
    session = Session(form.states, reading_named(name))
    steps: list[Json] = []
    for message in nodes_field(value, "messages", form):
        try:
            session.accept(message)
        except HistoryMergeError:
            accepted = False
        else:
            accepted = True
        steps.append({"accepted": accepted, "state": form.write(session.members())})
    return {"steps": steps}


def _accept_input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema()), "message": form.node_schema()})


def _session_input(form: StateFormat) -> JsonObject:
    return record({"messages": list_of(form.node_schema())})


OPERATIONS: Final = (
    Operation(
        name="history-merge/accept",
        summary=(
            "Accept a message into a session whose accepted messages are `nodes`, in any order; "
            "refuse where the session would."
        ),
        input_schema=for_each_state_type(_accept_input),
        output_schema=record({"accepted": {"const": True}}),
        perform=_accept,
    ),
    Operation(
        name="history-merge/session",
        summary=(
            "Offer messages to a new session in the order of the list. Say of each whether it was "
            "accepted, and the state of the session after it."
        ),
        input_schema=for_each_state_type(_session_input),
        output_schema=record(
            {
                "steps": list_of(
                    record(
                        {
                            "accepted": {"type": "boolean"},
                            "state": any_of(*(form.schema for form in FORMATS.values())),
                        }
                    )
                )
            }
        ),
        perform=_session,
    ),
)
