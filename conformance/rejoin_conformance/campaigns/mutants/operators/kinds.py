"""The kinds of change that make a mutant: each a function from a node to nodes in its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Final

from rejoin_conformance.campaigns.mutants.operators import (
    arithmetic,
    calls,
    conditions,
    constants,
    definitions,
    displays,
    statements,
)
from rejoin_conformance.campaigns.mutants.operators.nodes import Changes

KINDS: Final[Mapping[str, Callable[[ast.AST], Changes]]] = {
    "argument-dropped": calls.argument_dropped,
    "arguments-swapped": calls.arguments_swapped,
    "arithmetic": arithmetic.arithmetic,
    "assignment-emptied": statements.assignment_emptied,
    "boolean-operator": conditions.boolean_operator,
    "branch-deleted": statements.branch_deleted,
    "call-dropped": calls.call_dropped,
    "case-deleted": statements.case_deleted,
    "case-guard-dropped": statements.case_guard_dropped,
    "choice-fixed": conditions.choice_fixed,
    "comparison": conditions.comparison,
    "condition-fixed": conditions.condition_fixed,
    "condition-negated": conditions.condition_negated,
    "decorator-dropped": definitions.decorator_dropped,
    "default-emptied": definitions.default_dropped,
    "element-dropped": displays.element_dropped,
    "elements-swapped": displays.elements_swapped,
    "filter-dropped": displays.filter_dropped,
    "filter-negated": displays.filter_negated,
    "function-exchanged": calls.function_exchanged,
    "handler-deleted": statements.handler_deleted,
    "integer-at-a-limit": constants.integer_at_a_limit,
    "integer-by-one": constants.integer_by_one,
    "jump-exchanged": statements.jump_exchanged,
    "method-exchanged": calls.method_exchanged,
    "negation-dropped": conditions.negation_dropped,
    "operand-alone": arithmetic.operand_alone,
    "operand-dropped": conditions.operand_dropped,
    "operands-swapped": arithmetic.operands_swapped,
    "raise-deleted": statements.raise_deleted,
    "returned-nothing": statements.returned_nothing,
    "slice": displays.bound_dropped,
    "statement-deleted": statements.statement_deleted,
    "text-constant": constants.text_constant,
    "truth-constant": constants.truth_constant,
}
"""Kind of change -> the changes of that kind for one node."""
