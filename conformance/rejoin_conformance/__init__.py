"""The conformance suite: everything that judges an implementation of a Rejoin protocol.

Everything general works on operations, vectors, histories and laws. Only `registry` knows where the
systems live.
"""

from __future__ import annotations

from rejoin_conformance.kit.source import prefer_source_if_asked

prefer_source_if_asked()
