"""A table of text has no line that is ignored."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import table

ROW = "walk: ours {local}\n    summary: The snapshots\n        of a client.\n    once: yes\n"


def test_a_row_has_a_name_a_text_and_fields() -> None:
    assert [*table(ROW)] == [
        ("walk", "ours {local}", {"summary": "The snapshots of a client.", "once": "yes"})
    ]


@pytest.mark.parametrize("line", ["walk ours {local}", "   once: yes", "    once yes"])
def test_a_line_that_fits_nowhere_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match=f"a line of no row: '{line.strip()}'"):
        [*table(f"{ROW}{line}\n")]


def test_a_profile_has_only_weights_of_the_default() -> None:
    with pytest.raises(ValueError, match="profile racing: no weight is called rase"):
        profiles_told("default: usual\n    race 6\nracing: more\n    rase 12\n")
