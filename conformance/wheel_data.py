"""Build hook: what a wheel has besides the packages: the spec, the corpus, the argued mutants."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelData(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while building
    """Add files to every wheel that is not an editable one, which reads the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; `version` is `standard` or `editable`."""
        if version != "standard":
            return
        build_data["force_include"] = {
            "spec": "rejoin_conformance/data/spec",
            "vectors": "rejoin_conformance/data/vectors",
            "conformance/mutants": "rejoin_conformance/data/mutants",
        }
