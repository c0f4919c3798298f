"""Small plans of campaigns."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import system_named


def small_plan(system: str, histories: int, **more: Any) -> Plan:
    """Return a plan of tiny histories in the default reading. more: other fields of the plan."""
    readings = (system_named(system).default_reading,)
    fields = {"profile": "tiny", "readings": readings, "seed": 1, **more}
    return Plan(system=system, histories=histories, **fields)
