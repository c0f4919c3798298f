"""A campaign under a changed rule: the rule holds in a process while it examines histories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.readings.rule_file import Rule, load_rule
from rejoin_conformance.readings.sides import in_force


@contextmanager
def rule_in_force(plan: Plan) -> Iterator[None]:
    """While the block runs, the plan's rule holds in this process, if the plan has one."""
    if plan.rule is None:
        yield
        return
    system = system_named(plan.system)
    (name,) = plan.readings
    with in_force(load_rule(Rule(name, plan.rule), system), system):
        yield
