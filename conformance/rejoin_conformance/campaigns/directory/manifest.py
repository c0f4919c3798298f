"""What a campaign's directory says of itself: which campaign it is, and of which code and corpus.

Results of different code do not belong together. So the manifest names the code by the digest of
its sources, those that the outcome of a history of this system can depend on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import rejoin
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.locations import vectors_directory

FORMAT: Final = 2
"""The version of the layout of a campaign's directory: of its names, fields and columns."""

_CODE: Final = Path(__file__).resolve().parents[2]
_CAMPAIGN_CODE: Final = (
    "plan.py",
    "block.py",
    "ruled.py",
    "adapter_block.py",
    "adapter_questions.py",
)
_GENERAL: Final = ("kit", "contract", "readings")
_ADAPTER_CODE: Final = ("adapters",)
"""Packages by which an adapter is asked, and its answers are held against the reference's."""

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
    """The digest of the sources that a history of the system is made and judged by, as hex.

    asking: whether an adapter's answers are what is judged.
    """
    digest = hashlib.blake2b(digest_size=32)
    for name, path in sorted(_sources(system, _ADAPTER_CODE if asking else ())):
        digest.update(f"{name}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


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


def _sources(system: str, packages: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    reference = Path(rejoin.__file__).resolve().parent
    package = system.replace("-", "_")
    folders = (
        ("rejoin", reference.glob("*.py")),
        ("rejoin", (reference / package).rglob("*.py")),
        *(("rejoin_conformance", (_CODE / each).rglob("*.py")) for each in _GENERAL),
        ("rejoin_conformance", (_CODE / "campaigns" / name for name in _CAMPAIGN_CODE)),
        ("rejoin_conformance", (_CODE / "systems" / package).rglob("*.py")),
        *(("rejoin_conformance", (_CODE / each).rglob("*.py")) for each in packages),
    )
    for name, paths in folders:
        root = reference if name == "rejoin" else _CODE
        for path in paths:
            yield f"{name}/{path.relative_to(root).as_posix()}", path


def _short(value: object) -> str:
    text = canonical_json(value) if not isinstance(value, str) else value  # type: ignore[arg-type]
    return text if len(text) <= 40 else f"{text[:37]}..."
