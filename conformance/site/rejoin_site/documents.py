"""Every document that the generator of the texts reads: path -> content."""

from __future__ import annotations

from collections.abc import Callable

from rejoin_site.api_documents import api_documents
from rejoin_site.example_documents import example_documents
from rejoin_site.found_document import found_document
from rejoin_site.places import PARTS
from rejoin_site.staging import linked_files, project_texts
from rejoin_site.statement_documents import statement_documents
from rejoin_site.topic_documents import topic_documents


def documents(opens: Callable[[str], bool]) -> dict[str, str | bytes]:
    """Return the documents, and the files that they link to.

    opens: whether the playground opens a vector, by its ID.
    """
    texts = project_texts()
    own = {
        path.relative_to(PARTS / "pages").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((PARTS / "pages").rglob("*.md"))
    }
    return {
        **linked_files(texts),
        **texts,
        **own,
        **api_documents(),
        **topic_documents(),
        **statement_documents(),
        **example_documents(opens),
        "found/index.md": found_document(),
    }
