"""The templates of this package. They escape all text, because it can come from anywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rejoin_conformance.kit.document import plain_text, spans
from rejoin_conformance.kit.untrusted import shown, shown_line
from rejoin_conformance.reports.prose import prose

_LONGEST: Final = 12_000
"""The number of characters of one block of code that a page shows."""


@cache
def templates() -> Environment:
    """Return the templates with their filters."""
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[..., object]] = {
        "line": lambda text, limit=300: shown_line(str(text), limit),
        "shown": lambda text: shown(text, _LONGEST),
        "prose": prose,
        "spans": spans,
        "plain": plain_text,
        "kind": lambda block: type(block).__name__,
        "comma": lambda number: f"{number:,}",
    }
    environment.filters |= filters
    return environment


def fragment(template: str, **values: Any) -> Markup:
    """Return a part of a page, which must not be escaped again."""
    text = templates().get_template(template).render(**values)
    return Markup(text + "\n")  # noqa: S704 - the template escaped it


@cache
def inline(name: str) -> Markup:
    """Return a file of the templates' folder to write into a page as it is."""
    path = files(__package__).joinpath("templates", name)
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704 - a file of this package
