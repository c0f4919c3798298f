"""The texts of the project, put where the generator of the site reads them.

A file is written only if its content changes, so that the generator reads only changed texts again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from rejoin_conformance.contract.registry import system_names
from rejoin_site.places import ROOT

TEXTS: Final = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/*.md",
    "docs/operations/*.md",
    "spec/*.md",
    "spec/*/*.md",
    "conformance/ports/*/README.md",
    "conformance/peers/*/README.md",
    "conformance/site/README.md",
    "conformance/site/playground/README.md",
    "tests/laws/README.md",
)
"""The texts of the site, as patterns of paths in the checkout."""

_LINK: Final = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")
_FENCED: Final = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_ORPHAN: Final = "---\norphan: true\n---\n\n"
_CONTENTS: Final = "\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def project_texts(root: Path = ROOT) -> dict[str, str]:
    """Return the texts of the project: path in the site's source -> Markdown.

    A text that only other texts link to is marked as such. The texts of a folder with a README
    are below it in the navigation. Raises OSError.
    """
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for pattern in TEXTS
        for path in sorted(root.glob(pattern))
    }
    texts |= {
        path: _ORPHAN + text
        for path, text in texts.items()
        if path.startswith(("conformance/", "tests/"))
    }
    for system in system_names():
        readme = f"spec/{system}/README.md"
        texts[readme] += contents_of(texts, readme)
    texts["docs/README.md"] += contents_of(texts, "docs/README.md")
    return texts


def contents_of(texts: Mapping[str, str], readme: str) -> str:
    """Return the navigation below a README: the texts of its folder, in the order of its links."""
    folder = PurePosixPath(readme).parent
    linked = [link for link in _LINK.findall(texts[readme]) if "/" not in link]
    below = [
        PurePosixPath(path).relative_to(folder).as_posix()
        for path in texts
        if path != readme and path.startswith(f"{folder}/")
    ]
    ordered = [*dict.fromkeys(each for each in linked if each in below), *below]
    return _CONTENTS.format(pages="\n".join(dict.fromkeys(ordered)))


def linked_files(texts: Mapping[str, str], root: Path = ROOT) -> dict[str, bytes]:
    """Return the files that the texts link to and that are not texts: path -> content."""
    return {
        path: (root / path).read_bytes()
        for path in sorted(set(_targets(texts)) - texts.keys())
        if (root / path).is_file()
    }


def _targets(texts: Mapping[str, str]) -> Iterator[str]:
    for path, text in texts.items():
        for link in _LINK.findall(_FENCED.sub("", text)):
            yield _joined(PurePosixPath(path).parent, link)


def _joined(folder: PurePosixPath, link: str) -> str:
    parts = [*folder.parts]
    for part in PurePosixPath(link).parts:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/".join(parts)


def write_changed(folder: Path, files: Mapping[str, str | bytes]) -> int:
    """Make a folder hold exactly these files, and return how many of them were written.

    files: path -> content. Raises OSError.
    """
    written = 0
    for path, content in files.items():
        data = content.encode("utf-8") if isinstance(content, str) else content
        target = folder / path
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            written += 1
    for target in sorted(folder.rglob("*")):
        if target.is_file() and target.relative_to(folder).as_posix() not in files:
            target.unlink()
    return written
