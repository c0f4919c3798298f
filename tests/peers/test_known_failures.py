"""Each peer has recorded results, and a list of known failures with reasons."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from figures import load
from rejoin_conformance.adapters.runner.known_failures import load_known_failures
from tables import Table

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "conformance" / "peers"


def test_each_peer_has_recorded_results() -> None:
    table = load()["peers"]
    assert isinstance(table, Table)
    described = (path.read_text(encoding="utf-8") for path in PEERS.glob("*/peer.toml"))
    assert {tomllib.loads(text)["name"] for text in described} <= {row[0] for row in table.rows}


def test_known_failures_of_peers_name_vectors_and_reasons() -> None:
    vectors = json.loads((ROOT / "vectors" / "index.json").read_text(encoding="utf-8"))["vectors"]
    ids = {each["id"] for each in vectors}
    files = sorted(PEERS.glob("*/known-failures.toml"))
    assert [path.parent.name for path in files] == ["git", "libsession_util", "magic_folder"]
    for path in files:
        known = load_known_failures(path)
        assert {each.id for each in known.failures} <= ids
        assert all(each.reason for each in known.failures)
        assert all(each.reason for each in known.differences)
