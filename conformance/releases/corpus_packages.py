"""The corpus alone, as a zip and as a package for npm."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from archives import tarball_of, zip_of

NAME: Final = "rejoin-vectors"
_NPM: Final = Path("conformance/releases/npm")
_OF_NPM: Final = ("README.md", "index.d.ts", "index.js")
_RELATIVE_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:|#)[^)]*\)")


def corpus_version(tree: Path) -> str:
    """Return the version in the index of the corpus."""
    version = json.loads((tree / "vectors" / "index.json").read_bytes())["version"]
    assert isinstance(version, str)
    return version


def corpus_packages(tree: Path, epoch: int) -> dict[str, bytes]:
    """Return the zip and the npm package: file name -> bytes. tree: a checkout."""
    version = corpus_version(tree)
    files = corpus_files(tree)
    npm = {
        **files,
        **{name: (tree / _NPM / name).read_bytes() for name in _OF_NPM},
        "package.json": package_json(version),
    }
    return {
        f"{NAME}-{version}.zip": zip_of(_inside(f"{NAME}-{version}", files), epoch),
        f"{NAME}-{version}.tgz": tarball_of(_inside("package", npm), epoch),
    }


def corpus_files(tree: Path) -> dict[str, bytes]:
    """Return what both packages contain: path -> content."""
    vectors = tree / "vectors"
    folder = {
        f"vectors/{path.relative_to(vectors).as_posix()}": path.read_bytes()
        for path in vectors.rglob("*")
        if path.is_file()
    }
    page = (tree / "docs" / "vector-format.md").read_text(encoding="utf-8")
    return {
        **folder,
        "FORMAT.md": without_relative_links(page).encode(),
        "LICENSE": (vectors / "LICENSE").read_bytes(),
    }


def without_relative_links(page: str) -> str:
    """Return a page with its links to other pages as plain text; they are not in the package."""
    return _RELATIVE_LINK.sub(r"\1", page)


def package_json(version: str) -> bytes:
    """Return the manifest of the npm package."""
    manifest = {
        "name": NAME,
        "version": version,
        "description": "Test vectors for three protocols whose histories fork and rejoin",
        "license": "CC0-1.0",
        "type": "module",
        "main": "index.js",
        "types": "index.d.ts",
        "engines": {"node": ">=20.19"},
        "keywords": ["conformance", "test-vectors", "merge", "conflict-detection"],
    }
    return (json.dumps(manifest, indent=2) + "\n").encode()


def _inside(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{path}": content for path, content in files.items()}
