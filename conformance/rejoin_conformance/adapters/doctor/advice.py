"""Advice on how to fix an adapter, for an author who has just started to write one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from rejoin_conformance.adapters.conversation import NoLineError
from rejoin_conformance.adapters.protocol import HelloError, ReplyError, read_reply
from rejoin_conformance.adapters.runner.cases import UndeclaredReadingError
from rejoin_conformance.adapters.runner.declared import DeclarationError
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.json_types import NotStrictJsonError, strict_json

_TOLD: Final = tomllib.loads(files(__package__).joinpath("advice.toml").read_text("utf-8"))
_FLUSH: Final[Mapping[str, str]] = _TOLD.pop("flush")
"""Language -> how its programs flush standard output."""
ADVICE: Final[Mapping[str, str]] = _TOLD
"""The sentences by their names."""


class TroubleError(Exception):
    """A fault of the adapter. The message is a sentence. advice: sentences on how to fix it."""

    def __init__(self, message: str, *advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def advice_on(error: Exception, line: bytes, language: str | None) -> tuple[str, ...]:
    """Return sentences on how to fix a fault.

    line: the last line of the adapter. language: as its hello says; None if it has sent none.
    """
    match error:
        case TroubleError():
            return error.advice
        case NoLineError(verdict="protocol-error"):
            return (ADVICE["shorter"],)
        case NoLineError(verdict="crash"):
            return (ADVICE["by_hand"] if language is None else ADVICE["no_crash"],)
        case NoLineError():
            return (
                (ADVICE["line_feed"],)
                if error.begun
                else (_flush(language or ""), ADVICE["answer_first"])
            )
        case HelloError():
            return (ADVICE["log_elsewhere"] if "not JSON" in str(error) else ADVICE["hello"],)
        case ReplyError():
            return (_of_line(line),)
        case DeclarationError():
            return (
                ADVICE["reading"]
                if isinstance(error, UndeclaredReadingError)
                else ADVICE["features"],
            )
        case AdapterUnusableError():
            return (ADVICE["start"],)
    return ()


def _flush(language: str) -> str:
    how = _FLUSH.get(language.strip().lower())
    return "Flush standard output after every reply, or the reply waits in a buffer" + (
        f": {how}." if how else "."
    )


def _of_line(line: bytes) -> str:
    """Return advice on a line that is not the reply to the request."""
    try:
        message = strict_json(line)
        read_reply(line)
    except NotStrictJsonError as error:
        return ADVICE["integers"] if "only integers" in str(error) else ADVICE["log_elsewhere"]
    except ReplyError as error:
        return (
            ADVICE["keep_id"]
            if isinstance(message, dict) and error.number is None
            else ADVICE["one_result"]
        )
    return ADVICE["keep_id"]
