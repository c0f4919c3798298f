"""The error that ends a campaign or a run: its adapter cannot be used at all."""

from __future__ import annotations


class AdapterUnusableError(Exception):
    """The adapter cannot be started, or does not greet: what happened, then its standard error."""
