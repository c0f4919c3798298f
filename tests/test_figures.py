"""Figures and hashes on pages are those of the code, the tests or the corpus.

A large figure must be a constant of the code or of a test, which asserts it, or stand on a page
that records long searches. So a figure that changes in one place and not on a page is found.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from support.written_texts import PROJECT, pages

FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d)")
HASH = re.compile(r"(?<![\w/-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,}(?![\w-])")
CODE = ("reference", "conformance/rejoin_conformance", "tests")
MEASURED = (
    "docs/implementations.md",
    "docs/spark.md",
    "docs/models-checked.md",
    "docs/robustness.md",
    "docs/strength.md",
    "docs/port-strength.md",
    "docs/speed.md",
    "CHANGELOG.md",
)
"""Pages whose figures are measurements, or the output of a command at one time."""

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

ONCE: dict[str, tuple[int, ...]] = {
    "conformance/ports/rust/README.md": (1_728_546, 203_840, 252_678, 1_272_028),
    "docs/proofs.md": (28_722,),
    "spec/config-merge/errata.md": (11_820, 64_286, 12_758, 10_478),
    "spec/conflict-detection/errata.md": (9_985, 2_514, 86_672, 86_690),
}
"""Page -> figures of an experiment that no test repeats; the page says how it was made."""


def prose(text: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def stated() -> list[tuple[str, int]]:
    found = [
        (page, int(figure.replace(",", "")))
        for page, text in pages().items()
        if page not in (*MEASURED, *RECORDS)
        and not page.endswith(SIZES)
        and not page.startswith("docs/operations/")
        for figure in FIGURE.findall(prose(text))
    ]
    return list(dict.fromkeys(found))


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
def known_text() -> str:
    """Return the text of the corpus, tests and kept measurements, in which a hash must occur."""
    files = [
        *sorted((PROJECT / "conformance" / "benchmarks").glob("*.json")),
        *sorted((PROJECT / "vectors").rglob("*.json")),
        *sorted((PROJECT / "tests").rglob("*.py")),
        *sorted((PROJECT / "conformance" / "ports").rglob("*.rs")),
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@cache
def recorded() -> frozenset[int]:
    texts = pages()
    return frozenset(
        int(figure.replace(",", "")) for page in RECORDS for figure in FIGURE.findall(texts[page])
    )


def test_a_large_figure_is_asserted_recorded_or_derived() -> None:
    for page, figure in stated():
        if figure in DERIVED:
            assert eval(DERIVED[figure]) == figure
        elif figure not in ONCE.get(page, ()):
            known = figure in constants() or figure in recorded()
            assert known, f"{page}: no test and no record of a search has {figure:,}"


def test_a_hash_occurs_in_the_corpus_or_in_a_test() -> None:
    for page, whole in pages().items():
        text = whole.partition("<!-- recorded -->")[0]  # a command writes the rest, with digests
        assert [each for each in HASH.findall(text) if each not in known_text()] == [], page


def test_every_listed_figure_is_on_its_page() -> None:
    assert DERIVED.keys() <= {figure for _, figure in stated()}
    listed = {(page, figure) for page, figures in ONCE.items() for figure in figures}
    assert listed <= set(stated())


def test_a_figure_that_no_test_has_is_found() -> None:
    assert [*FIGURE.findall("In 1,857 of 12,345,678 polls, and 1,5 or 2.500.")] == [
        "1,857",
        "12,345,678",
    ]
    assert 1_234_567_891 - 2 not in constants()
