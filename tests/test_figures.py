"""Figures and hashes on pages are those of the code, the tests or the corpus.

A figure of four digits or more must be a constant of the code or of a test, which asserts it, or
stand on a page that records long searches. Smaller integers occur everywhere, so a small figure
that counts something, such as "250 histories", must stand in one line of such a record, or be
listed with the line of the code or of the test that has it. So a figure that changes in one place
and not on a page is found. Figures that were measured stand in the marked places of a page, which
`test_recorded_figures.py` compares with their file; other small figures of such a page are listed.

Sizes of a format, such as bytes, levels and digits, stand in clauses: vectors hold them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from figures import PLACE
from support.written_texts import PROJECT, pages

FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d)")
HASH = re.compile(r"(?<![\w/-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,}(?![\w-])")
UNITS = (
    "vectors|histories|mutants|tests|downloads|polls|clauses|theorems|statements|merges|resolves|"
    "messages|nodes|rows|steps|kinds|lines|seconds|open branches|most frequent|"
    "pass|compared|differ|known to|not declared|of (?:them|these|the)|in which|for [a-z]+ [a-z]+"
)
SMALL = re.compile(rf"(?<![\w.,#/^-])\d{{2,3}}(?:,? (?:and |of (?:the )?)?[\d,]*\d)* (?:{UNITS})\b")
RATE = re.compile(r"(?<![\w.,])1 (?:in|of) \d{2,3}(?![\w,]|\.\d)")
CELL = re.compile(r"(?<=\|) *(\d{2,3}) *(?=\|)")
CODE = ("reference", "conformance/rejoin_conformance", "tests")
SUITE = "conformance/rejoin_conformance"
SYSTEMS = "tests/rejoin_conformance/systems"

SIZES = "/sizes.md"
"""The pages on sizes name a vector for each size; `test_named_things` checks that it exists."""

RECORDS = ("spec/conflict-detection/search-rules.md", "spec/history-merge/search-rules.md")
"""Pages that record the results of long searches, each with the command that repeats it."""

DERIVED: dict[int, str] = {
    6_600: "600 + 6000",
    1_523_952: "655128 + 655128 + 213696",
    8_388_608: "8 * 1024 * 1024",
}
"""Figure -> the expression of constants that it is."""

ONCE: dict[str, tuple[str, ...]] = {
    "conformance/ports/rust/README.md": ("1,728,546", "203,840", "252,678", "1,272,028"),
    "docs/implementations.md": ("40 rows",),
    "docs/proofs.md": ("28,722",),
    "spec/config-merge/errata.md": (
        *("11,820", "64,286", "12,758", "10,478"),
        *("1 in 96", "648 merges", "83 of these", "1 in 87", "1 in 55", "1 in 373"),
    ),
    "spec/conflict-detection/errata.md": ("9,985", "2,514", "86,672", "86,690", "18 steps"),
    "CONTRIBUTING.md": ("300 lines",),
    "docs/adapter-protocol.md": ("100 lines",),
}
"""Page -> figures of an experiment that no test repeats, and guides to authors."""

_HELD: Final = """
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
docs/implementations.md: 20 vectors
  docs/figures.json: "libsession-util", "commit 8762e9d", 944, 20,
docs/models-checked.md: 60 steps
  conformance/rejoin_conformance/model_checking/check.py: _DEPTH: Final = 60
docs/proofs.md: 707 histories
  tests/coq/test_definitions.py: pytest.param("element_merge", "idempotent", 4, 707,
docs/spark.md: 20 seconds
  conformance/rejoin_conformance/campaigns/spark/spread.py: SLICE_SECONDS: Final = 20
docs/spark.md: 60 seconds
  conformance/rejoin_conformance/campaigns/plan.py: HISTORY_TIMEOUT: Final = 60
docs/try-a-rule.md: 50 histories
  conformance/rejoin_conformance/command_line/compare.py: begin with --histories 50.
docs/try-a-rule.md: 20 messages
  reference/rejoin/history_merge/any_size.py: LITERAL_NODES: Final = 20
spec/history-merge/README.md: 20 nodes
  reference/rejoin/history_merge/any_size.py: LITERAL_NODES: Final = 20
spec/history-merge/errata.md: 353 of 2,223,018 histories
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (353, 49)
spec/history-merge/errata.md: 44 of them
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (1_796, 44, 40)
spec/history-merge/errata.md: 40 of these
  tests/rejoin_conformance/systems/history_merge/exhaust/test_search.py: (1_796, 44, 40)
"""
_LINES: Final = [tuple(line.strip().split(": ", 1)) for line in _HELD.strip().split("\n")]
HELD: Final = dict(zip(_LINES[::2], _LINES[1::2], strict=True))
"""Page and small figure -> a file and a line of it that has the same figure."""


def prose(text: str) -> str:
    """Return a page on one line, without its blocks of code and the places for recorded figures."""
    left = re.sub(r"^ *```.*?^ *```", "", PLACE.sub("", text), flags=re.MULTILINE | re.DOTALL)
    return " ".join(left.split())


def small_figures(text: str) -> list[str]:
    """Return the small figures of a page that count something, with their units."""
    return [*SMALL.findall(prose(text)), *RATE.findall(prose(text))]


def stated() -> Iterator[tuple[str, str]]:
    for page, text in pages().items():
        is_record = page in ("CHANGELOG.md", *RECORDS) or page.endswith(SIZES)
        if not is_record and not page.startswith("docs/operations/"):
            found = [*FIGURE.findall(prose(text)), *small_figures(text)]
            yield from ((page, figure) for figure in dict.fromkeys(found))


def integers(text: str) -> frozenset[int]:
    return frozenset(int(re.sub("[,_]", "", each)) for each in re.findall(r"\d[\d,_]*", text))


@cache
def constants() -> frozenset[int]:
    """Return the integers in the code and the tests, besides those of this file."""
    return frozenset(
        node.value
        for folder in CODE
        for path in sorted((PROJECT / folder).rglob("*.py"))
        if path != Path(__file__)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and type(node.value) is int
    )


@cache
def recorded() -> tuple[frozenset[int], ...]:
    """Return the integers of each line of the records."""
    return tuple(integers(line) for page in RECORDS for line in pages()[page].splitlines())


@cache
def known_text() -> str:
    """Return the text of the corpus, tests and kept measurements, in which a hash must occur."""
    files = [
        *sorted((PROJECT / "conformance" / "benchmarks").glob("*.json")),
        *sorted((PROJECT / "vectors").rglob("*.json")),
        *sorted((PROJECT / "tests").rglob("*.py")),
        *sorted((PROJECT / "conformance" / "ports").rglob("*.rs")),
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def is_known(page: str, figure: str) -> bool:
    """Return whether a figure is asserted, recorded, derived or listed."""
    found = integers(figure)
    if FIGURE.fullmatch(figure):
        (number,) = found
        derived = number in DERIVED and eval(DERIVED[number]) == number
        return derived or number in constants() or any(number in each for each in recorded())
    if (page, figure) not in HELD:
        measured = PLACE.search(pages().get(page, ""))
        return not measured and any(found <= each for each in recorded())
    path, line = HELD[page, figure]
    small = {each for each in found if each < 1000}
    return small <= integers(line) and line in (PROJECT / path).read_text(encoding="utf-8")


def test_a_figure_is_asserted_recorded_derived_or_listed() -> None:
    assert [
        each for each in stated() if each[1] not in ONCE.get(each[0], ()) if not is_known(*each)
    ] == []


def test_every_listed_figure_is_on_its_page() -> None:
    found = {*stated()}
    listed = {(page, figure) for page, figures in ONCE.items() for figure in figures}
    assert listed | {*HELD} <= found
    assert {f"{each:,}" for each in DERIVED} <= {figure for _, figure in found}


def test_a_hash_occurs_in_the_corpus_or_in_a_test() -> None:
    for page, whole in pages().items():
        text = PLACE.sub("", whole)
        assert [each for each in HASH.findall(text) if each not in known_text()] == [], page


def test_a_small_figure_in_a_table_of_a_search_is_asserted_by_its_tests() -> None:
    """The tests of history merge compare each cell of its record with the search."""
    folder = PROJECT / SYSTEMS / "conflict_detection" / "exhaust"
    asserted = integers("\n".join(path.read_text("utf-8") for path in folder.glob("*.py")))
    found = {int(cell) for cell in CELL.findall(pages()[RECORDS[0]])}
    assert found
    assert found <= asserted


def test_an_adapter_takes_about_a_hundred_lines() -> None:
    folder = PROJECT / SUITE / "adapters" / "skeletons"
    mains = [*folder.glob("*/[aA]dapter.*"), folder / "rust" / "src" / "main.rs"]
    lengths = sorted(len(each.read_text(encoding="utf-8").splitlines()) for each in mains)
    assert len(lengths) == 6
    assert 80 <= sum(lengths[2:4]) / 2 <= 120


@pytest.mark.parametrize(
    ("text", "large", "small"),
    [
        ("In 1,857 of 12,345,678 polls, and 1,5 or 2.500.", ["1,857", "12,345,678"], []),
        ("In 12 of the 640 histories, and 1 in 27.", [], ["12 of the 640 histories", "1 in 27"]),
        ("12, 609 and 29,439 of them", ["29,439"], ["12, 609 and 29,439 of them"]),
        ("32 bytes, 64 levels, 3 nodes, 124b and 1.25 steps", [], []),
    ],
)
def test_figures_that_count_are_found_and_sizes_are_not(
    text: str, large: list[str], small: list[str]
) -> None:
    assert (FIGURE.findall(text), small_figures(text)) == (large, small)
    assert not is_known("", "1,234,567,891")
