"""The version of the corpus. docs/releases.md states what each part of it promises."""

from __future__ import annotations

from typing import Final

CORPUS_VERSION: Final = "0.1.0"
"""`vectors/index.json` carries it. `rejoin vectors diff` names the part that must change."""
