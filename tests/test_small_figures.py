"""Small figures that count something are those of the code or of a test.

`test_figures` holds figures of four digits and more. Smaller integers occur everywhere in the
code, so it is not enough that a constant has the same value. Each small figure that counts
something is therefore listed with the line of the code or of the test that has it.

Sizes of a format, such as bytes, levels and digits, stand in clauses: vectors hold them. Pages of
measurements and records of searches have tests of their own.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from support.written_texts import PROJECT, pages
from test_figures import MEASURED, RECORDS, SIZES, prose

UNITS = (
    "vectors|histories|mutants|tests|downloads|polls|clauses|theorems|statements|merges|resolves|"
    "messages|nodes|rows|steps|kinds|lines|seconds|open branches|most frequent|"
    "pass|compared|differ|known to|not declared|of (?:them|these|the)|in which|for [a-z]+ [a-z]+"
)
SMALL = re.compile(rf"(?<![\w.,#/^-])\d{{2,3}}(?:,? (?:and |of )?[\d,]*\d)* (?:{UNITS})\b")
RATE = re.compile(r"(?<![\w.,])1 (?:in|of) \d{2,3}(?![\w,]|\.\d)")
CELL = re.compile(r"(?<=\|) *(\d{2,3}) *(?=\|)")

PEERS = ("docs/implementations.md",)
"""Pages that are written from kept results; `tests/peers/test_page.py` checks them."""

EXHAUST = {
    "spec/conflict-detection/search-rules.md": "conflict_detection",
}
"""Record of searches -> the system whose tests of the searches assert its small figures.

The tests of history merge compare each cell of its record with the search.
"""

SYSTEMS = "tests/rejoin_conformance/systems"
SUITE = "conformance/rejoin_conformance"

_HELD: Final = """
README.md: 12 of the
  spec/history-merge/search-rules.md: | 4 | 40 | 640 | 12 | 12 | 12 | 36 |
README.md: 640 histories
  spec/history-merge/search-rules.md: | 4 | 40 | 640 | 12 | 12 | 12 | 36 |
README.md: 12 and 29,439 of them
  spec/history-merge/search-rules.md: | 12 | 828 | 51,010 | 12 | 609 | 29,439 | 29,415 |
docs/adapter-protocol.md: 30 seconds
  conformance/rejoin_conformance/adapters/limits.py: 30.0,
docs/adapter-protocol.md: 10 seconds
  conformance/rejoin_conformance/adapters/limits.py: answer a request.", 10.0
docs/check-your-implementation.md: 20 most frequent
  conformance/rejoin_conformance/campaigns/findings/adapter_findings.py: MOST_SHRUNK: Final = 20
docs/check-your-implementation.md: 250 histories
  conformance/rejoin_conformance/campaigns/plan.py: BLOCK_SIZE: Final = 250
docs/check-your-implementation.md: 1 of 100
  conformance/rejoin_conformance/campaigns/plan.py: CHECK_EVERY: Final = 100  # 1 of this many
docs/results-format.md: 40 of them
  conformance/rejoin_conformance/adapters/results/failure_groups.py: _MOST_TOLD: Final = 40
docs/proofs.md: 707 histories
  tests/coq/test_definitions.py: pytest.param("element_merge", "idempotent", 4, 707,
docs/try-a-rule.md: 20 messages
  reference/rejoin/history_merge/any_size.py: LITERAL_NODES: Final = 20
spec/history-merge/README.md: 20 nodes
  reference/rejoin/history_merge/any_size.py: LITERAL_NODES: Final = 20
spec/history-merge/errata.md: 25 of 8,372 histories
  spec/history-merge/search-rules.md: | 0 of 544 | 25 of 8,372 |
spec/history-merge/errata.md: 25 of 179,200 histories
  spec/history-merge/search-rules.md: | 0 of 8,163 | 25 of 179,200 |
spec/history-merge/errata.md: 640 histories
  spec/history-merge/search-rules.md: | 4 | 40 | 640 | 12 | 12 | 12 | 36 |
spec/history-merge/errata.md: 12, 828 and 51,010 of these
  spec/history-merge/search-rules.md: | 12 | 828 | 51,010 | 12 | 609 | 29,439 | 29,415 |
spec/history-merge/errata.md: 12, 609 and 29,439 of them
  spec/history-merge/search-rules.md: | 12 | 828 | 51,010 | 12 | 609 | 29,439 | 29,415 |
spec/history-merge/errata.md: 56 histories
  spec/history-merge/search-rules.md: | 3 | 7 | 56 | 0 | 0 | 0 | 0 |
spec/history-merge/errata.md: 60 in which
  spec/history-merge/search-rules.md: In 60 histories of K = 7
spec/history-merge/errata.md: 353 of 2,223,018 histories
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (353, 49)
spec/history-merge/errata.md: 44 of them
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (1_796, 44, 40)
spec/history-merge/errata.md: 40 of these
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (1_796, 44, 40)
"""


_LINES: Final = [tuple(line.strip().split(": ", 1)) for line in _HELD.strip().split("\n")]
HELD: Final = dict(zip(_LINES[::2], _LINES[1::2], strict=True))
"""Page and figure -> a file and a line of it that has the same figure."""

MEASURED_ONCE = "an experiment that no test repeats; the page says how it was made"

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("CONTRIBUTING.md", "300 lines"): "a guide to authors, not a count",
    ("docs/adapter-protocol.md", "100 lines"): "about; the last test of this file measures it",
    ("spec/config-merge/errata.md", "1 in 96"): MEASURED_ONCE,
    ("spec/config-merge/errata.md", "648 merges"): MEASURED_ONCE,
    ("spec/config-merge/errata.md", "83 of these"): MEASURED_ONCE,
    ("spec/config-merge/errata.md", "1 in 87"): MEASURED_ONCE,
    ("spec/config-merge/errata.md", "1 in 55"): MEASURED_ONCE,
    ("spec/config-merge/errata.md", "1 in 373"): MEASURED_ONCE,
    ("spec/conflict-detection/errata.md", "18 steps"): MEASURED_ONCE,
}
"""Page and figure -> why no line of the code or of a test has it."""


def figures_of(text: str) -> list[str]:
    """Return the small figures of a page that count something, with their units."""
    joined = " ".join(prose(text).split())
    return [*SMALL.findall(joined), *RATE.findall(joined)]


def stated() -> list[tuple[str, str]]:
    found = [
        (page, figure)
        for page, text in pages().items()
        if page not in (*MEASURED, *RECORDS, *PEERS)
        and not page.endswith(SIZES)
        and not page.startswith("docs/operations/")
        for figure in figures_of(text)
    ]
    return list(dict.fromkeys(found))


def small_integers(text: str) -> set[int]:
    """Return the integers of a text that `test_figures` does not hold: those below 1,000."""
    found = {int(re.sub("[,_]", "", each)) for each in re.findall(r"\d[\d,_]*", text)}
    return {each for each in found if each < 1000}


def test_a_small_figure_is_that_of_the_code_or_of_a_test() -> None:
    for page, figure in stated():
        if (page, figure) not in EXCEPTIONS:
            assert (page, figure) in HELD, f"{page}: name the line that has {figure!r}"
            path, line = HELD[page, figure]
            text = (PROJECT / path).read_text(encoding="utf-8")
            assert line in text, f"{path} lacks the line {line!r}"


def test_every_listed_figure_is_on_its_page_and_in_its_line() -> None:
    assert HELD.keys() | EXCEPTIONS.keys() == set(stated())
    assert not HELD.keys() & EXCEPTIONS.keys()
    unlike = [
        key for key, (_, line) in HELD.items() if not small_integers(key[1]) <= small_integers(line)
    ]
    assert unlike == []


@pytest.mark.parametrize("page", EXHAUST)
def test_a_small_figure_in_a_table_of_a_search_is_asserted_by_its_tests(page: str) -> None:
    folder = PROJECT / SYSTEMS / EXHAUST[page] / "exhaust"
    asserted = {
        each
        for path in sorted(folder.glob("*.py"))
        for each in small_integers(path.read_text(encoding="utf-8"))
    }
    found = {int(cell) for cell in CELL.findall(pages()[page])}
    assert found
    assert found <= asserted


def test_an_adapter_takes_about_a_hundred_lines() -> None:
    folder = PROJECT / SUITE / "adapters" / "skeletons"
    mains = [*folder.glob("*/[aA]dapter.*"), folder / "rust" / "src" / "main.rs"]
    lengths = sorted(len(each.read_text(encoding="utf-8").splitlines()) for each in mains)
    assert len(lengths) == 6
    assert 80 <= sum(lengths[2:4]) / 2 <= 120


def test_figures_that_count_are_found_and_sizes_are_not() -> None:
    text = "In 12 of the 640 histories, 44 of them, and 1 in 27. Also 12, 609 and 29,439 of them."
    assert figures_of(text) == [
        "12 of the",
        "640 histories",
        "44 of them",
        "12, 609 and 29,439 of them",
        "1 in 27",
    ]
    assert figures_of("32 bytes, 64 levels, 3 nodes, 124b and 1.25 steps") == []
