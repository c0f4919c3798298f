"""Every document that the generator of the texts reads: path -> content."""

from __future__ import annotations

from rejoin_site.api_documents import api_documents
from rejoin_site.places import PARTS
from rejoin_site.staging import linked_files, project_texts
from rejoin_site.statement_documents import statement_documents
from rejoin_site.topic_documents import topic_documents


def documents() -> dict[str, str | bytes]:
    """Return the documents, and the files that they link to."""
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
    }
