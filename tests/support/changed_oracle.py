"""The oracle, changed for a test: it can be wrong, fail, be out of date, or be missing."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

from rejoin_conformance.adapters.oracle import MODULE, oracle_of
from rejoin_conformance.campaigns.laws_by import why_not
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

WRONG: Final = b',"output":{"wrong":true}}'


def need_oracle(runs: str = "") -> None:
    """Skip the test if the oracle is not built, or was built with other vectors.

    runs: a system whose histories it must run.
    """
    oracle_of.cache_clear()
    pytest.importorskip(MODULE, reason="the oracle is not built; run: make setup")
    oracles = [oracle_of(system) for system in system_names()]
    if any(each is None or each.changed for each in oracles):
        pytest.skip("the vectors changed after the oracle was built; run: make setup")
    if runs and (why := why_not(runs, system_named(runs).default_reading)):
        pytest.skip(f"{why}; run: make setup")


def install(
    monkeypatch: pytest.MonkeyPatch,
    operation: str,
    answer: Callable[[Any], bytes] | None = None,
    *,
    stale: bool = False,
    **changed: Any,
) -> None:
    """Change the oracle.

    answer: given the module, answers the operation in its place. stale: the operation had other
    vectors when the module was built. changed: other functions of the module.
    """
    module = importlib.import_module(MODULE)
    hello, built = module.hello()
    if stale:
        system = operation.partition("/")[0]
        built = canonical_json({**json.loads(built), operation: "0" * 32, system: ""})

    def ask(name: str, reading: str, value: JsonObject) -> tuple[bytes, bytes | None]:
        request, said = module.ask(name, reading, value)
        return request, answer(module) if answer and name == operation else said

    functions: dict[str, Any] = {
        "hello": lambda: (hello, built),
        "ask": ask,
        "agree": module.agree,
        **changed,
    }
    for name in ("Detection", "Merges"):
        functions.setdefault(name, getattr(module, name, None))
    monkeypatch.setitem(sys.modules, MODULE, SimpleNamespace(**functions))
    oracle_of.cache_clear()


def uninstall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be installed, as on a machine without a Rust toolchain."""
    monkeypatch.setitem(sys.modules, MODULE, None)
    oracle_of.cache_clear()
