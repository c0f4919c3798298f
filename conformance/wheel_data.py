"""Build hook: a wheel has the spec, the corpus and the argued mutants inside the package."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelData(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while building
    """Add the folders to every wheel that is not an editable one, which reads the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; `version` is `standard` or `editable`."""
        if version == "standard":
            build_data["force_include"] = {
                "spec": "rejoin_conformance/data/spec",
                "vectors": "rejoin_conformance/data/vectors",
                "conformance/mutants": "rejoin_conformance/data/mutants",
            }
