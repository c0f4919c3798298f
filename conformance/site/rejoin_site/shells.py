"""Pages in the look of the texts that the generator does not make one by one.

The generator is too slow for a page for each vector and each clause. It renders one empty page for
each depth of folders, and `page` puts a title and a text into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from furo.navigation import get_navigation_tree
from markupsafe import escape
from sphinx.application import Sphinx

_FOLDER: Final = "shell"
_TITLE: Final = "@TITLE@"
_BODY: Final = "@BODY@"
_DEPTHS: Final = (2, 3)
_SHELL_OF_DEPTH: Final = {2: f"{_FOLDER}/of/clause", 3: f"{_FOLDER}/of/a/vector"}


def shell_pages(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the empty pages, for the generator."""
    for depth in _DEPTHS:
        yield _SHELL_OF_DEPTH[depth], {"title": _TITLE, "body": _BODY, "toc": ""}, "page.html"


def short_navigation(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Give the empty pages, and those of topics and modules, only the top of the navigation."""
    if name.startswith((f"{_FOLDER}/", "vectors/", "api/")):
        toctree = context["toctree"](
            collapse=True, titles_only=True, maxdepth=1, includehidden=True
        )
        context["furo_navigation_tree"] = get_navigation_tree(toctree)


class Shells:
    """The empty pages that the generator wrote to the folder of the site."""

    def __init__(self, site: Path) -> None:
        self._texts = {
            depth: (site / f"{_SHELL_OF_DEPTH[depth]}.html").read_text(encoding="utf-8")
            for depth in _DEPTHS
        }

    def page(self, path: str, title: str, body: str) -> str:
        """Return a page. path: where it will stand. title: plain text. body: HTML."""
        text = self._texts[path.count("/")]
        return text.replace(_TITLE, str(escape(title))).replace(_BODY, body)


def is_shell(path: str) -> bool:
    """Return whether a path of the site is that of an empty page."""
    return path.startswith(f"{_FOLDER}/")
