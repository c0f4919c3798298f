"""The steps of a merge as text. The clause of each step follows from the step and those before it.

merge-steps p q = order p q;  start p: {x}
  lca-u q = {r};  origin {};  fold q: {x y}

`given order q p` is the order of a set if the question gives a fold order. `default {}` is the only
step of the merge of no nodes.
"""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.notation.scanner import NOTHING, Scanner
from rejoin_conformance.systems.history_merge.notation.states import (
    message_name,
    read_set,
    read_state,
    write_set,
    write_state,
)

_ON_A_LINE_WITH_THE_STEP_BEFORE = ("start", "origin", "fold")


def read_steps(scanner: Scanner) -> Json:
    """Take the steps of a merge, up to the end of the text."""
    steps: list[JsonObject] = []
    if not scanner.takes(NOTHING):
        steps.append(_read_step(scanner, steps))
        while scanner.ends_statement() and not scanner.at_end:
            steps.append(_read_step(scanner, steps))
    return [*steps]


def _read_step(scanner: Scanner, before: list[JsonObject]) -> JsonObject:
    last: Any = before[-1] if before else {}
    if scanner.takes("default"):
        return step_json("default", "HM-MERGE-EMPTY", state=read_state(scanner))
    if scanner.takes("given"):
        scanner.expect("order")
        return step_json("order", "HM-FOLD-RANKED", nodes=_names(scanner))
    if scanner.takes("order"):
        return step_json("order", "HM-FOLD-ASCENDING", nodes=_names(scanner))
    if scanner.takes("start"):
        alone = len(last.get("nodes", ())) == 1
        return step_json("start", "HM-MERGE-ONE" if alone else "HM-MERGE-FOLD", **_at_node(scanner))
    if scanner.takes("lca-u"):
        node = scanner.name("the ID of a message")
        scanner.expect("=")
        common = read_set(scanner)
        clause = "HM-LCAU-LOWEST" if common else "HM-LCAU-NONE"
        return step_json("lca-u", clause, node=node, nodes=[*common])
    if scanner.takes("origin"):
        none = last.get("nodes") == []
        clause = "HM-MERGE-NO-ORIGIN" if none else "HM-MERGE-ORIGIN"
        return step_json("origin", clause, state=read_state(scanner))
    if scanner.takes("fold"):
        return step_json("fold", "HM-MERGE-STEP", **_at_node(scanner))
    raise scanner.fault("a step: `default`, `order`, `given order`, `start`, `lca-u`, ...")


def _names(scanner: Scanner) -> Json:
    return [*scanner.names("the ID of a message")]


def _at_node(scanner: Scanner) -> JsonObject:
    node = scanner.name("the ID of a message")
    scanner.expect(":")
    return {"node": node, "state": read_state(scanner)}


def write_steps(steps: Any, state_type: str) -> str:
    """Return the text of steps: a line for the start of a set, and one for each further node."""
    text = ""
    for step in steps:
        if text:
            joined = step["step"] in _ON_A_LINE_WITH_THE_STEP_BEFORE
            text += ";  " if joined else "\n  "
        text += write_step(step, state_type)
    return text or NOTHING


def write_step(step: Any, state_type: str) -> str:
    """Return the text of one step."""
    match step["step"]:
        case "order":
            given = "given " if step["clause"] == "HM-FOLD-RANKED" else ""
            return f"{given}order {_write_names(step['nodes'])}"
        case "lca-u":
            return f"lca-u {message_name(step['node'])} = {write_set(step['nodes'])}"
        case "start" | "fold" as kind:
            state = write_state(step["state"], state_type)
            return f"{kind} {message_name(step['node'])}: {state}"
        case kind:
            return f"{kind} {write_state(step['state'], state_type)}"


def _write_names(names: Any) -> str:
    return " ".join(map(message_name, names)) or NOTHING


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a merge, under the set that each merges."""
    state_type = str(example.input.get("state_type", ""))
    under = ""

    def write(step: JsonObject) -> WrittenStep:
        nonlocal under
        nodes: Any = step.get("nodes")
        if step["step"] == "order":
            under = f"merge of {_write_names(sorted(nodes))}"
        return WrittenStep(write_step(step, state_type), under)

    return write
