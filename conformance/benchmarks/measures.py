"""The measurements of the documentation's figures, by the commands that make them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import absence
import polls
import recorded
import strength
import window
from ports import SOURCES
from rejoin_conformance.kit.json_types import Json
from series import TradeOff
from tables import Table, table_of

ROOT: Final = Path(__file__).parents[2]
_REJOIN: Final = ("-m", "rejoin_conformance.command_line.main")
_PORTS: Final = str(SOURCES / "mutants.py")
_PEERS: Final = str(SOURCES.parent / "peers" / "run.py")

Figures: TypeAlias = Mapping[str, Table | TradeOff]


def mutants(*arguments: str) -> Figures:
    """Return the tables of the reference's mutants; by default of all of them."""
    chosen = arguments or ("--all", "--directory", str(ROOT / ".venv" / "mutants"))
    return strength.of_reference(printed(*_REJOIN, "mutants", *chosen, "--json"))


def port_mutants() -> Figures:
    """Return the tables of the ports' mutants."""
    for port in ("javascript", "rust"):
        subprocess.run([sys.executable, _PORTS, "run", port], check=True)
    (listed,) = printed(_PORTS, "check", "--json")
    return strength.of_ports(listed)


def models(*arguments: str) -> Mapping[str, Table]:
    """Return a table of the configurations of each model; by default of all of them."""
    chosen = arguments or ("--all", "--workers", "2", "--memory", "4096")
    rows: dict[str, list[Sequence[Json]]] = {}
    for each in printed(*_REJOIN, "model", "check", *chosen, "--json"):
        numbers = (each[name] or "not noted" for name in ("states", "distinct", "depth"))
        result = each["result"].removesuffix(", as expected")
        row = (f"`{each['configuration']}`", each["summary"], each["bounds"], result)
        rows.setdefault(f"models-{each['system']}", []).append((*row, *numbers))
    heads = "Configuration | What it checks | Bounds | Result | States | Distinct | Depth"
    return {name: table_of(heads, listed) for name, listed in rows.items()}


def peers(*names: str) -> Mapping[str, Table]:
    """Return a row of results for each peer; by default for all that can run."""
    heads = (
        "Implementation | Version | Pass | Known to differ | Fail | Not declared | "
        "Random answers | Different | Not listed"
    )
    return {"peers": table_of(heads, (each.values() for each in printed(_PEERS, *names)))}


def printed(*arguments: str) -> list[Any]:
    """Return the lines of JSON that a program of Python prints. Exits if it did not finish."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    # 1: it finished, and something is not as it should be
    if done.returncode not in {0, 1} or not done.stdout:
        sys.exit(f"exit code {done.returncode} of: {' '.join(arguments)}")
    return [json.loads(line) for line in done.stdout.splitlines()]


WHOLE: Final[Mapping[str, Callable[[], Figures]]] = {
    "window": lambda: {"window": window.measured()},
    "absence": lambda: {"absence": absence.measured()},
    "retention": lambda: {"retention": polls.retention()},
    "previous": lambda: {"previous": polls.previous()},
    "strength": mutants,
    "ports": port_mutants,
    "planted": lambda: {"planted": strength.planted()},
}
"""Measurements of whole tables and trade-offs."""

BY_ROW: Final[Mapping[str, Callable[..., Mapping[str, Table]]]] = {
    "campaigns": lambda *arguments: {"campaigns": recorded.measured(*arguments)},
    "models": models,
    "peers": peers,
}
"""Measurements whose arguments choose rows."""
