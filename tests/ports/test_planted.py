"""The lists of planted bugs fit the sources of the ports. `planted.py` there runs them."""

from __future__ import annotations

from collections import Counter

import pytest

from planted import PlantError, load_bugs
from scratch import PORTS, SYSTEMS

BUGS = [bug for system in SYSTEMS for bug in load_bugs(system)]


def test_each_system_has_thirty_bugs_that_fit_the_sources_half_of_them_in_each_port() -> None:
    counts = Counter((bug.system, bug.port) for bug in BUGS)
    assert counts == {(system, port): 15 for system in SYSTEMS for port in ("rust", "javascript")}
    assert len({(bug.system, bug.name) for bug in BUGS}) == len(BUGS)
    for bug in BUGS:
        text = (PORTS / bug.port / bug.file).read_text(encoding="utf-8")
        assert bug.plant(text) != text, bug.name


def test_a_text_that_the_sources_do_not_contain_is_refused() -> None:
    with pytest.raises(PlantError, match="exactly once"):
        BUGS[0].plant("other sources")
