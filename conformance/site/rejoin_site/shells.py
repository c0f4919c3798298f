"""Pages in the look of the texts that the generator does not make one by one.

The generator is too slow for the pages of clauses and vectors. It renders an empty page, and `page`
puts a title and a text into it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from furo.navigation import get_navigation_tree
from markupsafe import escape
from sphinx.application import Sphinx

from rejoin_site.places import to_root

_FOLDER: Final = "shell"
_ICON_SCRIPT: Final = "_static/icons.js"
_TITLE: Final = "@TITLE@"
_BODY: Final = "@BODY@"
_SHELL: Final = f"{_FOLDER}/of/page"
"""As deep as the pages of clauses and topics."""
_ICONS: Final = re.compile(
    r'<svg xmlns="[^"]*" style="display: none;">.*?(?=<input type="checkbox")', re.DOTALL
)


def shell_pages(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the empty page, for the generator."""
    yield _SHELL, {"title": _TITLE, "body": _BODY, "toc": ""}, "page.html"


def short_navigation(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Give the empty page and those of modules only the top of the navigation."""
    if name.startswith((f"{_FOLDER}/", "vectors/", "api/")):
        toctree = context["toctree"](
            collapse=True, titles_only=True, maxdepth=1, includehidden=True
        )
        context["furo_navigation_tree"] = get_navigation_tree(toctree)


class Shells:
    """The empty page that the generator wrote to the folder of the site."""

    def __init__(self, site: Path) -> None:
        self._text = (site / f"{_SHELL}.html").read_text(encoding="utf-8")

    def page(self, path: str, title: str, body: str) -> str:
        """Return a page. path: where it will stand. title: plain text. body: HTML."""
        assert path.count("/") == _SHELL.count("/"), path
        return self._text.replace(_TITLE, str(escape(title))).replace(_BODY, body)


def with_shared_icons(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """Return the files of the site, with the icons of the theme in one script for all pages."""
    shared = {**files}
    for path, content in files.items():
        if path.endswith(".html"):
            text = content if isinstance(content, str) else content.decode("utf-8")
            found = _ICONS.search(text)
            if found is not None:
                script = f'<script src="{to_root(path)}{_ICON_SCRIPT}"></script>\n'
                shared[path] = text[: found.start()] + script + text[found.end() :]
                icons = json.dumps(found[0])
                shared[_ICON_SCRIPT] = (
                    f"document.currentScript.insertAdjacentHTML('afterend', {icons});\n"
                )
    return shared


def is_shell(path: str) -> bool:
    """Return whether a path of the site is that of an empty page."""
    return path.startswith(f"{_FOLDER}/")
