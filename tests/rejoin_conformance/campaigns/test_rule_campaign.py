"""A campaign under a rule file: the rule holds while blocks are examined, and its text is kept."""

from __future__ import annotations

import pytest

from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.readings.rule_file import RuleError
from support.plans import small_plan
from support.spreads import HERE
from support.window_rule import window_rule

RULE = window_rule("window += 1", "True")
RAISING = """
def no(*arguments, **named):
    raise ValueError("odd")


OVERRIDES = {"rejoin.config_merge.diff_updates.diff": no}
"""


def plan(reading: str, rule: str | None = None) -> Plan:
    return small_plan("config-merge", 20, readings=(reading,), rule=rule)


def test_laws_are_checked_under_the_rule_and_the_reference_is_itself_again() -> None:
    ruled = run_campaign(plan("rule.py", RULE), HERE)
    assert ("rule.py", "update-form", "rows") in [each.name for each in ruled.found()]
    assert ruled.failures() == []
    assert not run_campaign(plan("document"), HERE).found()


def test_what_a_rule_raises_is_a_fault_of_the_rule() -> None:
    with pytest.raises(RuleError, match=r"rule.py: line 3 .*: ValueError: odd"):
        run_campaign(plan("rule.py", RAISING), HERE)
