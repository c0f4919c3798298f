//! A client's state of one abstract file, and its observations in other directories.

use std::collections::BTreeMap;

use super::folder::{Link, Version};
use super::snapshots::Capability;
use super::version_dag::Dag;
use crate::json::Text;

/// A version of another client that is held as a conflict.
#[derive(Debug, Clone)]
pub struct Held {
    pub version: Version,
    /// The content of the conflict file; none for a deletion.
    pub content: Option<Vec<u8>>,
}

/// What was seen at a path in another client's directory.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The version that was last linked there.
    pub version: Version,
    /// Whether it was still linked at the last poll.
    pub linked: bool,
    /// Whether a version with content was seen, and which deletions, since the looking client last
    /// gave up a deletion.
    pub content_since: bool,
    pub deletions_since: Vec<Version>,
}

/// An overwrite of which only the local file is done (CD-OVERWRITE-INTERRUPTED).
#[derive(Debug, Clone)]
pub struct Begun {
    pub other: Text,
    pub link: Link,
    /// The cache with what was fetched.
    pub cache: Dag<Capability>,
}

/// A client's state of one abstract file.
#[derive(Debug, Default, Clone)]
pub struct LocalFile {
    /// The content on the disk; none if the file is deleted.
    pub content: Option<Vec<u8>>,
    pub version: Option<Version>,
    /// Whether the current version is a deletion.
    pub deleted: bool,
    /// By the other client's nickname.
    pub conflicts: BTreeMap<Text, Held>,
    /// By the other client's nickname.
    pub seen: BTreeMap<Text, Seen>,
    /// Whether the client has given up a deletion of the file for a later version.
    pub gave_up_deletion: bool,
    pub cache: Dag<Capability>,
    /// What was done to the file and is not uploaded yet, if anything: the versions of the conflict
    /// files that went away, by client.
    pub waiting: Option<Vec<(Text, Version)>>,
    pub begun: Option<Begun>,
}

impl Seen {
    /// Whether the other client is known to have a deletion (CD-DELETE-DROP-LINK), where the
    /// looking client has given up an earlier one or not.
    pub fn has(&self, deletion: &Version, gave_up: bool) -> bool {
        if self.linked {
            return self.version.is(deletion);
        }
        let seen = || self.deletions_since.iter().any(|seen| seen.is(deletion));
        !gave_up || self.content_since || seen()
    }
}

impl LocalFile {
    /// Whether the client has had the file.
    pub fn was_there(&self) -> bool {
        self.version.is_some() || self.waiting.is_some()
    }

    /// Keep nothing of another client.
    pub fn forget(&mut self, other: &Text) {
        self.conflicts.remove(other);
        self.seen.remove(other);
    }

    /// Make a version the current one.
    pub fn become_version(&mut self, version: Version, deleted: bool) {
        if self.deleted {
            self.gave_up_deletion = true;
            for seen in self.seen.values_mut() {
                seen.content_since = false;
                seen.deletions_since.clear();
            }
        }
        self.version = Some(version);
        self.deleted = deleted;
    }

    /// Remember what another client links.
    pub fn see(&mut self, other: &Text, link: &Link) {
        let version = link.version.clone();
        let seen = self.seen.entry(other.clone()).or_insert_with(|| Seen {
            version: version.clone(),
            linked: true,
            content_since: false,
            deletions_since: Vec::new(),
        });
        seen.linked = true;
        match link.content {
            Some(_) => seen.content_since = true,
            None => seen.deletions_since.push(version.clone()),
        }
        seen.version = version;
    }
}
