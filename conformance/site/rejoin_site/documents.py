"""Every document that the generator of the texts reads: path -> content."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rejoin_site.api_documents import api_documents
from rejoin_site.drawings import LEGEND
from rejoin_site.example_documents import example_documents, picture_of
from rejoin_site.places import PARTS
from rejoin_site.staging import linked_files, project_texts
from rejoin_site.statement_documents import statement_documents
from rejoin_site.topic_documents import topic_documents

_FOUND: Final = re.compile(r"^## What was found\n(?P<text>.*?)(?=^## )", re.MULTILINE | re.DOTALL)
_PICTURE: Final = re.compile(r"^@picture (?P<name>\S+)$", re.MULTILINE)
_LINK: Final = re.compile(r"\]\((?P<path>[\w./-]+\.md)")


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
        "found/index.md": _found_document(texts["README.md"]),
        "index.md": _PICTURE.sub(
            lambda found: picture_of(found["name"]), own["index.md"].replace("@legend", LEGEND)
        ),
    }


def _found_document(readme: str) -> str:
    """Return what the README says was found, and the plots of the trade-offs."""
    found = _FOUND.search(readme)
    assert found is not None, "README.md has a section on what was found"
    said = _LINK.sub(lambda link: f"](../{link['path']}", found["text"].strip())
    return f"""# What was found

{said}

## Trade-offs

What a larger window of config merge costs, and what it saves ([figures](../docs/trade-offs.md)).

![Bytes per message and lost edits against N](../docs/trade-offs/window.svg)
"""
