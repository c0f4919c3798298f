"""Steps are typed objects in a list; two lists part at the first step that differs."""

from __future__ import annotations

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.step import step_schema
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import TEXT, any_of
from rejoin_conformance.kit.validation import schema_fault, validator

SCHEMA = any_of(
    step_schema("look", "X-LOOK", seen=(TEXT, "What is seen.")),
    step_schema("leap", "X-LEAP X-FALL"),
)
LOOK: JsonObject = {"step": "look", "clause": "X-LOOK", "seen": "a"}
LEAP: JsonObject = {"step": "leap", "clause": "X-FALL"}


def _fits(*steps: JsonObject) -> bool:
    return all(schema_fault(validator(SCHEMA), step) is None for step in steps)


def test_a_step_has_its_type_its_clause_and_the_fields_of_its_type() -> None:
    assert _fits()
    assert _fits(LOOK, LEAP)
    assert not _fits({**LOOK, "clause": "X-LEAP"})
    assert not _fits({**LEAP, "seen": "a"})
    assert not _fits({"step": "look", "clause": "X-LOOK"})


def test_an_operation_that_lists_steps_takes_the_input_of_the_other_one() -> None:
    for system in all_systems():
        for operation in system.operations:
            other = system.operation(operation.steps_of) if operation.steps_of else None
            if operation.steps_of:
                assert other is not None
                assert _without_descriptions(other.input_schema) == _without_descriptions(
                    operation.input_schema
                )


def test_every_clause_that_a_step_can_name_is_in_the_spec() -> None:
    for system in all_systems():
        known = {clause.id for clause in clauses_of(system.name)}
        for operation in system.operations:
            if operation.steps_of:
                named = _clauses_named(operation.output_schema)
                assert named
                assert named <= known


def _without_descriptions(schema: object) -> object:
    if isinstance(schema, list):
        return [_without_descriptions(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_descriptions(each)
        for name, each in schema.items()
        if name != "description" or isinstance(each, dict)
    }


def _clauses_named(schema: object) -> set[str]:
    """Return the values of every field `clause` in a schema."""
    if isinstance(schema, list):
        return set().union(*map(_clauses_named, schema))
    if not isinstance(schema, dict):
        return set()
    found = set().union(*map(_clauses_named, schema.values()))
    clause = schema.get("properties", {}).get("clause", {})
    return found | {*clause.get("enum", [])}
