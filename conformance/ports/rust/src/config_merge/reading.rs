//! The choices on which the readings differ. Section "Fields of a reading" of the errata.

use crate::failure::{malformed, Outcome};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// CM-E02: rows below newseqno - N are not replayed.
    pub replay_cutoff: bool,
    /// CM-E04: a set diff whose key the source lacks erases the key.
    pub missing_set_diff_target_erases: bool,
    /// CM-E05: a dict diff whose key the source lacks erases the key.
    pub missing_dict_diff_target_erases: bool,
    /// CM-E07
    pub prune_after_each_entry: bool,
    /// CM-E10
    pub set_diff_overlap_invalid: bool,
    /// CM-E11
    pub unknown_keys_kept_on_merge: bool,
    /// CM-E12
    pub require_diff_fields: bool,
    /// CM-E13
    pub enforce_limits: bool,
    /// CM-E14
    pub strict_encoding: bool,
    /// CM-E15
    pub check_expired_lagged_rows: bool,
    /// CM-E66
    pub negative_row_seqnos_invalid: bool,
    /// CM-E67: a list or dict that is alone in a list of a set diff makes the diff invalid.
    pub check_lone_elements: bool,
    /// CM-E68: leading zeros in the length of the key `~` are signed with the bytes before them.
    pub signature_key_padding_signed: bool,
    /// CM-E69: a client finds the stored form of its head by a place that counts valid messages.
    pub head_form_by_place: bool,
    /// CM-E72: a resolve takes an unpushed merge as if it were stored.
    pub unpushed_merge_added: bool,
    /// CM-E19
    pub nonce_domain_separated: bool,
    /// CM-E21: a diff that only removes keeps a value of another kind.
    pub type_mismatch_removal_keeps: bool,
    /// CM-E37
    pub first_message_lags_zero: bool,
    /// CM-E39
    pub empty_nested_diffs_invalid: bool,
}

pub const DOCUMENT: Reading = Reading {
    replay_cutoff: true,
    missing_set_diff_target_erases: false,
    missing_dict_diff_target_erases: false,
    prune_after_each_entry: true,
    set_diff_overlap_invalid: true,
    unknown_keys_kept_on_merge: true,
    require_diff_fields: true,
    enforce_limits: true,
    strict_encoding: true,
    check_expired_lagged_rows: true,
    negative_row_seqnos_invalid: true,
    check_lone_elements: true,
    signature_key_padding_signed: false,
    head_form_by_place: false,
    unpushed_merge_added: false,
    nonce_domain_separated: false,
    type_mismatch_removal_keeps: true,
    first_message_lags_zero: false,
    empty_nested_diffs_invalid: true,
};

pub const LIBSESSION: Reading = Reading {
    replay_cutoff: false,
    missing_set_diff_target_erases: true,
    missing_dict_diff_target_erases: true,
    prune_after_each_entry: false,
    set_diff_overlap_invalid: false,
    unknown_keys_kept_on_merge: false,
    require_diff_fields: false,
    enforce_limits: false,
    strict_encoding: false,
    check_expired_lagged_rows: false,
    negative_row_seqnos_invalid: false,
    check_lone_elements: false,
    signature_key_padding_signed: true,
    head_form_by_place: true,
    unpushed_merge_added: true,
    nonce_domain_separated: true,
    type_mismatch_removal_keeps: false,
    first_message_lags_zero: true,
    empty_nested_diffs_invalid: false,
};

/// The reading of that name; the default one if none is named.
pub fn named(name: Option<&[u8]>) -> Outcome<&'static Reading> {
    match name {
        None | Some(b"document") => Ok(&DOCUMENT),
        Some(b"libsession") => Ok(&LIBSESSION),
        Some(_) => malformed("unknown reading"),
    }
}
