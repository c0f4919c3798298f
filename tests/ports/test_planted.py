"""The lists of planted bugs fit the sources of the ports. `planted.py` there runs them."""

from __future__ import annotations

from collections import Counter

import pytest

from planted import Bug, PlantError, load_bugs
from scratch import PORTS, SYSTEMS

BUGS = [bug for system in SYSTEMS for bug in load_bugs(system)]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.system}/{bug.name}")
def test_a_bug_can_be_planted(bug: Bug) -> None:
    text = (PORTS / bug.port / bug.file).read_text(encoding="utf-8")
    assert bug.plant(text) != text


def test_each_system_has_thirty_bugs_half_of_them_in_each_port() -> None:
    counts = Counter((bug.system, bug.port) for bug in BUGS)
    assert counts == {(system, port): 15 for system in SYSTEMS for port in ("rust", "javascript")}


def test_no_two_bugs_have_one_name() -> None:
    assert len({(bug.system, bug.name) for bug in BUGS}) == len(BUGS)


def test_a_text_that_the_sources_do_not_contain_is_refused() -> None:
    with pytest.raises(PlantError, match="exactly once"):
        BUGS[0].plant("other sources")
