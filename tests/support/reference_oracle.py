"""A module that answers as the oracle does, by the reference, and can be wrong."""

from __future__ import annotations

import io
import sys
from functools import cache
from types import SimpleNamespace

import pytest

from rejoin_conformance.adapters.oracle import MODULE, digests_of_vectors, oracle_of
from rejoin_conformance.adapters.serve import serve
from rejoin_conformance.kit.json_types import canonical_json

_digests = cache(digests_of_vectors)


def install(
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    wrong: str = "",
    stale: str = "",
) -> None:
    """Install the module.

    wrong: an operation that it answers wrong. stale: one whose vectors were others.
    """

    def said(line: bytes) -> bytes:
        replies = io.BytesIO()
        serve(io.BytesIO(line), replies)
        return replies.getvalue().rstrip(b"\n")

    def answer(line: bytes) -> bytes:
        asked = f'"operation":"{wrong}"'.encode() in line
        return b'{"id":0,"output":{"wrong":true}}' if asked else said(line)

    digests = {**_digests(system), **({stale: "0" * 32, system: ""} if stale else {})}
    hello = said(b'{"type":"hello","protocol":1}\n').decode()
    module = SimpleNamespace(
        hello=lambda: (hello, canonical_json(digests)),
        answer=answer,
        agree=lambda answer, reply: answer == reply,
    )
    monkeypatch.setitem(sys.modules, MODULE, module)
    oracle_of.cache_clear()


def uninstall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be installed, as on a machine without a Rust toolchain."""
    monkeypatch.setitem(sys.modules, MODULE, None)
    oracle_of.cache_clear()
