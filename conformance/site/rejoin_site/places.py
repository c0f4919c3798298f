"""Where everything stands in the site: paths from its root, with `/`, without a host."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
"""The checkout that the site is about."""

PARTS: Final = ROOT / "conformance" / "site"
"""The sources of the site that are not texts of the project."""


def clause_page(system: str, clause: str) -> str:
    """Return the page of a clause."""
    return f"clauses/{system}/{clause}.html"


def vector_page(vector_id: str) -> str:
    """Return the place of a vector: in the page of its topic."""
    topic, _, name = vector_id.rpartition("/")
    return f"{topic_page(topic)}#{name}"


def topic_page(topic: str) -> str:
    """Return the page of a topic with all its vectors. topic: the system and its name."""
    return f"vectors/{topic}.html"


def operation_place(system: str, operation: str) -> str:
    """Return the place of an operation."""
    return f"docs/operations/{system}.html#{operation.replace('/', '')}"


def module_page(module: str) -> str:
    """Return the page of a module of the reference."""
    return f"api/{module}.html"


def erratum_place(system: str, erratum: str) -> str:
    """Return the place of an erratum."""
    return f"spec/{system}/errata.html#{erratum}"


def playground(system: str, state: str) -> str:
    """Return a link that opens a state in the playground of a system.

    state: what stands after `#`, such as `vector=ID` or `example=NAME`.
    """
    return f"playground/{system}.html#{state}"


def to_root(page: str) -> str:
    """Return the way from a page to the root: empty, or `../` for each folder around the page."""
    return "../" * page.count("/")
