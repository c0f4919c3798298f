"""Pages from templates: each page is one HTML file that needs no other file and no network.

The templates escape all text. If an escape is missing, the page's own policy still blocks every
script and every request. It allows only the page's inline parts, which it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.values import prose


def page(
    template: str, title: str, *, styles: tuple[str, ...], script: str = "", **values: Any
) -> str:
    """Return a page. styles, script: the files of its inline parts, in the templates' folder."""
    style = "".join(map(_file, styles))
    code = _file(script) if script else ""
    scripts = f"script-src {_digest(code)}; " if code else ""
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; {scripts}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return render(
        template,
        title=title,
        policy=Markup(policy),  # noqa: S704 - made here, of digests
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(code),  # noqa: S704 - a file of this package
        **values,
    )


def render(template: str, **values: Any) -> str:
    """Return a template of this package, filled in."""
    return _environment().get_template(template).render(**values) + "\n"


def fragment(template: str, **values: Any) -> Markup:
    """Return a part of a page, which must not be escaped again."""
    return Markup(render(template, **values))  # noqa: S704 - the template escaped it


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["line"] = lambda text, limit=300: shown_line(str(text), limit)
    environment.filters["prose"] = prose
    environment.filters["count"] = counted
    environment.filters["comma"] = lambda number: f"{number:,}"
    return environment


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
