"""The vectors of history merge that are computed: one module a topic."""

from __future__ import annotations

import importlib
import pkgutil

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Every topic, in the order of the modules' names."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [importlib.import_module(f"{__name__}.{module}").TOPIC for module in modules]
    assert all(isinstance(topic, Topic) for topic in found)
    return tuple(found)
