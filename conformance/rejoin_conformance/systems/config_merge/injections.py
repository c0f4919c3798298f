"""Ciphertexts that no client of the history pushed: repeats, other programs' messages, forgeries.

If messages must be signed, honest programs and forging insiders have the signing key. An attacker
who damages a message does not have it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.by_hand.keys import derived_key, seal
from rejoin_conformance.systems.config_merge.changes import Change, changed
from rejoin_conformance.systems.config_merge.faults import AFTER_THE_END, BAD, BAD_IN_DOCUMENT

Truth: TypeAlias = Literal["bad", "bad-in-document", "forged", "follows", "twin", "known"]
"""The known truth about an injected message, independent of the reference.

bad: invalid in every reading. bad-in-document: invalid in `document`. forged: valid, but no honest
program makes it. follows: an honest update of the target. twin: an honest message with the parents
and changes of the target. known: a message that was already in the swarm before.
"""

OTHER_SIGNING_KEY: Final = hashlib.blake2b(b"another signing key", digest_size=32).digest()
LAST_SEQNO: Final = 2**62 - 1
STRANGER: Final = b"\xee" * 32
UNKNOWN_KEYS: Final = (b"$", b"*", b";", b"new", b"}")
_FAULTS: Final = (*BAD.items(), *BAD_IN_DOCUMENT.items())


@frozen
class Injection:
    """A ciphertext for the swarm, and the known truth about it.

    changes: the changes of an honest update, in the order of their application.
    """

    ciphertext: bytes
    truth: Truth
    changes: tuple[Change, ...] = ()


@frozen
class Target:
    """The message from which an injection is made, and its context.

    message: the target. ciphertext: the target's stored ciphertext. others: all other messages of
    the history, newest first; read at most once. settings: the settings of an honest client.
    """

    message: cm.Message
    ciphertext: bytes
    others: Iterable[cm.Message]
    settings: cm.Settings


def _again(target: Target, _salt: int) -> Injection:
    """Return the target's own ciphertext again, even if a client deleted it."""
    return Injection(target.ciphertext, "known")


def _other_nonce(target: Target, salt: int) -> Injection:
    """Encrypt the target with another nonce: the same message, but another ciphertext."""
    nonce = hashlib.blake2b(b"nonce %d" % salt, digest_size=24).digest()
    plaintext, settings = target.message.encoded, target.settings
    key = settings.encryption_key
    if settings.reading.nonce_domain_separated:
        key = derived_key(len(plaintext), key, settings.domain or b"")
    return Injection(seal(plaintext, key, nonce), "known")


def _outsider(target: Target, salt: int) -> Injection:
    """Make an update of the target by a client that is not part of the history."""
    changes = (Change("assign", (b"out",) if salt & 1 else (b"d", b"x"), salt),)
    message = _updated(target, changes)
    return Injection(sealed(message.encoded, target.settings), "follows", changes)


def _newer_version(target: Target, salt: int) -> Injection:
    """Make an update of the target by a newer program, with an additional top-level key."""
    changes = (Change("assign", (b"out",), salt),)
    key = UNKNOWN_KEYS[salt % len(UNKNOWN_KEYS)]
    value = bencode.encode([salt, {}, [b"z", b"a"]])
    kept = [pair for pair in target.message.unknown if pair[0] != key]
    with_unknown = evolve(target.message, unknown=tuple(sorted([*kept, (key, value)])))
    message = _updated(evolve(target, message=with_unknown), changes)
    return Injection(sealed(message.encoded, target.settings), "follows", changes)


def _signed_copy(target: Target, salt: int) -> Injection:
    """Sign the target if no client checks signatures; otherwise return the target again."""
    message = target.message
    if target.settings.verify_key is not None:
        return _again(target, salt)
    key = hashlib.blake2b(b"signer %d" % salt, digest_size=32).digest()
    return Injection(sealed(cm.sign(message, key).encoded, target.settings), "twin")


def _bad_ciphertext(target: Target, salt: int) -> Injection:
    """Flip a bit of the target's ciphertext, or truncate it."""
    damaged = bytearray(target.ciphertext)
    if salt & 3:
        damaged[salt % len(damaged)] ^= 1 << (salt & 7)
    else:
        del damaged[salt % len(damaged) :]
    return Injection(bytes(damaged), "bad")


def _bad_plaintext(target: Target, salt: int) -> Injection:
    """Put a single fault into the target's plaintext, and encrypt it correctly."""
    encoded = target.message.encoded
    outer: Any = bencode.decode(encoded, lenient=not target.settings.reading.strict_encoding)
    name, fault = _FAULTS[salt % len(_FAULTS)]
    broken = fault(outer, target.settings.window)
    # A signature does not cover the bytes after it; every other fault makes it invalid.
    signature_breaks = target.settings.verify_key is not None and name != AFTER_THE_END
    truth: Truth = "bad" if name in BAD or signature_breaks else "bad-in-document"
    return Injection(sealed(broken, target.settings), truth)


def _bad_signature(target: Target, salt: int) -> Injection:
    """Make an unsigned or wrongly signed update; if none must be signed, damage the ciphertext."""
    if target.settings.verify_key is None:
        return _bad_ciphertext(target, salt)
    stranger = None if salt & 1 else OTHER_SIGNING_KEY
    settings = evolve(target.settings, verify_key=None, signing_key=stranger)
    message = _updated(evolve(target, settings=settings), (Change("assign", (b"out",), salt),))
    return Injection(sealed(message.encoded, target.settings), "bad")


def _forged_rows(target: Target, salt: int) -> Injection:
    """Make an update of the target with false rows, about existing or nonexistent messages."""
    message = _updated(target, ())
    rows = {row.rank: row for row in message.lagged}
    below = [other for other in target.others if other.seqno < message.seqno]
    choice = salt & 3
    if choice == 0 or not below:
        stranger = (message.seqno - 1, STRANGER)
        lie = cm.lagged_diff(stranger, cm.diff(target.message.data, {b"b": 1}))
    elif choice == 1:  # suppresses a message without listing its changes
        lie = cm.lagged_diff(below[salt % len(below)].rank, cm.NO_CHANGES)
    else:  # contradicts an existing row, or a message that it does not include
        rank = sorted(rows)[salt % len(rows)] if rows else below[salt % len(below)].rank
        lie = cm.lagged_diff(
            rank, {b"a": cm.REMOVED, b"s": cm.SetDiff(frozenset(), frozenset({1, b"p"}))}
        )
    rows[lie.rank] = lie
    return _forged(message, target, lagged=tuple(rows[rank] for rank in sorted(rows)))


def _forged_diff(target: Target, salt: int) -> Injection:
    """Make an update of the target whose diff does not match its data."""
    data = changed(target.message.data, (Change("assign", (b"b",), salt),))
    message = _updated(target, ())
    lies: tuple[cm.Diff, ...] = (
        {b"a": cm.ASSIGNED, b"nowhere": cm.ASSIGNED},
        {b"d": {b"x": cm.REMOVED, b"no": cm.SetDiff(frozenset({1}), frozenset())}},
        {b"s": cm.SetDiff(frozenset({b"lie"}), frozenset({1, 2}))},
        cm.NO_CHANGES,
    )
    return _forged(message, target, data=cm.checked_data(data), diff=lies[salt % len(lies)])


def _leap(target: Target, salt: int) -> Injection:
    """Make an update of the target whose seqno skips some, perhaps more than the window."""
    message = _updated(target, (Change("assign", (b"b",), salt),))
    seqno = min(message.seqno + 1 + salt % (2 * target.settings.window), LAST_SEQNO)
    return _forged(message, target, seqno=seqno)


def _last_seqno(target: Target, salt: int) -> Injection:
    """Make an update of the target with one of the largest valid seqnos."""
    message = _updated(target, (Change("assign", (b"b",), salt),))
    return _forged(message, target, seqno=LAST_SEQNO - salt % 3)


def _updated(target: Target, changes: tuple[Change, ...]) -> cm.Message:
    """Return the honest update of the target with these changes."""
    settings = target.settings
    data = cm.checked_data(changed(target.message.data, changes), reading=settings.reading)
    return cm.non_conflicting_update(
        target.message, data, window=settings.window, signing_key=settings.signing_key
    )


def _forged(message: cm.Message, target: Target, **lies: Any) -> Injection:
    """Return the message with some parts replaced, and signed if messages must be signed."""
    parts = {
        "seqno": message.seqno,
        "data": message.data,
        "lagged": message.lagged,
        "diff": message.diff,
        "unknown": message.unknown,
        "signing_key": target.settings.signing_key,
        **lies,
    }
    return Injection(sealed(cm.make_message(**parts).encoded, target.settings), "forged")


def sealed(plaintext: bytes, settings: cm.Settings) -> bytes:
    """Return the stored form of a plaintext under the settings of a client."""
    return cm.encrypt(
        plaintext, settings.encryption_key, reading=settings.reading, domain=settings.domain
    )


INJECTIONS: Final[dict[str, Callable[[Target, int], Injection]]] = {
    "again": _again,
    "other-nonce": _other_nonce,
    "outsider": _outsider,
    "newer-version": _newer_version,
    "signed-copy": _signed_copy,
    "bad-ciphertext": _bad_ciphertext,
    "bad-plaintext": _bad_plaintext,
    "bad-signature": _bad_signature,
    "forged-rows": _forged_rows,
    "forged-diff": _forged_diff,
    "leap": _leap,
    "last-seqno": _last_seqno,
}
"""Every kind of injection by its name."""
