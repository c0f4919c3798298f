from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.locations import spec_directory

SOURCES = sorted(Path(str(files("rejoin.conflict_detection"))).glob("*.py"))


def test_every_code_that_is_raised_is_listed_and_every_listed_code_is_raised() -> None:
    raised = {
        code
        for path in SOURCES
        for code in re.findall(
            r'ConflictDetectionError\(\s*"([a-z-]+)"', path.read_text(encoding="utf-8")
        )
    }
    assert raised == set(cd.CODES)


def test_the_spec_lists_the_codes_with_the_same_meanings() -> None:
    text = (spec_directory() / "conflict-detection" / "errors.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \| ", text, flags=re.MULTILINE)) == dict(
        cd.CODES
    )
