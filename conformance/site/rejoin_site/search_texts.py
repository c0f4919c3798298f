"""The texts of the pages: a search shows a sentence of each page that it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docutils import nodes
from sphinx.environment import BuildEnvironment

from rejoin_site.packed import packed

_TAG: Final = re.compile(r"<[^>]*>")
_LEFT_OUT: Final = (nodes.comment, nodes.title)


def search_texts(env: BuildEnvironment) -> str:
    """Return the script with the texts, which `static/site.js` searches.

    It has page -> section -> its texts, one on each line.
    """
    texts: dict[str, dict[str, str]] = {}
    for page in sorted(env.found_docs):
        sections: dict[str, list[str]] = {}
        for anchor, text in _texts(env.get_doctree(page)):
            sections.setdefault(anchor, []).append(text)
        texts[page] = {anchor: "\n".join(lines) for anchor, lines in sections.items()}
    return packed("rejoinTexts", texts)


def _texts(page: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield each text of a page with the anchor of its section."""
    for each in page.findall(nodes.TextElement):
        if not isinstance(each.parent, nodes.TextElement) and not isinstance(each, _LEFT_OUT):
            text = _TAG.sub(" ", each.astext()) if isinstance(each, nodes.raw) else each.astext()
            section = each.parent
            while section is not None and not isinstance(section, nodes.section):
                section = section.parent
            yield section["ids"][0] if section is not None else "", " ".join(text.split())
