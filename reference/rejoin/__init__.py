"""Rejoin: a literal reference for three protocols in which concurrent histories fork and rejoin."""

from __future__ import annotations

__version__ = "0.1.0"
