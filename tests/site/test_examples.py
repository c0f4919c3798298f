"""Every example of every document is on a page, with links that open it."""

from __future__ import annotations

from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_site.example_documents import example_documents

KEPT = "history-merge/recurse-fold/second-picture-merged"


def test_every_example_and_each_of_its_vectors_is_a_link() -> None:
    documents = example_documents(lambda _: True)
    assert len(documents) == 3
    for named in document_examples():
        page = documents[f"examples/{named.system.name}.md"]
        assert f"## {named.example.name}\n" in page
        for vector in named.vectors():
            assert f'href="../vectors/{vector.id}.html"' in page
            assert f'href="../playground/{vector.system}.html#vector={vector.id}"' in page


def test_a_vector_that_the_playground_does_not_open_has_only_its_page() -> None:
    page = example_documents(lambda name: name != KEPT)["examples/history-merge.md"]
    assert f"../vectors/{KEPT}.html" in page
    assert f"#vector={KEPT}" not in page


def test_the_first_vector_of_an_example_is_drawn() -> None:
    page = example_documents(lambda _: False)["examples/history-merge.md"]
    assert page.count('<svg class="dag"') == 2
