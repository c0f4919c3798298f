"""The texts as HTML: the generator (Sphinx) reads the documents and writes a page for each."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from rejoin_conformance.kit.locations import spec_directory, vectors_directory
from rejoin_site.places import PARTS
from rejoin_site.search_texts import search_texts
from rejoin_site.staging import write_changed

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")


class TextsError(Exception):
    """The generator reported a fault in a document. The message lists the faults, one a line."""


def build_texts(
    documents: Mapping[str, str | bytes], work: Path, say: Callable[[str], None] = lambda _: None
) -> Path:
    """Build the pages of the documents, and return the folder that holds them.

    documents: path -> content. work: a folder, which keeps what an earlier build read. say: prints
        what is being done.
    Raises TextsError.
    """
    source, html = work / "source", work / "html"
    write_changed(source, documents)
    faults = io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            srcdir=source,
            confdir=PARTS,
            outdir=html,
            doctreedir=work / "doctrees",
            buildername="html",
            confoverrides={"rejoin_digest": _digest()},
            status=None,
            warning=faults,
        )
        app.connect("env-updated", lambda *_: say("their pages"))
        app.build()
        (html / "_static" / "texts.js").write_text(search_texts(app.env), encoding="ascii")
    said = _COLOUR.sub("", faults.getvalue()).strip()
    if said:
        raise TextsError(f"the texts have faults:\n{said}")
    return html


def _digest() -> str:
    """Return a digest of what the links and drawings in all texts depend on."""
    digest = hashlib.sha256()
    paths = [*spec_directory().rglob("*.md"), vectors_directory() / "index.json"]
    paths += (PARTS / "rejoin_site").glob("*.py")
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()
