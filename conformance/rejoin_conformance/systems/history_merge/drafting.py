"""How the authors of vectors write histories, sets and drafts in one line each."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft, Level, Scenario
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.notation import parse_history


def names(text: str) -> list[Json]:
    """A list of names, in the order of the text."""
    return [*text.split()]


def stated(text: str) -> list[Json]:
    """The nodes of a history of sets, in the order of the text."""
    return [
        {"id": node.id, "parents": [*sorted(node.parents)], "state": [*sorted(node.state)]}
        for node in parse_history(text)
    ]


def unstated(text: str) -> list[Json]:
    """The nodes of a history, without states."""
    return [{"id": node.id, "parents": [*sorted(node.parents)]} for node in parse_history(text)]


def typed(text: str, state_type: str) -> list[Json]:
    """The nodes of a history whose states are one word each: counters or registers."""
    nodes: list[Json] = []
    for node in parse_history(text):
        assert len(node.state) <= 1, f"{node.id}: one word is a {state_type}"
        state = next(iter(node.state), "")
        nodes.append({"id": node.id, "parents": [*sorted(node.parents)], "state": state})
    return nodes


def query(
    operation: str,
    name: str,
    summary: str,
    clauses: str,
    *,
    given: JsonObject,
    output: JsonObject,
    level: Level = "must",
) -> Draft:
    """A draft whose output is known."""
    return Draft(
        name=name,
        operation=f"history-merge/{operation}",
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        output=output,
        level=level,
    )


def refused(
    operation: str,
    name: str,
    summary: str,
    clauses: str,
    *,
    given: JsonObject,
    mended: JsonObject,
) -> Draft:
    """A draft whose input is refused for its one fault, and accepted once that is mended."""
    return Draft(
        name=name,
        operation=f"history-merge/{operation}",
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        rejected_by=("document",),
        mended=mended,
    )


def merging(text: str, merge: str, order: str | None = None) -> JsonObject:
    """The input of an operation that merges the nodes `merge` of a history of sets."""
    given: JsonObject = {"nodes": stated(text), "merge": names(merge)}
    if order is not None:
        given["order"] = names(order)
    return given


def merged(
    name: str,
    summary: str,
    clauses: str,
    text: str,
    merge: str,
    state: str,
    *,
    order: str | None = None,
    operation: str = "merge",
    level: Level = "must",
) -> Draft:
    """A draft of a merge of sets whose result is known."""
    return query(
        operation,
        name,
        summary,
        clauses,
        given=merging(text, merge, order),
        output={"state": [*sorted(state.split())]},
        level=level,
    )


def in_scenario(draft: Draft, scenario: str, step: str) -> Draft:
    """The draft as one step of a story."""
    return evolve(draft, scenario=Scenario(scenario, step))
