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
from rejoin_conformance.campaign.plan import Plan
from rejoin_conformance.json_types import JsonObject, canonical_json
from rejoin_conformance.locations import vectors_directory

FORMAT: Final = 1
"""The version of the layout of a campaign's directory."""

_CODE: Final = Path(__file__).resolve().parent.parent
_CAMPAIGN_CODE: Final = ("plan.py", "block.py", "adapter_block.py", "questions.py")


def manifest_of(plan: Plan) -> JsonObject:
    """The manifest of a campaign that the code at hand runs."""
    return {
        "format": FORMAT,
        **plan.to_json(),
        "code": f"{rejoin.__version__}+{code_digest(plan.system)[:16]}",
        "vectors": vectors_digest(),
    }


def plan_of(manifest: JsonObject) -> Plan:
    """The plan that a manifest tells of. Raises ValueError where it is not a manifest."""
    fields: dict[str, Any] = dict(manifest)
    try:
        if fields.pop("format") != FORMAT:
            raise ValueError("it was written by another version of the suite")
        fields["readings"] = tuple(fields["readings"])
        for other in ("block_size", "code", "vectors"):
            del fields[other]
        return Plan(**fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is not the manifest of a campaign: {error}") from None


def differences(kept: JsonObject, wanted: JsonObject) -> list[str]:
    """In what two manifests differ: for each field one phrase."""
    return [
        f"{field} {_short(kept.get(field))} there, {_short(wanted.get(field))} here"
        for field in (*wanted, *(name for name in kept if name not in wanted))
        if kept.get(field) != wanted.get(field)
    ]


def code_digest(system: str) -> str:
    """The digest of the sources that a history of the system is made and judged by, as hex."""
    digest = hashlib.blake2b(digest_size=32)
    for name, path in sorted(_sources(system)):
        digest.update(f"{name}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def vectors_digest() -> str:
    """The digest of the corpus' index, which holds the digest of every vector; as hex."""
    index = vectors_directory() / "index.json"
    return hashlib.blake2b(index.read_bytes(), digest_size=32).hexdigest()


def _sources(system: str) -> Iterator[tuple[str, Path]]:
    reference = Path(rejoin.__file__).resolve().parent
    package = system.replace("-", "_")
    folders = (
        ("rejoin", reference.glob("*.py")),
        ("rejoin", (reference / package).rglob("*.py")),
        ("rejoin_conformance", _CODE.glob("*.py")),
        ("rejoin_conformance", (_CODE / "campaign" / name for name in _CAMPAIGN_CODE)),
        ("rejoin_conformance", (_CODE / "rules").rglob("*.py")),
        ("rejoin_conformance", (_CODE / "systems" / package).rglob("*.py")),
    )
    for name, paths in folders:
        root = reference if name == "rejoin" else _CODE
        for path in paths:
            yield f"{name}/{path.relative_to(root).as_posix()}", path


def _short(value: object) -> str:
    text = canonical_json(value) if not isinstance(value, str) else value  # type: ignore[arg-type]
    return text if len(text) <= 40 else f"{text[:37]}..."
