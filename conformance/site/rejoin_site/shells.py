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

from markupsafe import escape
from sphinx import addnodes
from sphinx.application import Sphinx

from rejoin_site.places import to_root

_FOLDER: Final = "shell"
_ICON_SCRIPT: Final = "_static/icons.js"
_TITLE: Final = "@TITLE@"
_BODY: Final = "@BODY@"
_SHELL: Final = f"{_FOLDER}/of/page"
"""As deep as the pages of clauses and topics."""
_COLOUR_SHEET: Final = "_static/colours.css"
_ICONS: Final = re.compile(
    r'<svg xmlns="[^"]*" style="display: none;">.*?(?=<input type="checkbox")', re.DOTALL
)

_COLOURS: Final = re.compile(r"<style>\n(.*?--color-code-background.*?)</style>", re.DOTALL)
_TAG: Final = re.compile(r"""(<(?:[^<>"']|"[^"]*"|'[^']*')+>)""")
_AS_IT_IS: Final = frozenset({"code", "pre", "script", "style", "textarea"})
"""The elements in which spaces count."""
_FILLING: Final = re.compile(r"\s*\n\s*")
_QUOTE: Final = re.compile("&#34;|&quot;")
_APOSTROPHE: Final = re.compile("&#39;|&#x27;")


def shell_pages(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the empty page, for the generator."""
    yield _SHELL, {"title": _TITLE, "body": _BODY, "toc": ""}, "page.html"


def navigation(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Give a page the top of the navigation, with the texts of the folder that the page is in.

    `templates/sidebar/navigation.html` writes it.
    """
    context.pop("toctree", None)  # the theme would resolve the whole tree
    env = app.env
    texts = env.toctree_includes
    context["titles"] = {page: title.astext() for page, title in env.titles.items()}
    context["navigation"] = [
        (tree["caption"], [(each, _below(texts, each, name)) for _, each in tree["entries"]])
        for tree in env.tocs[env.config.root_doc].findall(addnodes.toctree)
    ]


def _below(texts: Mapping[str, list[str]], page: str, shown: str) -> list[str]:
    """Return the texts below a page of the navigation, if the page that is shown is among them."""
    below = texts.get(page, [])
    return below if shown in {page, *below} else []


class Shells:
    """The empty page that the generator wrote to the folder of the site."""

    def __init__(self, site: Path) -> None:
        self._text = (site / f"{_SHELL}.html").read_text(encoding="utf-8")

    def page(self, path: str, title: str, body: str) -> str:
        """Return a page. path: where it will stand. title: plain text. body: HTML."""
        assert path.count("/") == _SHELL.count("/"), path
        return self._text.replace(_TITLE, str(escape(title))).replace(_BODY, body)


def made_small(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """Return the files of the site without what every page repeats and no page shows.

    The icons of the theme stand in one script for all pages, and its colours in one style sheet.
    """
    small = {path: files[path] for path in files if not path.endswith((".css.map", ".js.map"))}
    for path, content in files.items():
        if not path.endswith(".html"):
            continue
        text = content if isinstance(content, str) else content.decode("utf-8")
        root, icons, colours = to_root(path), _ICONS.search(text), _COLOURS.search(text)
        if icons is not None:
            text = text.replace(icons[0], f'<script src="{root}{_ICON_SCRIPT}"></script>\n')
            said = json.dumps(icons[0])
            small[_ICON_SCRIPT] = (
                f"document.currentScript.insertAdjacentHTML('afterend', {said});\n"
            )
        if colours is not None and small.setdefault(_COLOUR_SHEET, colours[1]) == colours[1]:
            link = f'<link rel="stylesheet" href="{root}{_COLOUR_SHEET}">'
            text = text.replace(colours[0], link)
        small[path] = without_filling(text).encode()
    return small


def without_filling(html: str) -> str:
    """Return a page without indentation between its tags, and with plain quotes in its text."""
    inside, parts = "", _TAG.split(html)
    for place, part in enumerate(parts):
        if place % 2:
            name = part[1:-1].split(maxsplit=1)[0].lower()
            if not inside and name in _AS_IT_IS:
                inside = name
            elif name == f"/{inside}":
                inside = ""
        elif inside not in {"script", "style"}:
            text = _APOSTROPHE.sub("'", _QUOTE.sub('"', part))
            parts[place] = text if inside else _FILLING.sub("\n", text)
    return "".join(parts)


def is_shell(path: str) -> bool:
    """Return whether a path of the site is that of an empty page."""
    return path.startswith(f"{_FOLDER}/")
