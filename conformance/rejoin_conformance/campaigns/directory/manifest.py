"""What a campaign's directory says of itself: which campaign it is, and of which code and corpus.

Results of different code do not belong together. The manifest therefore names the code by the
digest of the sources on which the outcome of a history can depend. The import graph says which
sources these are: editing a page, a drawing or a command leaves a campaign as it is.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import rejoin
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.kit.import_graph import closure, modules_of
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.locations import vectors_directory

FORMAT: Final = 2
"""The version of the layout of a campaign's directory: of its names, fields and columns."""

_SUITE: Final = "rejoin_conformance"
_GENERAL: Final = ("campaigns.plan", "campaigns.block", "readings.in_force", "campaigns.summary")
_OF_SYSTEM: Final = ("operations", "histories", "laws")
_AGAINST_ADAPTER: Final = ("campaigns.adapter_block",)
"""The modules at which the import graph of a campaign begins: it digests these, the reference, and
everything that they import."""

_FIELDS: Final = {
    "system": str,
    "profile": str,
    "readings": list,
    "seed": int,
    "histories": int,
    "block_size": int,
    "code": str,
    "vectors": str,
}
_PERHAPS: Final = {"adapter": str, "timeout": int, "rule": str}
_NOT_OF_THE_PLAN: Final = ("block_size", "code", "vectors")


def manifest_of(plan: Plan) -> JsonObject:
    """The manifest of a campaign that the code at hand runs."""
    code = code_digest(plan.system, asking=plan.adapter is not None)
    return {
        "format": FORMAT,
        **plan.to_json(),
        "code": f"{rejoin.__version__}+{code[:16]}",
        "vectors": vectors_digest(),
    }


def plan_of(manifest: JsonObject) -> Plan:
    """The plan that a manifest tells of. Raises ValueError, one line, where it is not a manifest.

    A manifest of another layout, or with blocks of another size, is of another version.
    """
    fields: dict[str, Any] = dict(manifest)
    version = fields.pop("format", None)
    if type(version) is not int:
        raise ValueError("it is not the manifest of a campaign: it says no format")
    if version != FORMAT or fields.get("block_size", BLOCK_SIZE) != BLOCK_SIZE:
        raise ValueError("it was written by another version of the suite")
    fault = _fault(fields)
    if fault is not None:
        raise ValueError(f"it is not the manifest of a campaign: {fault}")
    plan = {name: value for name, value in fields.items() if name not in _NOT_OF_THE_PLAN}
    try:
        return Plan(**{**plan, "readings": tuple(fields["readings"])})
    except ValueError as error:
        raise ValueError(f"it is not the manifest of a campaign: {error}") from None


def differences(kept: JsonObject, wanted: JsonObject) -> list[str]:
    """In what two manifests differ: for each field one phrase."""
    return [
        f"{field} {_short(kept.get(field))} there, {_short(wanted.get(field))} here"
        for field in (*wanted, *(name for name in kept if name not in wanted))
        if kept.get(field) != wanted.get(field)
    ]


def code_digest(system: str, *, asking: bool = False) -> str:
    """The digest of the sources on which the outcome of the system's histories depends, as hex.

    asking: whether an adapter's answers are judged.
    """
    digest = hashlib.blake2b(digest_size=32)
    for name, path in sources(system, asking=asking):
        source = path.read_bytes()
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    return digest.hexdigest()


def sources(system: str, *, asking: bool = False) -> list[tuple[str, Path]]:
    """The modules that `code_digest` digests, by name: (dotted name, source file)."""
    modules = {**modules_of("rejoin"), **modules_of(_SUITE)}
    package = system.replace("-", "_")
    entries = [
        f"rejoin.{package}",
        *(f"{_SUITE}.{name}" for name in (*_GENERAL, *(_AGAINST_ADAPTER if asking else ()))),
        *(f"{_SUITE}.systems.{package}.{name}" for name in _OF_SYSTEM),
    ]
    return [(name, modules[name]) for name in sorted(closure(entries, modules))]


def vectors_digest() -> str:
    """The digest of the corpus' index, which holds the digest of every vector; as hex."""
    index = vectors_directory() / "index.json"
    return hashlib.blake2b(index.read_bytes(), digest_size=32).hexdigest()


def _fault(fields: dict[str, Any]) -> str | None:
    """The first field that is missing, of another type, or unknown; True and False are no int."""
    for name, kind in (_FIELDS | _PERHAPS).items():
        if name not in fields and name in _FIELDS:
            return f"{name} is missing"
        if name in fields and type(fields[name]) is not kind:
            return f"{name} is {_short(fields[name])}"
    readings = fields["readings"]
    if not readings or any(not isinstance(reading, str) for reading in readings):
        return f"readings is {_short(readings)}"
    unknown = sorted(set(fields) - set(_FIELDS) - set(_PERHAPS))
    return f"{_short(unknown[0])} is no field of it" if unknown else None


def _short(value: object) -> str:
    text = canonical_json(value) if not isinstance(value, str) else value  # type: ignore[arg-type]
    return text if len(text) <= 40 else f"{text[:37]}..."
