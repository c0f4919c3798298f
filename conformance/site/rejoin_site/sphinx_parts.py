"""What the generator of the texts does besides its own work: names become links.

A clause's paragraph gets its ID as an anchor, and so does the section of an erratum. Every mention
of a clause, an erratum or a vector becomes a link to its page.
"""

from __future__ import annotations

import re
from typing import Any, Final

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.typing import ExtensionMetadata

from rejoin_conformance.contract.registry import system_names
from rejoin_site.docstrings import in_sphinx, shown_signature
from rejoin_site.figures import figure_of
from rejoin_site.names import pieces, places_of_names
from rejoin_site.places import to_root
from rejoin_site.shells import navigation, shell_pages

_ERRATUM: Final = re.compile(r"[A-Z]{2}-E\d+")
_CLAUSE: Final = re.compile(r"[A-Z]{2}(?:-[A-Z0-9]+)+")
_LEFT_ALONE: Final = (nodes.reference, nodes.literal_block, nodes.title, nodes.raw, nodes.comment)


class Names(SphinxTransform):
    """Give clauses and errata anchors, and make each mention of a name a link to its page."""

    default_priority = 880

    def apply(self, **_options: Any) -> None:
        """Change the document."""
        for paragraph in [*self.document.findall(nodes.paragraph)]:
            _anchor_clause(paragraph)
        if self.env.docname.endswith("/errata"):
            for section in [*self.document.findall(nodes.section)]:
                _anchor_erratum(section)
        root = to_root(self.env.docname)
        for text in [*self.document.findall(nodes.Text)]:
            if not any(isinstance(each, _LEFT_ALONE) for each in _around(text)):
                self._link(text, root)

    def _link(self, text: nodes.Text, root: str) -> None:
        found = [*pieces(str(text))]
        if all(piece.place is None for piece in found):
            return
        parent = text.parent
        whole = len(found) == 1 and isinstance(parent, nodes.literal | nodes.strong)
        if whole and found[0].place is not None:
            outer = parent.parent
            link = nodes.reference("", "", refuri=root + found[0].place, classes=["name"])
            outer.replace(parent, link)
            link.append(parent)
            return
        parts: list[nodes.Node] = [
            nodes.Text(piece.text)
            if piece.place is None
            else nodes.reference("", piece.text, refuri=root + piece.place, classes=["name"])
            for piece in found
        ]
        parent.replace(text, parts)


def _anchor_clause(paragraph: nodes.paragraph) -> None:
    """Give a paragraph that states a clause the ID of the clause."""
    first = next((each for each in paragraph.children if each.astext()), None)
    if isinstance(first, nodes.strong) and _CLAUSE.fullmatch(first.astext()):
        paragraph["ids"].append(first.astext())
        paragraph["classes"].append("clause")


def _anchor_erratum(section: nodes.section) -> None:
    """Give the section of an erratum its ID, and its smallest example at the end."""
    found = _ERRATUM.match(section.children[0].astext())
    if found and found[0] not in section["ids"]:
        section["ids"].append(found[0])
        drawn = figure_of(found[0])
        if drawn:
            section.append(nodes.raw("", drawn, format="html"))


def _around(node: nodes.Node) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    parent = node.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the parts. The generator calls this function."""
    for system in system_names():
        app.add_lexer(system, TextLexer)  # the notations have no colours
    app.add_config_value("rejoin_digest", "", "env", str)  # a change reads all texts again
    app.connect("autodoc-process-docstring", in_sphinx)
    app.connect("autodoc-process-signature", shown_signature)
    app.connect("html-collect-pages", shell_pages)
    app.connect("html-page-context", navigation, priority=100)  # before the theme's
    app.add_transform(Names)
    places_of_names()
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
