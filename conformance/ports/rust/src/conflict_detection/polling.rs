//! Polls. Sections "Directories and polling" and "Overwrite and conflict".

use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{check_path, Classification};
use super::folder::{Folder, Link, Version};
use super::local_file::{Held, LocalFile};
use super::overwrite_and_conflict::{classify_snapshot, fetched};
use super::snapshots::content_capability;
use super::version_maps::{classify_version_map, overwritten};
use crate::failure::{refused, Outcome};
use crate::json::Text;

impl Folder {
    /// Poll one path of another client's directory.
    pub fn poll(
        &mut self,
        nickname: &Text,
        other: &Text,
        path: &Text,
    ) -> Outcome<Option<Classification>> {
        self.check_poll(nickname, other)?;
        check_path(path)?;
        if !self.client(nickname)?.online {
            return Ok(None);
        }
        self.operations.directory_reads += 1;
        let (found, writes) = self.look(nickname, other, path)?;
        self.operations.directory_updates += i128::from(writes);
        Ok(found)
    }

    /// Poll all paths of another client's directory, with one update of the client's own directory.
    pub fn poll_all(
        &mut self,
        nickname: &Text,
        other: &Text,
    ) -> Outcome<BTreeMap<Text, Classification>> {
        self.check_poll(nickname, other)?;
        let mut classifications = BTreeMap::new();
        let client = self.client(nickname)?;
        if !client.online {
            return Ok(classifications);
        }
        let mut paths: BTreeSet<Text> = client.files.keys().cloned().collect();
        if let Some(directory) = self.grid.directories.get(other) {
            paths.extend(directory.keys().cloned());
        }
        self.operations.directory_reads += 1;
        let mut writes_any = false;
        for path in paths {
            let (found, writes) = self.look(nickname, other, &path)?;
            writes_any |= writes;
            classifications.extend(found.map(|found| (path, found)));
        }
        self.operations.directory_updates += i128::from(writes_any);
        Ok(classifications)
    }

    /// CD-POLL-SUBSCRIBED
    fn check_poll(&mut self, nickname: &Text, other: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        if nickname == other {
            return refused("own-directory");
        }
        match client.subscriptions.contains(other) {
            true => Ok(()),
            false => refused("not-subscribed"),
        }
    }

    /// Apply the finding of a poll; return it, and whether the client's directory changed.
    fn look(
        &mut self,
        nickname: &Text,
        other: &Text,
        path: &Text,
    ) -> Outcome<(Option<Classification>, bool)> {
        let link = self.linked(other, path).cloned();
        let known = self.client(nickname)?.files.contains_key(path);
        let Some(link) = link else {
            if known {
                let mut file = self.take(nickname, path)?;
                if let Some(seen) = file.seen.get_mut(other) {
                    seen.linked = false;
                }
                let dropped = self.drop_link_to_deletion(nickname, path, &file)?;
                self.put(nickname, path, file)?;
                return Ok((None, dropped));
            }
            return Ok((None, false));
        };
        let mut file = self.take(nickname, path)?;
        let found = self.classify(&mut file, &link);
        if found == Classification::Overwrite {
            self.overwrite(nickname, path, &mut file, &link);
        }
        file.see(other, &link);
        let writes = match found {
            Classification::Overwrite => true,
            Classification::Conflict => {
                self.hold(other, &mut file, &link);
                self.drop_link_to_deletion(nickname, path, &file)?
            }
            Classification::Same | Classification::Stale => {
                self.drop_link_to_deletion(nickname, path, &file)?
            }
        };
        // CD-CONFLICT-FILE-PER-VERSION: a client with another version is removed from the name.
        if found != Classification::Conflict && self.shares_conflict_files() {
            file.conflicts.remove(other);
        }
        Folder::purge(&mut file);
        self.put(nickname, path, file)?;
        Ok((Some(found), writes))
    }

    /// Remove a file from a client temporarily.
    pub fn take(&mut self, nickname: &Text, path: &Text) -> Outcome<LocalFile> {
        let client = self.client(nickname)?;
        Ok(client.files.remove(path).unwrap_or_default())
    }

    pub fn put(&mut self, nickname: &Text, path: &Text, file: LocalFile) -> Outcome<()> {
        self.client(nickname)?.files.insert(path.clone(), file);
        Ok(())
    }

    /// Classify the linked version; for snapshots, after the walk, which adds to the cache.
    fn classify(&mut self, file: &mut LocalFile, link: &Link) -> Classification {
        match (&file.version, &link.version) {
            (local, Version::Map(remote)) => {
                let local = match local {
                    Some(Version::Map(map)) => Some(map),
                    _ => None,
                };
                classify_version_map(local, remote, self.reading)
            }
            (local, Version::Snapshot(remote)) => {
                let local = match local {
                    Some(Version::Snapshot(capability)) => Some(capability),
                    _ => None,
                };
                let cached = file.cache.keys().copied().collect();
                for snapshot in fetched(&self.grid.snapshots, &cached, local, remote) {
                    self.operations.snapshot_downloads += 1;
                    let parents = self.grid.snapshots.get(&snapshot).cloned();
                    file.cache.insert(snapshot, parents.unwrap_or_default());
                }
                classify_snapshot(&file.cache, local, remote, self.reading)
            }
        }
    }

    /// CD-OVERWRITE-APPLY, CD-LINK-DOWNLOAD
    fn overwrite(&mut self, nickname: &Text, path: &Text, file: &mut LocalFile, link: &Link) {
        file.content = self.download(file, link);
        let version = match &link.version {
            Version::Map(map) => Version::Map(overwritten(map, nickname, self.reading)),
            Version::Snapshot(capability) => Version::Snapshot(*capability),
        };
        file.become_version(version, link.content.is_none());
        self.drop_followed(file);
        self.link(nickname, path, link.clone());
    }

    /// CD-CONFLICT-APPLY
    fn hold(&mut self, other: &Text, file: &mut LocalFile, link: &Link) {
        let held = file.conflicts.get(other);
        if held.is_some_and(|held| held.version.is(&link.version)) {
            return;
        }
        let sharing = file
            .conflicts
            .values()
            .find(|held| self.shares_conflict_files() && held.version.is(&link.version));
        let content = match sharing {
            Some(held) => held.content.clone(),
            None => self.download(file, link),
        };
        let version = link.version.clone();
        file.conflicts
            .insert(other.clone(), Held { version, content });
    }

    /// The content of a version, fetched if it is not available locally (CD-COST-CONTENT-AT-HAND).
    fn download(&mut self, file: &LocalFile, link: &Link) -> Option<Vec<u8>> {
        let capability = link.content?;
        let held = file.conflicts.values().map(|held| &held.content);
        let at_hand = std::iter::once(&file.content)
            .chain(held)
            .flatten()
            .any(|content| content_capability(content) == capability);
        if !at_hand {
            self.operations.content_downloads += 1;
        }
        self.grid.contents.get(&capability).cloned()
    }

    /// CD-DELETE-DROP-LINK; returns whether a link was removed.
    fn drop_link_to_deletion(
        &mut self,
        nickname: &Text,
        path: &Text,
        file: &LocalFile,
    ) -> Outcome<bool> {
        let deletion = match self.linked(nickname, path) {
            Some(link) if link.content.is_none() => link.version.clone(),
            _ => return Ok(false),
        };
        let agreed = self.client(nickname)?.subscriptions.iter().all(|other| {
            let seen = file.seen.get(other);
            seen.is_some_and(|seen| seen.has(&deletion, file.gave_up_deletion))
        });
        if agreed {
            if let Some(directory) = self.grid.directories.get_mut(nickname) {
                directory.remove(path);
            }
        }
        Ok(agreed)
    }
}
