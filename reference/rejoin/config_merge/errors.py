"""The one error of config merge, and all of its codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin import bencode
from rejoin.errors import RejoinError

CODES: Final[Mapping[str, str]] = {
    **bencode.CODES,
    # application data
    "data-not-dict": "the application data is not a dict",
    "data-value": "a value that is not an integer, string, set or dict",
    "key-too-long": "a key of more than 128 bytes",
    "string-too-long": "a string of more than 4096 bytes",
    "empty-set": "an empty set in application data",
    "empty-dict": "an empty dict below the root of application data",
    "set-element-type": "a set element that is neither integer nor string",
    "set-not-ascending": "a set element that does not sort after the element in front of it",
    # outer metadata
    "not-a-dict": "a message that is not a dict",
    "major-version-break": "a top-level key that sorts before `#`",
    "seqno-missing": "a message without `#`",
    "seqno-type": "a seqno that is not an integer",
    "seqno-out-of-range": "a seqno outside 0..2**62 - 1",
    "data-missing": "a message without `&`",
    "lagged-missing": "a message without `<`",
    "lagged-type": "lagged diffs that are not a list",
    "diff-missing": "a message without `=`",
    "diff-type": "a diff that is not a dict",
    "key-after-signature": "a top-level key that sorts after `~`",
    # signatures
    "signature-length": "a signature that is not a string of 64 bytes",
    "signature-missing": "a message without `~` where a signature is required",
    "signature-invalid": "a signature that does not verify",
    "signing-key-missing": "a message is due that must be signed, and there is no key to sign it",
    "bad-signing-key": "a signing key that is not a seed of 32 bytes",
    "bad-verify-key": "a verify key that is not 32 bytes",
    # config diffs
    "row-shape": "a lagged row that is not a list of integer, string and dict",
    "row-hash-length": "a lagged row whose hash is not 32 bytes",
    "row-seqno": "a lagged row whose seqno is negative, or not below that of its message",
    "rows-not-ascending": "a lagged row that does not rank above the row in front of it",
    # diff updates
    "diff-value": "a diff value that is not empty, `-`, a list or a dict",
    "set-diff-shape": "a set diff that is not a list of two lists",
    "set-diff-empty": "a set diff that neither adds nor removes",
    "set-diff-overlap": "an element that a set diff both adds and removes",
    "dict-diff-empty": "an empty dict diff below the root of a diff",
    # updates and merges
    "no-valid-message": "no message among those given is valid",
    "seqno-exhausted": "a message is due whose seqno would be out of range",
    "bad-window": "a window that is not an integer in 1..2**31 - 1",
    "unknown-reading": "a reading that does not exist",
    # encryption
    "bad-key-length": "an encryption key that is not 32 bytes",
    "bad-domain": "a domain that is not 1 to 24 bytes",
    "ciphertext-too-short": "a ciphertext of fewer than 40 bytes",
    "decryption-failed": "a ciphertext that is not authentic under this key",
}
"""Every code of `ConfigMergeError`, with its meaning."""

Path = tuple[bytes | int, ...]
"""Where a part stands in a value, from the outside in; see `bencode.position_of`."""


class ConfigMergeError(RejoinError):
    """Input that config merge refuses; the codes are the keys of `CODES`.

    path: where the fault stands in the value that is judged. It grows from the inside out, and
    turns into the position where the value came as bytes.
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
        """Note that the value that was judged stands under a key, or at an index, of another."""
        self.path = (step, *self.path)
        return self

    def located_in(self, encoded: bytes, start: int) -> ConfigMergeError:
        """Return this error with the position to which its path leads.

        encoded: the bytes in which the value that was judged begins at `start`.
        """
        position = bencode.position_of(encoded, self.path, start=start)
        return ConfigMergeError(self.code, self.message, position)


def refused_encoding(error: bencode.BencodeError) -> ConfigMergeError:
    """Turn a fault of the encoding into the error of this system, with the same code."""
    return ConfigMergeError(error.code, error.message, error.position)
