//! Conflict files: their names, and when they are removed. Section "Conflict files".

use std::collections::{BTreeMap, BTreeSet};

use super::definitions::MARK;
use super::folder::{Design, Folder, Version};
use super::local_cache;
use super::local_file::LocalFile;
use super::version_dag;
use super::version_maps;
use crate::json::Text;

/// A conflict file: the clients whose versions it contains.
pub struct ConflictFile {
    pub name: Text,
    pub clients: Vec<Text>,
    /// None for a deletion, which has no file.
    pub content: Option<Vec<u8>>,
}

/// The path and the end of a conflict file's name; none for another name.
pub fn parted(name: &[u8]) -> Option<(Text, Text)> {
    let at = name.windows(MARK.len()).position(|window| window == MARK)?;
    Some((name[..at].to_vec(), name[at + MARK.len()..].to_vec()))
}

impl Folder {
    /// Whether clients with one version share a conflict file.
    pub fn shares_conflict_files(&self) -> bool {
        self.design == Design::Snapshots && self.reading.conflict_file_per_version
    }

    /// The conflicts that a file holds, by conflict file.
    pub fn conflict_files(&self, path: &[u8], file: &LocalFile) -> Vec<ConflictFile> {
        let mut files: Vec<(&Version, ConflictFile)> = Vec::new();
        for (nickname, held) in &file.conflicts {
            let shared = files
                .iter_mut()
                .find(|(version, _)| self.shares_conflict_files() && version.is(&held.version));
            match shared {
                Some((_, file)) => file.clients.push(nickname.clone()),
                None => {
                    let file = ConflictFile {
                        name: Text::new(),
                        clients: vec![nickname.clone()],
                        content: held.content.clone(),
                    };
                    files.push((&held.version, file));
                }
            }
        }
        let named = files.into_iter().map(|(_, file)| ConflictFile {
            name: [path, MARK, &file.clients.join(&b","[..])].concat(),
            ..file
        });
        named.collect()
    }

    /// The clients whose conflicts go away with that of one client.
    pub fn sharing(&self, file: &LocalFile, nickname: &Text) -> Vec<Text> {
        let files = self.conflict_files(b"", file);
        let found = files
            .into_iter()
            .find(|each| each.clients.contains(nickname));
        found.map(|each| each.clients).unwrap_or_default()
    }

    /// Remove the conflicts that the current version equals or follows (CD-CONFLICT-FILE-GONE,
    /// CD-MAP-CLEAN-UP). The cache has every snapshot between the current version and those held.
    pub fn drop_followed(&self, file: &mut LocalFile) {
        let Some(current) = file.version.clone() else {
            return;
        };
        let (reading, snapshots) = (self.reading, &file.cache);
        file.conflicts
            .retain(|_, held| match (&current, &held.version) {
                (Version::Snapshot(current), Version::Snapshot(held)) => {
                    current != held && !version_dag::follows(snapshots, current, held)
                }
                (Version::Map(current), Version::Map(held)) => {
                    !reading.map_conflicts_end
                        || !(version_maps::same(current, held)
                            || version_maps::follows(current, held, reading))
                }
                _ => true,
            });
    }

    /// Purge the cache of a file (CD-PURGE-WHEN).
    pub fn purge(file: &mut LocalFile) {
        // CD-PURGE-HELD
        let held = file.conflicts.values().map(|held| &held.version);
        let resolved = file.waiting.iter().flatten().map(|(_, version)| version);
        let currents = file
            .version
            .iter()
            .chain(file.seen.values().map(|seen| &seen.version))
            .chain(held)
            .chain(resolved)
            .filter_map(|version| match version {
                Version::Snapshot(capability) => Some(*capability),
                Version::Map(_) => None,
            })
            .collect::<BTreeSet<_>>();
        let kept = match file.version {
            Some(_) => local_cache::kept(&file.cache, &currents).snapshots,
            // CD-PURGE-NO-VERSION
            None => version_dag::past(&file.cache, currents),
        };
        file.cache.retain(|snapshot, _| kept.contains(snapshot));
    }
}

/// The versions of some clients that are held.
pub fn held_versions(file: &LocalFile, clients: &[Text]) -> BTreeMap<Text, Version> {
    let held = clients.iter().filter_map(|name| {
        let held = file.conflicts.get(name)?;
        Some((name.clone(), held.version.clone()))
    });
    held.collect()
}
