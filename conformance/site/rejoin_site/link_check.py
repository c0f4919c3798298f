"""The links of a built site: every page and anchor exists, and no page fetches from elsewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final
from urllib.parse import unquote, urlsplit

from attrs import define

_ATTRIBUTE: Final = re.compile(
    r"<(?P<tag>[a-zA-Z][a-zA-Z0-9]*)\b(?P<rest>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>"
)
_VALUE: Final = re.compile(
    r"\b(?P<name>href|src|srcset|id|name|data)=(?P<mark>[\"'])(?P<value>.*?)(?P=mark)"
)
_FETCHED: Final = frozenset(
    {"link", "script", "img", "iframe", "source", "object", "embed", "video"}
)
"""The elements whose addresses a browser fetches by itself."""
_STYLE_URL: Final = re.compile(r"url\(\s*[\"']?(?P<url>[^\"')]+)|@import\s+[\"'](?P<file>[^\"']+)")
_OWN_ANCHORS: Final = "playground/"
"""The pages that read what stands after `#` themselves."""


@define(slots=False)
class _Page:
    """A page of the site. html: its text."""

    path: str
    html: str

    @cached_property
    def elements(self) -> tuple[tuple[str, str, str], ...]:
        """Return the attributes that matter: (element, attribute, value)."""
        return tuple(
            (found["tag"].lower(), value["name"], value["value"].replace("&amp;", "&"))
            for found in _ATTRIBUTE.finditer(self.html)
            for value in _VALUE.finditer(found["rest"])
        )

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Return the anchors to which a link can lead."""
        return frozenset(value for _, name, value in self.elements if name in {"id", "name"})


def link_faults(files: Mapping[str, str | bytes]) -> Iterator[str]:
    """Yield one line for each link that leads nowhere and each request to another host.

    files: the whole site, path -> content.
    """
    pages = {
        path: _Page(path, content if isinstance(content, str) else content.decode("utf-8"))
        for path, content in files.items()
        if path.endswith(".html")
    }
    for page in pages.values():
        for tag, name, value in page.elements:
            if name in {"href", "src", "data"} or name == "srcset":
                fault = _fault(page, tag, value, pages, files)
                if fault is not None:
                    yield f"{page.path}: {fault}"
    for path, content in files.items():
        if path.endswith(".css"):
            text = content if isinstance(content, str) else content.decode("utf-8")
            for url in _STYLE_URL.finditer(text):
                address = url["url"] or url["file"]
                if urlsplit(address).scheme not in {"", "data"}:
                    yield f"{path}: fetches {address[:80]}"


def _fault(
    page: _Page,
    tag: str,
    link: str,
    pages: Mapping[str, _Page],
    files: Mapping[str, str | bytes],
) -> str | None:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return f"fetches {link[:80]}" if tag in _FETCHED and parts.scheme != "data" else None
    target = page.path
    if parts.path:
        folder = posixpath.dirname(page.path)
        target = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
    if target not in files:
        return f"there is no {target} (link {link})"
    anchor = unquote(parts.fragment)
    own = target.startswith(_OWN_ANCHORS) or not target.endswith(".html")
    if anchor and not own and anchor not in pages[target].anchors:
        return f"{target} has no anchor {anchor}"
    return None
