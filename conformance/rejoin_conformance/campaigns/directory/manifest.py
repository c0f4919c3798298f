"""The manifest of a campaign's directory: its plan, and the digests of its code and corpus.

Results of different code must not be mixed. The manifest therefore has a digest of all sources on
which the outcome of a history can depend. The import graph determines these sources, so a change to
a page, a drawing or a command does not affect a campaign.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import attrs
from attrs import frozen

import rejoin
from rejoin_conformance.campaigns.directory.checksums import DIGEST, manifest_digest
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.import_graph import closure, modules_of
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.locations import vectors_directory

FORMAT: Final = 4
"""The version of the layout of a campaign's directory: file names, fields and columns."""

_SUITE: Final = "rejoin_conformance"
_GENERAL: Final = ("campaigns.plan", "campaigns.block", "readings.in_force", "campaigns.summary")
_OF_SYSTEM: Final = ("operations", "histories", "laws")
_AGAINST_ADAPTER: Final = ("campaigns.adapter_block",)
"""The entry points of a campaign's import graph. The digest covers these modules, the reference,
and all modules that they import."""

_OTHER_VERSION: Final = "another version of the suite wrote it; use that version"


@frozen
class _MadeBy:
    """The fields of a manifest that identify its layout, code and corpus."""

    format: int
    block_size: int
    code: str
    vectors: str
    digest: str


def manifest_of(plan: Plan) -> JsonObject:
    """Return the manifest of a campaign that the current code runs."""
    code = code_digest(plan.system, asking=plan.adapter is not None)
    manifest: JsonObject = {
        "format": FORMAT,
        **plan.to_json(),
        "code": f"{rejoin.__version__}+{code[:16]}",
        "vectors": vectors_digest(),
    }
    return {**manifest, DIGEST: manifest_digest(manifest)}


def plan_of(manifest: JsonObject) -> Plan:
    """Return the plan in a manifest. Raises ValueError with one line if the manifest is invalid.

    A manifest with another layout or block size comes from another version.
    """
    names = [each.name for each in attrs.fields(_MadeBy)]
    plan = {name: value for name, value in manifest.items() if name not in names}
    if type(manifest.get("format")) is int and manifest["format"] != FORMAT:
        raise ValueError(_OTHER_VERSION)
    try:
        made_by = read({name: manifest[name] for name in names if name in manifest}, _MadeBy)
        found = Plan.from_json(plan)
    except MalformedError as error:
        raise ValueError(f"it is not the manifest of a campaign: {error}") from None
    if made_by.block_size != BLOCK_SIZE:
        raise ValueError(_OTHER_VERSION)
    if made_by.digest != manifest_digest(manifest):
        raise ValueError("its manifest was changed after it was written; restore the manifest")
    return found


def differences(kept: JsonObject, wanted: JsonObject) -> list[str]:
    """Return one phrase for each field in which two manifests differ.

    If the formats differ, the other fields cannot be compared.
    """
    if kept.get("format") != wanted.get("format"):
        return [f"format {_short(kept.get('format'))} there, {_short(wanted.get('format'))} here"]
    return [
        f"{field} {_short(kept.get(field))} there, {_short(wanted.get(field))} here"
        for field in (*wanted, *(name for name in kept if name not in wanted))
        if field != DIGEST and kept.get(field) != wanted.get(field)
    ]


def code_digest(system: str, *, asking: bool = False) -> str:
    """Return the digest of the sources on which the system's histories depend, as hex.

    asking: whether the campaign compares an adapter with the reference.
    """
    digest = hashlib.blake2b(digest_size=32)
    for name, path in sources(system, asking=asking):
        source = path.read_bytes()
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    return digest.hexdigest()


def sources(system: str, *, asking: bool = False) -> list[tuple[str, Path]]:
    """Return the modules that `code_digest` digests, by name: (dotted name, source file)."""
    modules = {**modules_of("rejoin"), **modules_of(_SUITE)}
    package = system.replace("-", "_")
    entries = [
        f"rejoin.{package}",
        *(f"{_SUITE}.{name}" for name in (*_GENERAL, *(_AGAINST_ADAPTER if asking else ()))),
        *(f"{_SUITE}.systems.{package}.{name}" for name in _OF_SYSTEM),
    ]
    return [(name, modules[name]) for name in sorted(closure(entries, modules))]


def vectors_digest() -> str:
    """Return the digest of the corpus index, which has the digest of every vector, as hex."""
    index = vectors_directory() / "index.json"
    return hashlib.blake2b(index.read_bytes(), digest_size=32).hexdigest()


def _short(value: object) -> str:
    text = canonical_json(value) if not isinstance(value, str) else value  # type: ignore[arg-type]  # a manifest is JSON
    return text if len(text) <= 40 else f"{text[:37]}..."
