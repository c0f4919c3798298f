"""Readings: the choices on which the document is open or contradicts itself.

A reading is one value with a field for each choice. Callers pass it to the functions that need it,
so that each choice is visible in the function that makes it. There are two readings. `DOCUMENT`
follows the document literally and, if that is not possible, with the smallest change. `LIBSESSION`
follows the deployed C++ library libsession-util.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from attrs import field, frozen, validators

from rejoin.config_merge.errors import ConfigMergeError


@frozen(repr=False)
class Reading:
    """One choice for each open point of the document; the defaults are those of `DOCUMENT`.

    name: the name of the reading.
    replay_cutoff: a merge does not replay lagged rows whose seqno is below newseqno - N. If false,
        it replays every row within the window of a surviving message.
    missing_set_diff_target: if the source of a set diff has no set at that key, "apply" the diff to
        the current data, or "erase" the key.
    missing_dict_diff_target: if the source of a dict diff has no dict at that key, "recurse" with
        an empty source, or "erase" the key.
    type_mismatch_removal_only: if a set or dict diff that only removes meets a current value of
        another kind, "keep" the value, or "replace" it by an empty set or dict.
    prune_after_each_entry: remove empty sets and dicts after each entry of the replay set. If
        false, remove them once, at the end of the merge.
    set_diff_overlap: an element in both lists of a set diff is "invalid", or is added and then
        removed ("add-then-remove").
    empty_nested_diffs: an empty dict diff below the outermost dict, and a set diff with two empty
        lists, are "invalid" or "accepted".
    unknown_keys_on_merge: the unknown top-level keys of a merge are those of the "highest" message,
        or there are none ("drop").
    require_diff_fields: `<` and `=` must be present. If false, each may be missing if a key that
        sorts after it is present.
    enforce_limits: keys of more than 128 bytes and strings of more than 4096 bytes are invalid.
    strict_encoding: reject non-canonical integers and string lengths, and bytes after the final
        `e`.
    check_expired_lagged_rows: check rows that are older than the message's own window before they
        are left out. If false, read only their seqno, and find their end.
    negative_row_seqnos: a row within the window whose seqno is negative is "invalid" or "accepted".
    check_lone_elements: the only element of a list in a set diff must be an integer or a string. If
        false it may be a list or dict, which is carried on and has no effect on data.
    padded_signature_key: leading zeros in the length of the key `~` are "unsigned", or "signed"
        together with the bytes before them.
    first_message_lags_zero: the first message carries a row for an empty message of seqno 0.
    head_form: a client finds the stored form of its head by its "content". Or it looks at the place
        of the message in the list that it resolved, and counts only the valid messages before it
        ("valid-place"). Its next push then deletes the form at that place.
    unpushed_merge: a merge that a client has not pushed is "left-out" of the messages that its next
        resolve takes, or it is "added", as if it were stored.
    nonce_domain_separated: derive the encryption key and the key of the nonce with a domain.
    window: the N of every client and message, at least 1. If None, the N that the caller gives.

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
    negative_row_seqnos: Literal["invalid", "accepted"] = "invalid"
    check_lone_elements: bool = True
    padded_signature_key: Literal["unsigned", "signed"] = "unsigned"
    first_message_lags_zero: bool = False
    head_form: Literal["content", "valid-place"] = "content"
    unpushed_merge: Literal["left-out", "added"] = "left-out"
    nonce_domain_separated: bool = False
    window: int | None = field(default=None, validator=validators.optional(validators.ge(1)))

    def __repr__(self) -> str:
        return f"<Reading {self.name}>"

    @classmethod
    def named(cls, name: str) -> Reading:
        """Return the reading with this name.

        name: "document" or "libsession".
        Errors: `ConfigMergeError` with "unknown-reading".
        """
        if name not in READINGS:
            known = ", ".join(READINGS)
            raise ConfigMergeError(
                "unknown-reading", f"there is no reading {name!r}; choose one of: {known}"
            )
        return READINGS[name]


DOCUMENT: Final = Reading()
"""The default reading: follows the document literally, or else with the smallest change."""

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
    negative_row_seqnos="accepted",
    check_lone_elements=False,
    padded_signature_key="signed",
    first_message_lags_zero=True,
    head_form="valid-place",
    unpushed_merge="added",
    nonce_domain_separated=True,
)
"""The reading that follows the deployed library."""

READINGS: Final[Mapping[str, Reading]] = MappingProxyType(
    {reading.name: reading for reading in (DOCUMENT, LIBSESSION)}
)
"""Name -> reading; the default comes first."""
