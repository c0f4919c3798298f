//! The choices on which the readings differ. Section "Fields of a reading" of the errata.

use crate::failure::{malformed, Outcome};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// CD-E01: a map follows another one if no entry is smaller and one is larger; else if
    /// every entry is larger.
    pub no_entry_smaller: bool,
    /// CD-E02, CD-E04: a version that ours follows is stale; else a conflict.
    pub followed_is_stale: bool,
    /// CD-E39: an equal map is the same version; else it is a conflict.
    pub equal_map_is_same: bool,
    /// CD-E03: a resolution joins the whole map; else it copies one entry.
    pub resolves_with_whole_map: bool,
    /// CD-E05: a missing entry of a map counts as zero.
    pub missing_entry_is_zero: bool,
    /// CD-E05: an overwrite adds the client's own entry, zero, to the local version map.
    pub own_entry_of_zero: bool,
    /// CD-E06: conflicts of version maps end automatically; else only the user ends them.
    pub map_conflicts_end: bool,
    /// CD-E08: one conflict file for each version; else one for each client.
    pub conflict_file_per_version: bool,
}

pub const REPAIRED: Reading = Reading {
    no_entry_smaller: true,
    followed_is_stale: true,
    equal_map_is_same: true,
    resolves_with_whole_map: true,
    missing_entry_is_zero: true,
    own_entry_of_zero: false,
    map_conflicts_end: true,
    conflict_file_per_version: false,
};

pub const LITERAL: Reading = Reading {
    no_entry_smaller: false,
    followed_is_stale: false,
    equal_map_is_same: false,
    resolves_with_whole_map: false,
    missing_entry_is_zero: false,
    own_entry_of_zero: true,
    map_conflicts_end: false,
    conflict_file_per_version: true,
};

/// The reading of that name; the default one if none is named.
pub fn named(name: Option<&[u8]>) -> Outcome<&'static Reading> {
    match name {
        None | Some(b"repaired") => Ok(&REPAIRED),
        Some(b"literal") => Ok(&LITERAL),
        Some(_) => malformed("unknown reading"),
    }
}
