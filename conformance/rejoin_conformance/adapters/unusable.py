"""The error that ends a run or a campaign because its adapter cannot be used."""

from __future__ import annotations

from rejoin_conformance.kit.errors import UnusableError


class AdapterUnusableError(UnusableError):
    """The adapter cannot be started, or sends no valid hello. The message ends with its stderr."""
