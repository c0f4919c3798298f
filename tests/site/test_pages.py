"""The pages of clauses and vectors say what the corpus and the trace say."""

from __future__ import annotations

import re

import pytest

from rejoin_site.clause_facts import ClauseFacts, clause_facts
from rejoin_site.clause_pages import clause_body
from rejoin_site.corpus import vectors
from rejoin_site.figures import vectors_of_errata
from rejoin_site.shells import without_filling
from rejoin_site.vector_facts import shortened, vector_facts
from rejoin_site.vector_pages import vector_body

KEPT = "history-merge/criss-cross/both-kept"
PLACE = "history-merge/criss-cross.html#both-kept"


@pytest.fixture(scope="module")
def lowest() -> ClauseFacts:
    """The facts on one clause."""
    every = clause_facts("history-merge")
    return next(each for each in every if each.trace.clause.id == "HM-LCAU-LOWEST")


def test_a_vector_is_decoded_drawn_and_shown_step_by_step() -> None:
    body = vector_body(vectors("history-merge")[KEPT], lambda _: True)
    assert "a &lt; p q: {x y}" in body
    assert body.count('<g class="node') == 5
    assert 'href="../../clauses/history-merge/HM-MERGE-ORIGIN.html"' in body
    assert f'href="../../playground/history-merge.html#vector={KEPT}"' in body
    assert "lca-u" in body


def test_a_vector_that_the_playground_does_not_open_has_no_link_to_it() -> None:
    assert "playground" not in vector_body(vectors("history-merge")[KEPT], lambda _: False)


def test_a_large_vector_is_shown_as_the_corpus_writes_it() -> None:
    facts = vector_facts(vectors("config-merge")["config-merge/sizes/4097-survivors"])
    assert facts.large
    assert not facts.decoded
    assert len(facts.question.text) <= 1_200


def test_readings_with_different_answers_are_shown_apart() -> None:
    differing = next(each for each in vectors("config-merge").values() if each.readings_differ)
    readings = [each.readings for each in vector_facts(differing).answers]
    assert sorted(reading for each in readings for reading in each) == sorted(differing.readings)


def test_a_clause_names_its_vectors_functions_laws_and_its_knock_out(lowest: ClauseFacts) -> None:
    body = clause_body("history-merge", lowest, vectors("history-merge"), lambda _: False)
    assert f'href="../../vectors/{PLACE}"' in body
    assert "api/rejoin.history_merge.lcau.html#rejoin.history_merge.lcau.lca_u" in body
    assert "return anc_b &amp; anc_a" in body
    assert all(f"<code>{law.name}</code>" in body for law in lowest.laws)
    assert all(name in body for name in lowest.trace.proofs)


def test_a_page_without_filling_shows_the_same() -> None:
    kept = (
        '<a title="1 &gt; &#34;2&#34;">a</a><pre>\n  b {}c{}</pre><script>\n  d("&#39;")</script>'
    )
    page = "\n  <p>e\n\n    {}f{}</p>\n" + kept
    small = "\n<p>e\n{}f{}</p>\n" + kept
    assert without_filling(page.format(*("&#34;", "&#39;") * 2)) == small.format(*"\"'" * 2)


def test_every_erratum_that_names_a_vector_has_an_example() -> None:
    found = vectors_of_errata()
    assert found["CM-E01"][0].id.startswith("config-merge/")
    assert {"CM-E04", "HM-E01", "CD-E01"} <= found.keys()


def test_the_results_of_readings_that_differ_have_the_names_of_the_readings() -> None:
    vector = vectors("config-merge")["config-merge/resolve/concurrent-addition-to-an-emptied-set"]
    notes = re.findall(
        r">(document|libsession|expected|observed)</text>", vector_body(vector, lambda _: True)
    )
    assert sorted(notes) == ["document", "libsession"]


def test_messages_have_the_names_of_the_author() -> None:
    vector = vectors("config-merge")["config-merge/resolve/row-that-was-not-kept"]
    body = vector_body(vector, lambda _: True)
    assert re.findall(r'<text class="id"[^>]*>([^<]*)<', body) == ["merged", "edit"]
    assert "\nresolve merged edit</pre>" in body
    assert "21a" not in body


def test_a_long_text_is_cut_at_the_end_of_a_line_and_its_rest_is_folded() -> None:
    block = shortened("line\n" * 1000)
    assert block.text.endswith("line")
    assert f"{block.text}\n{block.rest}" == "line\n" * 1000
    assert shortened("word " * 1000).text.endswith("word")
    assert shortened("line\n" * 1000, large=True).rest == ""
