"""Build hook: a wheel carries the spec and the corpus inside the package; a checkout does not."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelData(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while building
    """Add `spec/` and `vectors/` to every wheel that is not an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; `version` is `standard` or `editable`."""
        if version == "standard":
            build_data["force_include"] = {
                "spec": "rejoin_conformance/data/spec",
                "vectors": "rejoin_conformance/data/vectors",
            }
