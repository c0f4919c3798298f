"""Readings: how the open and contradictory points of the document are taken.

A reading is one value with a field for each choice point. It is passed down to the functions that
need it, so that a choice shows where it is made. Two readings exist: `DOCUMENT` takes the document
literally and mends it with the least change where it cannot be followed; `LIBSESSION` does what the
deployed C++ library libsession-util does.
"""

from __future__ import annotations

from typing import Final, Literal

from attrs import frozen

from rejoin.config_merge.errors import ConfigMergeError


@frozen
class Reading:
    """One choice for every point that the document leaves open; the defaults are `DOCUMENT`.

    replay_cutoff: a merge replays no lagged row with a seqno below newseqno - N. Otherwise it
        replays every row that a surviving message carries.
    missing_set_diff_target: what a set diff does where its source has no set at that key: "apply"
        it to the current data, or "erase" the key.
    missing_dict_diff_target: what a dict diff does where its source has no dict at that key:
        "recurse" with an empty source, or "erase" the key.
    type_mismatch_removal_only: what a set or dict diff that only removes does to a current value of
        another kind: "keep" it, or "replace" it by an empty set or dict.
    prune_after_each_entry: sets and dicts left empty go after each entry of the replay set.
        Otherwise once, at the end of the merge.
    set_diff_overlap: an element in both lists of a set diff is "invalid", or is added and then
        removed ("add-then-remove").
    empty_nested_diffs: an empty dict diff below the root, and a set diff with two empty lists, are
        "invalid" or "accepted".
    unknown_keys_on_merge: a merge keeps the unknown top-level keys of the "highest" message, or
        will "drop" them all.
    require_diff_fields: `<` and `=` must be there. Otherwise each may be missing where a later key
        follows.
    enforce_limits: keys of more than 128 and strings of more than 4096 bytes are invalid.
    strict_encoding: only canonical integers and string lengths, and no bytes after the final `e`.
    check_expired_lagged_rows: rows older than the message's own window are checked before they are
        left out. Otherwise only their seqno is read.
    first_message_lags_zero: the first message of all carries a row for an empty message of seqno 0.
    nonce_domain_separated: the encryption key and the key of the nonce are derived with a domain.

    Source: every section; the fields are the choice points
    """

    name: str = "document"
    replay_cutoff: bool = True
    missing_set_diff_target: Literal["apply", "erase"] = "apply"
    missing_dict_diff_target: Literal["recurse", "erase"] = "recurse"
    type_mismatch_removal_only: Literal["keep", "replace"] = "keep"
    prune_after_each_entry: bool = True
    set_diff_overlap: Literal["invalid", "add-then-remove"] = "invalid"
    empty_nested_diffs: Literal["invalid", "accepted"] = "invalid"
    unknown_keys_on_merge: Literal["highest", "drop"] = "highest"
    require_diff_fields: bool = True
    enforce_limits: bool = True
    strict_encoding: bool = True
    check_expired_lagged_rows: bool = True
    first_message_lags_zero: bool = False
    nonce_domain_separated: bool = False

    @classmethod
    def named(cls, name: str) -> Reading:
        """Return the reading of that name.

        Errors: `ConfigMergeError` with "unknown-reading".
        """
        for reading in READINGS:
            if reading.name == name:
                return reading
        known = ", ".join(reading.name for reading in READINGS)
        raise ConfigMergeError(
            "unknown-reading", f"no reading is called {name!r}; there are {known}"
        )


DOCUMENT: Final = Reading()
"""The document, literally wherever it speaks."""

LIBSESSION: Final = Reading(
    name="libsession",
    replay_cutoff=False,
    missing_set_diff_target="erase",
    missing_dict_diff_target="erase",
    type_mismatch_removal_only="replace",
    prune_after_each_entry=False,
    set_diff_overlap="add-then-remove",
    empty_nested_diffs="accepted",
    unknown_keys_on_merge="drop",
    require_diff_fields=False,
    enforce_limits=False,
    strict_encoding=False,
    check_expired_lagged_rows=False,
    first_message_lags_zero=True,
    nonce_domain_separated=True,
)
"""What the deployed library does."""

READINGS: Final = (DOCUMENT, LIBSESSION)
"""The readings that have names."""
