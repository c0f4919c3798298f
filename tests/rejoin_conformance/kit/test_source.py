"""A pure installation runs the source, and replaces functions without asking."""

from __future__ import annotations

import sys

import pytest

from rejoin_conformance.kit.source import build, needs_source, prefer_source, require_source


def test_the_checkout_is_pure() -> None:
    assert build() == "pure"
    require_source("a test")


def test_a_pure_installation_needs_no_other_finder() -> None:
    before = [*sys.path_hooks]
    prefer_source()
    assert sys.path_hooks == before


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        ("fuzz config-merge --histories 5", False),
        ("verify", False),
        ("--version", False),
        ("fuzz config-merge --reading rule.py", True),
        ("fuzz config-merge --reading=rule.py", True),
        ("fuzz config-merge --adapter ./port", False),
        ("fuzz config-merge --adapter port.py", False),
        ("fuzz config-merge --adapter=port.py", False),
        ("fuzz config-merge --adapter port.py --reading rule.py", True),
        ("fuzz config-merge --master=spark://host:7077", True),
        ("mutants config-merge", True),
        ("trace", True),
        ("compare config-merge document libsession", True),
        ("a-command-of-tomorrow", True),
    ],
)
def test_commands_that_replace_or_watch_functions_need_the_source(words: str, needed: bool) -> None:
    assert needs_source(words.split()) == needed
