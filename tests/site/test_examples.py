"""Every example of every document is on a page, with links that open it."""

from __future__ import annotations

import re

from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_site.example_documents import example_documents
from rejoin_site.figures import vectors_of_errata
from rejoin_site.places import vector_page

KEPT = "history-merge/recurse-fold/second-picture-merged"


def test_every_example_and_each_of_its_vectors_is_a_link() -> None:
    documents = example_documents(lambda _: True)
    assert len(documents) == 3
    for named in document_examples():
        page = documents[f"examples/{named.system.name}.md"]
        assert f"## {named.example.name}\n" in page
        for vector in named.vectors():
            assert f'href="../{vector_page(vector.id)}"' in page
            assert f'href="../playground/{vector.system}.html#vector={vector.id}"' in page


def test_a_vector_that_the_playground_does_not_open_has_only_its_page() -> None:
    page = example_documents(lambda name: name != KEPT)["examples/history-merge.md"]
    assert f"../{vector_page(KEPT)}" in page
    assert f"#vector={KEPT}" not in page


def test_every_history_of_an_example_is_drawn() -> None:
    page = example_documents(lambda _: False)["examples/history-merge.md"]
    assert page.count('<svg class="dag"') == 3


def test_an_erratum_has_a_vector_that_the_playground_opens_if_it_names_one() -> None:
    named = vectors_of_errata()["CM-E01"]
    assert len(named) > 1
    page = example_documents(lambda name: name == named[-1].id)["examples/config-merge.md"]
    assert f"../{vector_page(named[0].id)}" in page
    assert f"../playground/config-merge.html#vector={named[-1].id}" in page


def test_an_example_is_drawn_once_and_has_only_its_messages() -> None:
    """The document merges 125a and 125b to 126a, and begins with 125b, whose hash is larger."""
    pages = example_documents(lambda _: False)
    sections = pages["examples/config-merge.md"].split("\n## ")[1:7]
    names = [re.findall(r'class="id"[^>]*>([^<]*)<', section) for section in sections]
    assert len(names[0]) == 14
    assert (
        {"120", "120b", "124a", "126a", "126b", "127"}
        <= {*names[-1]}
        < {*names[0]} - {"118", "122"}
    )
    boxes = re.findall(r'<g class="node ?([^"]*)">.*?class="id"[^>]*>([^<]*)<', sections[3])
    assert boxes == [("", "124b"), ("", "125a"), ("base", "125b"), ("head", "126a")]
    assert "origin" not in re.findall(r'<g class="([^"]*)"', pages["examples/config-merge.md"])
    ticket = pages["examples/conflict-detection.md"].partition("## ticket")[2].partition("## ")[0]
    assert ticket.count("<svg") == 1
