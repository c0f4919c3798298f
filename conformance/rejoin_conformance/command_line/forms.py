"""The forms of results: options that name a file for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from rejoin_conformance.command_line.console import write_text
from rejoin_conformance.command_line.options import written
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.for_ci import badge, junit
from rejoin_conformance.reports.results import html_page, markdown

_FORMS: Final[dict[str, Callable[[tuple[Column, ...]], str]]] = {
    "html": html_page,
    "junit": junit,
    "markdown": markdown,
    "badge": lambda columns: canonical_json(badge(columns)) + "\n",
}


@frozen(kw_only=True)
class Forms:
    """The files to write."""

    html: Path | None = written("Write an HTML page.")
    junit: Path | None = written("Write JUnit XML for CI.")
    markdown: Path | None = written("Write Markdown for a pull request.")
    badge: Path | None = written(
        "Write JSON for a shields.io badge; of several runs, the worst one's."
    )

    @property
    def files(self) -> dict[str, Path]:
        """Return form -> the file to write."""
        found = {form: getattr(self, form) for form in _FORMS}
        return {form: path for form, path in found.items() if path is not None}


def write_forms(files: dict[str, Path], columns: tuple[Column, ...]) -> None:
    """Write results in each form. files: form -> file."""
    for form, path in files.items():
        write_text(path, _FORMS[form](columns))
        if path != Path("-"):
            click.echo(f"wrote {path}", err=True)
