"""An implementation's own names for the codes of rejections, and the comparison of codes.

A TOML file has one table for each system. A name can stand for several codes:

    [some-system]
    E_SORT = "set-not-ascending"
    E_INT = ["bad-integer", "integer-not-canonical"]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rejoin_conformance.adapters.run_options import StrictCodes, WrongUsageError
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus.codes import codes_of
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.files import read_toml
from rejoin_conformance.kit.text import did_you_mean
from rejoin_conformance.kit.untrusted import shown_line


class OwnCodesError(ExpectedError):
    """An invalid file of codes. The message names the file and the fault."""


@frozen
class OwnCodes:
    """The names of one implementation. names: system -> name -> the codes that the name means."""

    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(factory=dict)

    def why_wrong(self, system: str, expected: str, said: str) -> str:
        """Return why the code of a rejection is wrong; empty if it is the expected code.

        said: the code of the rejection, untrusted; empty if the rejection has no code.
        """
        meant = self.names.get(system, {}).get(said, (said,))
        if expected in meant:
            return ""
        meaning = codes_of(system).meanings.get(expected)
        must = f"the code must be {expected}{f' ({meaning})' if meaning else ''}"
        if not said:
            return f"{must}, but the rejection has none"
        name = shown_line(said, 80)
        if meant != (said,):
            return f"{must}, not {' or '.join(meant)} ({name})"
        known = "" if said in codes_of(system).meanings else ", which the spec does not list"
        return f"{must}, not {name}{known}"


def load_own_codes(path: Path) -> OwnCodes:
    """Return the names in a file. Raises OwnCodesError if the file is invalid."""
    try:
        value: Mapping[str, Any] = read_toml(path)
    except ValueError as error:
        raise OwnCodesError(f"{path}: {error}") from None
    return OwnCodes({system: _of_system(path, system, names) for system, names in value.items()})


def compared_codes(options: StrictCodes) -> OwnCodes | None:
    """Return the adapter's names for codes; None if codes are not compared.

    Raises WrongUsageError and OwnCodesError.
    """
    if options.codes is not None and not options.strict_codes:
        raise WrongUsageError("--codes names the codes that --strict-codes compares; give both")
    if not options.strict_codes:
        return None
    return OwnCodes() if options.codes is None else load_own_codes(options.codes)


def _of_system(path: Path, system: str, names: Any) -> Mapping[str, tuple[str, ...]]:
    if system not in system_names():
        near = did_you_mean(system, sorted(system_names()))
        raise OwnCodesError(f"{path}: there is no system {system!r}{near}")
    if not isinstance(names, dict):
        raise OwnCodesError(f"{path}: {system} must be a table of names")
    known = codes_of(system).meanings
    found: dict[str, tuple[str, ...]] = {}
    for name, codes in names.items():
        listed = [codes] if isinstance(codes, str) else codes
        if not isinstance(listed, list) or not listed:
            raise OwnCodesError(f"{path}: {system}: {name!r} must be a code or a list of codes")
        for code in listed:
            if code not in known:
                near = did_you_mean(code, sorted(known)) if isinstance(code, str) else ""
                why = f"{name!r} stands for {code!r}, which is not a code of the spec{near}"
                raise OwnCodesError(f"{path}: {system}: {why}")
        found[name] = tuple(listed)
    return found
