"""A hint names what was installed: a file, a checkout, an address, or one version of an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.kit.installing import install_hint

RECORDS = (
    ('{"url":"file:///a%20b/x.whl","archive_info":{}}', "pip install '/a b/x.whl[spark]'"),
    (
        '{"url":"file:///src","dir_info":{"editable":true}}',
        "pip install -e '/src[spark]'",
    ),
    (
        '{"url":"https://host.example/x.whl","archive_info":{}}',
        "pip install 'rejoin-conformance[spark] @ https://host.example/x.whl'",
    ),
    (
        '{"url":"https://host.example/x","vcs_info":{"vcs":"git","commit_id":"ab"}}',
        "pip install 'rejoin-conformance[spark] @ git+https://host.example/x@ab'",
    ),
    (None, "pip install 'rejoin-conformance[spark]==9.9'"),
)
"""What an installer recorded -> the command."""


def test_the_hint_names_what_was_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "rejoin_conformance-9.9.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: rejoin-conformance\nVersion: 9.9\n")
    monkeypatch.syspath_prepend(tmp_path)
    for record, hint in RECORDS:
        (metadata / "direct_url.json").unlink(missing_ok=True)
        if record is not None:
            (metadata / "direct_url.json").write_text(record)
        assert install_hint("spark") == hint
