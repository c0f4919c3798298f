"""The page of a changed rule shows the rule and what moves, and fits in a comment of a forge."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.campaigns.comparing.measure import Comparison, broken_laws, under
from rejoin_conformance.command_line import compare_page
from rejoin_conformance.command_line.compare_page import page_of
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import load_system, load_topic_file
from rejoin_conformance.corpus.verify import MovedVector, MovedVectors
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.readings.in_force import Side, Variant
from rejoin_conformance.readings.rule_file import Rule
from rejoin_conformance.reports.comparison import moved_clauses, moved_vectors
from rejoin_conformance.reports.document_html import blocks_html
from support.browser import Opened, browser, program

RULE = '''"""A union instead of the 3-way merge."""


def merge(origin, left, right):
    return left | right


OVERRIDES = {"rejoin.history_merge.three_way_merge.set_three_way_merge": merge}
'''
EAGER = """
def with_local_state(client, path, file, found):
    return found.classification


OVERRIDES = {"rejoin.conflict_detection.directories_and_polling.with_local_state": with_local_state}
"""
BADGES = "[...document.querySelectorAll('h2')].map(each => [each.textContent, each.dataset.count])"
COMMENT = 65_536
"""The most characters of a comment."""


def test_the_page_of_a_rule_fits_in_a_comment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that moves is asked for, which is more than a comment can hold."""
    monkeypatch.chdir(tmp_path)
    Path("union.py").write_text(RULE)
    command = ["compare", "history-merge", "--reading", "document", "--against", "union.py"]
    command += ["--in-process", "--histories", "5", "--limit", "5000", "--output", "moved.md"]
    made: list[compare_page.Page] = []

    def kept(*arguments: Any) -> compare_page.Page:
        made.append(page_of(*arguments))
        return made[0]

    monkeypatch.setattr(f"{compare_page.__package__}.compare.page_of", kept)
    assert run(command) == 0
    told = capsys.readouterr().out.rpartition("vectors that move")[2]
    assert "CHANGED" in told
    assert told.splitlines()[-1].startswith("wrote moved.md: ")
    page = Path("moved.md").read_text()
    assert len(page) < COMMENT
    assert "more vectors" in page
    assert RULE.rstrip() in page
    assert "rejoin compare history-merge --reading document --against union.py" in page
    lines = (line.partition(": ") for line in page.splitlines() if line.startswith("- "))
    facts = {name.removeprefix("- "): value for name, _, value in lines}
    assert "HM-3WAY-SET" in facts["clauses of the changed code"]
    anew = facts["laws that break anew"]
    assert "three-way-merge (a 0, b " in anew
    assert f"laws that break anew {anew}" in re.sub(" +", " ", told)
    assert "(a 1, b 0; lists none of the changed clauses)" in page
    assert "lists HM-3WAY-ELEMENT, HM-3WAY-SET)" in page
    assert "</summary>\n\n\n</details>" not in page
    assert facts["examples that differ"] == "2 of 2"
    laws = sum(facts[name].count("(a ") for name in facts if name.startswith("laws that "))
    vectors = int(facts["vectors that move"].partition(" of ")[0])
    Path("moved.html").write_text(made[0].html())
    if program() is None:
        return
    with browser() as running:
        badges = Opened(running.new_page(), tmp_path).open("moved.html").evaluate(BADGES)
    assert badges[:2] == [["Laws", str(laws)], ["Vectors", str(vectors)]]


def test_laws_that_break_only_in_other_profiles_stand_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Comparison, "block_size", 5)
    monkeypatch.setattr(compare_page, "load_system", lambda name: load_system(name)[:5])
    Path("eager.py").write_text(EAGER)
    compare = ["compare", "conflict-detection", "--against", "eager.py", "--in-process"]
    assert run([*compare, "--histories", "5", "--output", "moved.md"]) == 0
    told, page = capsys.readouterr().out, Path("moved.md").read_text()
    system = system_named("conflict-detection")
    eager = Variant(Side("eager.py", Rule("eager.py", EAGER)))
    profiles = [each for each in system.histories.profiles if each not in system.histories.large]
    drawn = [system.history(profile, 1, index) for profile in profiles for index in range(10)]
    broken = sum("no-false-overwrite" in under(eager, system, each, broken_laws) for each in drawn)
    assert f"in other profiles: {broken} of {len(drawn)} by rejoin." in page
    assert "laws that break anew: none" in page
    assert f"other profiles: no-false-overwrite (a 0, b {broken} of {len(drawn)})" in page
    assert "In the histories of profile default, no law breaks on one side alone." in page
    assert "no-false-overwrite breaks in this history under b alone" in page
    (again,) = (line.strip() for line in told.splitlines() if "eager.py --profile" in line)
    assert again in page
    assert run([*again.split()[1:], "--histories", "10", "--in-process", "--summary"]) == 0
    assert "no-false-overwrite  " in capsys.readouterr().out


def test_a_clause_leads_to_its_vectors_on_the_page_and_a_vector_to_its_clauses() -> None:
    vectors = load_topic_file(vectors_directory() / "history-merge" / "criss-cross.json")
    moved = tuple(MovedVector(each, "") for each in vectors)
    found = MovedVectors(asked=vectors, moved=moved[1:], reached={}, own=frozenset())
    page = blocks_html([*moved_vectors(found), *moved_clauses(found, page=True)])
    parts = re.findall(r'<details[^>]* id="(.*?)"(.*?)(?=<details|$)', page, re.DOTALL)
    links = {name: {*re.findall('href="#(.*?)"', part)} for name, part in parts}
    pairs = [(each.id, clause) for each in vectors[1:] for clause in each.clauses]
    pairs += [(clause, vector) for vector, clause in pairs]
    assert links == {name: {to for one, to in pairs if one == name} for name, _ in pairs}
