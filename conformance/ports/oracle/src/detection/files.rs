//! Files beside each other: their versions, and the conflict files that a user sees.

use std::collections::BTreeMap;

use rejoin_port::conflict_detection::definitions::MARK;
use rejoin_port::conflict_detection::folder::{Client, Folder, Version};
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::json::Text;

/// The versions that a file holds as conflicts: one for each conflict file, with its clients.
pub fn groups<'a>(folder: &Folder, file: &'a LocalFile) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for (nickname, held) in &file.conflicts {
        let shared = groups
            .iter_mut()
            .find(|group| folder.shares_conflict_files() && group.version.is(&held.version));
        match shared {
            Some(group) => group.clients.push(nickname),
            None => groups.push(Group {
                clients: vec![nickname],
                version: &held.version,
                content: &held.content,
            }),
        }
    }
    groups
}

/// A conflict file: the clients whose versions it holds, and the version.
pub struct Group<'a> {
    pub clients: Vec<&'a Text>,
    pub version: &'a Version,
    pub content: &'a Option<Vec<u8>>,
}

impl Group<'_> {
    pub fn is(&self, other: &Group) -> bool {
        self.clients == other.clients
            && equal(self.version, other.version)
            && self.content == other.content
    }
}

/// Whether two versions have the same entries, those of 0 too.
pub fn equal(one: &Version, other: &Version) -> bool {
    match (one, other) {
        (Version::Snapshot(one), Version::Snapshot(other)) => one == other,
        (Version::Map(one), Version::Map(other)) => one == other,
        _ => false,
    }
}

fn equal_or_none(one: &Option<Version>, other: &Option<Version>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => equal(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// Whether a step left a file its version.
pub fn keeps_version(before: &LocalFile, after: &LocalFile) -> bool {
    equal_or_none(&before.version, &after.version)
}

/// The files that a client's user sees.
pub fn local_files(folder: &Folder, client: &Client) -> BTreeMap<Text, Vec<u8>> {
    let mut files = BTreeMap::new();
    for (path, file) in &client.files {
        if let Some(content) = &file.content {
            files.insert(path.clone(), content.clone());
        }
        for group in groups(folder, file) {
            if let Some(content) = group.content {
                files.insert(conflict_file(path, &group), content.clone());
            }
        }
    }
    files
}

/// The path of the conflict file of a group.
pub fn conflict_file(path: &[u8], group: &Group) -> Text {
    let names: Vec<&[u8]> = group.clients.iter().map(|name| name.as_slice()).collect();
    [path, MARK, &names.join(&b","[..])].concat()
}
