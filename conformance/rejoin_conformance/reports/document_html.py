"""Documents as pages: each page is one HTML file that needs no other file and no network.

If an escape of text is missing, the page's own policy still blocks every script and every request.
It allows only the page's inline parts, which it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from rejoin_conformance.kit.document import Block
from rejoin_conformance.reports.rendering import dag_svg, fragment, inline

_SIGNS: Final = {"pass": "✓", "fail": "✗", "known": "!", "none": "○"}


def document_html(title: str, blocks: Sequence[Block]) -> str:
    """Return the blocks of a document as a page."""
    style, script = inline("page.css"), inline("page.js")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    made = fragment(
        "page.html",
        title=title,
        body=blocks_html(blocks),
        policy=Markup(policy),  # noqa: S704 - made here, of digests
        style=style,
        script=script,
    )
    return str(made)


def blocks_html(blocks: Sequence[Block]) -> Markup:
    """Return the blocks of a document as a part of a page."""
    return fragment("blocks.html", document=blocks, signs=_SIGNS, dag_svg=dag_svg)


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
