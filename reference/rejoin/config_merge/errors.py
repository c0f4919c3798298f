"""The exception class of config merge, and its codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rejoin import bencode
from rejoin.errors import RejoinError

CODES: Final[Mapping[str, str]] = {
    **bencode.CODES,
    # application data
    "data-not-dict": "application data that is not a dict",
    "data-value": "a value that is not an integer, string, set or dict",
    "key-too-long": "a key of more than 128 bytes",
    "string-too-long": "a string of more than 4096 bytes",
    "empty-set": "an empty set in application data",
    "empty-dict": "an empty dict below the root of application data",
    "set-element-type": "a set element that is neither an integer nor a string",
    "set-not-ascending": "a set element that does not sort after the previous element",
    # outer metadata
    "not-a-dict": "a message that is not a dict",
    "major-version-break": "a top-level key that sorts before `#`",
    "seqno-missing": "a message without `#` as its first key",
    "seqno-type": "a seqno that is not an integer",
    "seqno-out-of-range": "a seqno outside 0 to 2**62 - 1",
    "data-missing": "a message without `&`",
    "lagged-missing": "a message without `<`",
    "lagged-type": "lagged diffs that are not a list",
    "diff-missing": "a message without `=`",
    "diff-type": "a diff that is not a dict",
    "key-after-signature": "a top-level key that sorts after `~`",
    # signatures
    "signature-length": "a signature that is not a string of 64 bytes",
    "signature-missing": "a message without `~` although a signature is required",
    "signature-invalid": "a signature that does not verify",
    "signing-key-missing": "an update without a signing key although signatures are required",
    "bad-signing-key": "a signing key that is not a seed of 32 bytes",
    "bad-verify-key": "a verify key that does not have 32 bytes",
    # config diffs
    "row-shape": "a lagged row that is not a list of integer, string and dict",
    "row-hash-length": "a lagged row whose hash does not have 32 bytes",
    "row-seqno": "a lagged row whose seqno is negative, or not below that of its message",
    "rows-not-ascending": "a lagged row that does not rank above the previous row",
    # diff updates
    "diff-value": "a value in a diff that is not the empty string, `-`, a list or a dict",
    "set-diff-shape": "a set diff that is not a list of two lists",
    "set-diff-empty": "a set diff that neither adds nor removes",
    "set-diff-overlap": "an element that a set diff both adds and removes",
    "dict-diff-empty": "an empty dict diff below the root of a diff",
    # updates and merges
    "no-valid-message": "none of the given messages is valid",
    "seqno-exhausted": "a new message would need the seqno 2**62",
    "report-too-large": "a scenario whose report is larger than 2**20 bytes",
    "bad-window": "a window that is not an integer from 1 to 2**31 - 1",
    "unknown-reading": "a reading that does not exist",
    # encryption
    "bad-key-length": "an encryption key that does not have 32 bytes",
    "bad-domain": "a domain that does not have 1 to 24 bytes",
    "ciphertext-too-short": "a ciphertext of fewer than 40 bytes",
    "decryption-failed": "a ciphertext that is not authentic under this key",
}
"""The codes of `ConfigMergeError`, each with its meaning."""

Path = tuple[bytes | int, ...]
"""The steps from a value to one of its parts, from the outside in; see `bencode.position_of`."""


class ConfigMergeError(RejoinError):
    """An input or operation that config merge rejects, with a code from `CODES`.

    path: the steps from the checked value to the fault. Functions prepend steps from the inside
        out. If the value came as bytes, the path is converted to a position.
    """

    def __init__(
        self, code: str, message: str, position: int | None = None, *, path: Path = ()
    ) -> None:
        super().__init__(code, message, position)
        self.path = path

    def __str__(self) -> str:
        if self.position is None and self.path:
            return f"{self.code} at {list(self.path)}: {self.message}"
        return super().__str__()

    def inside(self, step: bytes | int) -> ConfigMergeError:
        """Prepend a step to the path, and return this error.

        step: the key or index of the checked value in the value around it.
        """
        self.path = (step, *self.path)
        return self

    def located_in(self, encoded: bytes, start: int) -> ConfigMergeError:
        """Return this error with the position to which its path leads.

        encoded: bytes that contain the encoding of the checked value.
        start: the offset of the checked value.
        """
        position = bencode.position_of(encoded, self.path, start=start)
        return ConfigMergeError(self.code, self.message, position)


def refused_encoding(error: bencode.BencodeError) -> ConfigMergeError:
    """Return an error of the encoding as an error of this system, with the same code."""
    return ConfigMergeError(error.code, error.message, error.position)


def no_valid_message(messages: Sequence[object]) -> ConfigMergeError:
    """Return the error for messages of which none is valid; it names the fault of the first one.

    messages: the errors that make them invalid, in the order of the messages.
    """
    said = "no message was given"
    if messages:
        first = messages[0]
        said = f"none of the given messages is valid; the first one has the fault {first}"
        if isinstance(first, ConfigMergeError) and first.code in {*bencode.CODES, "not-a-dict"}:
            said += ". If it is encrypted, decrypt it first"
    return ConfigMergeError("no-valid-message", said)
