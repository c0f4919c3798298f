//! Users' changes to their files: edit, delete, rename, resolve, offline or not. Sections
//! "Resolution", "Deletion and garbage", "Local merge" and "Being offline".

use std::collections::BTreeMap;

use super::action_steps::{Step, Upload};
use super::conflict_files::{held_versions, parted};
use super::definitions::check_path;
use super::folder::{in_the_way, Design, Folder, Link, Version};
use super::local_file::LocalFile;
use super::snapshots::{content_capability, Capability, Snapshot};
use super::version_maps::{resolved, uploaded, VersionMap};
use crate::failure::{refused, Outcome};
use crate::json::Text;

impl Folder {
    pub fn edit(&mut self, nickname: &Text, name: &Text, content: &[u8]) -> Outcome<()> {
        if parted(name).is_some() {
            return self.touch(nickname, name, content);
        }
        check_path(name)?;
        self.check_writable(nickname, name)?;
        self.change(nickname, name, Some(content.to_vec()), BTreeMap::new())?;
        Ok(())
    }

    /// Write into a conflict file (CD-CONFLICT-FILE-UNTRACKED).
    fn touch(&mut self, nickname: &Text, name: &Text, content: &[u8]) -> Outcome<()> {
        let (path, clients) = self.conflict_file(nickname, name)?;
        let file = self.file(nickname, &path)?;
        for client in clients {
            if let Some(held) = file.conflicts.get_mut(&client) {
                held.content = Some(content.to_vec());
            }
        }
        Ok(())
    }

    pub fn delete(&mut self, nickname: &Text, name: &Text) -> Outcome<()> {
        if parted(name).is_some() {
            let (path, clients) = self.conflict_file(nickname, name)?;
            return self.resolve(nickname, &path, &clients, None);
        }
        check_path(name)?;
        if self.content(nickname, name)?.is_none() {
            return refused("no-file");
        }
        self.change(nickname, name, None, BTreeMap::new())?;
        Ok(())
    }

    pub fn undelete(&mut self, nickname: &Text, path: &Text, content: &[u8]) -> Outcome<()> {
        check_path(path)?;
        match self.client(nickname)?.files.get(path) {
            Some(file) if file.content.is_none() && file.was_there() => {}
            _ => return refused("not-deleted"),
        }
        self.check_writable(nickname, path)?;
        self.change(nickname, path, Some(content.to_vec()), BTreeMap::new())?;
        Ok(())
    }

    /// CD-RENAME, CD-RESOLVE-RENAME
    pub fn rename(&mut self, nickname: &Text, name: &Text, to: &Text) -> Outcome<()> {
        check_path(to)?;
        let Some((path, _)) = parted(name) else {
            check_path(name)?;
            let Some(content) = self.content(nickname, name)? else {
                return refused("no-file");
            };
            self.check_free(nickname, to)?;
            self.check_writable(nickname, to)?;
            self.change(nickname, name, None, BTreeMap::new())?;
            self.change(nickname, to, Some(content), BTreeMap::new())?;
            return Ok(());
        };
        let (_, clients) = self.conflict_file(nickname, name)?;
        self.check_writable(nickname, to)?;
        let content = self.conflict_content(nickname, &path, &clients)?;
        if *to == path {
            return self.resolve(nickname, &path, &clients, content);
        }
        self.check_free(nickname, to)?;
        let own = self.content(nickname, &path)?;
        let removed = self.remove_conflicts(nickname, &path, &clients)?;
        self.change(nickname, &path, own, removed)?;
        self.change(nickname, to, content, BTreeMap::new())?;
        Ok(())
    }

    /// Resolve conflicts with some clients, with new content or the content of the local file.
    pub fn resolve(
        &mut self,
        nickname: &Text,
        path: &Text,
        others: &[Text],
        content: Option<Vec<u8>>,
    ) -> Outcome<()> {
        check_path(path)?;
        let own = self.content(nickname, path)?;
        if content.is_some() {
            self.check_writable(nickname, path)?;
        }
        let removed = self.remove_conflicts(nickname, path, others)?;
        self.change(nickname, path, content.or(own), removed)?;
        Ok(())
    }

    /// Remove conflict files; the clients of a shared file are removed together.
    fn remove_conflicts(
        &mut self,
        nickname: &Text,
        path: &Text,
        others: &[Text],
    ) -> Outcome<BTreeMap<Text, Version>> {
        if others.is_empty() {
            return refused("no-conflict");
        }
        let mut file = self.take(nickname, path)?;
        let mut removed = BTreeMap::new();
        for other in others {
            if !file.conflicts.contains_key(other) {
                return refused("no-conflict");
            }
            let sharing = self.sharing(&file, other);
            removed.extend(held_versions(&file, &sharing));
        }
        file.conflicts
            .retain(|other, _| !removed.contains_key(other));
        self.put(nickname, path, file)?;
        Ok(removed)
    }

    /// The path and the clients of an existing conflict file.
    fn conflict_file(&mut self, nickname: &Text, name: &Text) -> Outcome<(Text, Vec<Text>)> {
        let Some((path, _)) = parted(name) else {
            return refused("bad-path");
        };
        self.client(nickname)?;
        let file = self
            .clients
            .get(nickname)
            .and_then(|client| client.files.get(&path));
        let found = file.and_then(|file| {
            let mut files = self.conflict_files(&path, file).into_iter();
            files.find(|each| each.name == *name && each.content.is_some())
        });
        match found {
            Some(each) => Ok((path, each.clients)),
            None => refused("no-file"),
        }
    }

    fn conflict_content(
        &mut self,
        nickname: &Text,
        path: &Text,
        clients: &[Text],
    ) -> Outcome<Option<Vec<u8>>> {
        let file = self.file(nickname, path)?;
        let held = clients
            .first()
            .and_then(|client| file.conflicts.get(client));
        Ok(held.and_then(|held| held.content.clone()))
    }

    fn file(&mut self, nickname: &Text, path: &Text) -> Outcome<&mut LocalFile> {
        match self.client(nickname)?.files.get_mut(path) {
            Some(file) => Ok(file),
            None => refused("no-file"),
        }
    }

    fn content(&mut self, nickname: &Text, path: &Text) -> Outcome<Option<Vec<u8>>> {
        let file = self.client(nickname)?.files.get(path);
        Ok(file.and_then(|file| file.content.clone()))
    }

    fn check_free(&mut self, nickname: &Text, path: &Text) -> Outcome<()> {
        match self.content(nickname, path)? {
            Some(_) => refused("file-exists"),
            None => Ok(()),
        }
    }

    pub fn go_offline(&mut self, nickname: &Text) -> Outcome<()> {
        self.client(nickname)?.online = false;
        Ok(())
    }

    /// CD-OFFLINE-ONE-UPLOAD, CD-OVERWRITE-INTERRUPTED
    pub fn come_back(&mut self, nickname: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        if client.online {
            return Ok(());
        }
        client.online = true;
        self.finish_begun(nickname)?;
        self.upload_changes(nickname)
    }

    /// Upload what waits, one version for each file.
    pub fn upload_changes(&mut self, nickname: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        if !client.online {
            return Ok(());
        }
        let paths: Vec<Text> = client.files.keys().cloned().collect();
        for path in paths {
            let mut file = self.take(nickname, &path)?;
            if file.waiting.is_some() {
                self.upload(nickname, &path, &mut file)?;
            }
            self.put(nickname, &path, file)?;
        }
        Ok(())
    }

    /// A change that the client does not notice yet (CD-OVERWRITE-UNSAVED).
    pub fn change_unnoticed(
        &mut self,
        nickname: &Text,
        path: &Text,
        content: Option<Vec<u8>>,
    ) -> Outcome<()> {
        check_path(path)?;
        match content {
            Some(_) => self.check_writable(nickname, path)?,
            None if self.content(nickname, path)?.is_none() => return refused("no-file"),
            None => {}
        }
        let mut file = self.take(nickname, path)?;
        file.content = content;
        file.waiting.get_or_insert_default();
        self.put(nickname, path, file)
    }

    /// An edit whose snapshot has a signature with one changed bit.
    pub fn forge(&mut self, nickname: &Text, path: &Text, content: &[u8]) -> Outcome<()> {
        let signs = self.design == Design::Snapshots;
        let client = self.client(nickname)?;
        if !signs || client.signing_key.is_none() {
            return refused("bad-key");
        }
        client.forges = true;
        let edited = self.edit(nickname, path, content);
        self.client(nickname)?.forges = false;
        edited
    }

    /// CD-SET-BACK
    pub fn back_up(&mut self, nickname: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        client.backup = Some(client.files.clone());
        Ok(())
    }

    /// CD-SET-BACK
    pub fn set_back(&mut self, nickname: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        let Some(mut files) = client.backup.clone() else {
            return refused("no-backup");
        };
        let subscriptions = &client.subscriptions;
        for file in files.values_mut() {
            file.seen.retain(|other, _| subscriptions.contains(other));
            file.conflicts
                .retain(|other, _| subscriptions.contains(other));
        }
        client.files = files;
        match client.online {
            true => self.finish_begun(nickname),
            false => Ok(()),
        }
    }

    fn check_writable(&mut self, nickname: &Text, name: &Text) -> Outcome<()> {
        match self.client(nickname)?.is_blocked(name) {
            true => refused("path-blocked"),
            false => Ok(()),
        }
    }

    /// CD-LOCAL-MERGE-ROOTS
    pub fn join(&mut self, nickname: &Text, files: &BTreeMap<Text, Vec<u8>>) -> Outcome<()> {
        for path in files.keys() {
            check_path(path)?;
            if files.keys().any(|other| in_the_way(other, path)) {
                return refused("path-blocked");
            }
        }
        self.add_client(nickname, None)?;
        for (path, content) in files {
            self.change(nickname, path, Some(content.clone()), BTreeMap::new())?;
        }
        Ok(())
    }

    /// Give a file new content and let the versions of removed conflict files be followed; upload
    /// that now, or when the client is back.
    fn change(
        &mut self,
        nickname: &Text,
        path: &Text,
        content: Option<Vec<u8>>,
        removed: BTreeMap<Text, Version>,
    ) -> Outcome<()> {
        let online = self.client(nickname)?.online;
        let mut file = self.take(nickname, path)?;
        file.content = content;
        file.waiting.get_or_insert_default().extend(removed);
        if online {
            self.upload(nickname, path, &mut file)?;
        }
        self.put(nickname, path, file)
    }

    /// Upload a new version of a file, which follows the current one and those removed; nothing if
    /// the file came and went (CD-UNDELETE-OFFLINE).
    fn upload(&mut self, nickname: &Text, path: &Text, file: &mut LocalFile) -> Outcome<()> {
        let removed = file.waiting.take().unwrap_or_default();
        if file.version.is_none() && file.content.is_none() && removed.is_empty() {
            return Ok(());
        }
        self.note(|| {
            let removed = removed.iter().map(|(_, version)| version);
            Step::Upload(Upload {
                client: nickname.clone(),
                path: path.clone(),
                resolves: removed.len() > 0,
                follows: file.version.iter().chain(removed).cloned().collect(),
                content: file.content.clone(),
            })
        });
        self.operations.directory_updates = 1;
        let content = file.content.as_ref().map(|content| {
            let capability = content_capability(content);
            self.grid.contents.insert(capability, content.clone());
            self.operations.content_uploads += 1;
            capability
        });
        let version = match self.design {
            Design::Snapshots => self.new_snapshot(nickname, file, content, &removed)?,
            Design::VersionMaps => {
                let current = match &file.version {
                    Some(Version::Map(map)) => map.clone(),
                    _ => VersionMap::new(),
                };
                let maps = removed
                    .into_iter()
                    .filter_map(|(name, version)| match version {
                        Version::Map(map) => Some((name, map)),
                        Version::Snapshot(_) => None,
                    });
                let local = resolved(&current, &maps.collect(), self.reading);
                Version::Map(uploaded(&local, nickname)?)
            }
        };
        file.become_version(version.clone(), content.is_none());
        self.drop_followed(file);
        Folder::purge(file);
        self.link(nickname, path, Link { version, content });
        Ok(())
    }

    /// CD-SNAPSHOT-EDIT, CD-RESOLVE-PARENTS
    fn new_snapshot(
        &mut self,
        nickname: &Text,
        file: &mut LocalFile,
        content: Option<Capability>,
        removed: &[(Text, Version)],
    ) -> Outcome<Version> {
        let capability = |version: &Version| match version {
            Version::Snapshot(capability) => Some(*capability),
            Version::Map(_) => None,
        };
        let versions = removed.iter().map(|(_, version)| version);
        let mut followed: Vec<Capability> = versions.filter_map(capability).collect();
        followed.sort_unstable();
        followed.dedup();
        let current = file.version.as_ref().and_then(capability);
        followed.retain(|each| Some(*each) != current);
        let parents: Vec<Capability> = current.into_iter().chain(followed).collect();
        let mut snapshot = Snapshot::new(content, parents)?;
        if let Some(seed) = self.client(nickname)?.signing_key {
            snapshot = snapshot.signed(&seed);
        }
        let forges = self.client(nickname)?.forges;
        if let Some(byte) = snapshot.signature.iter_mut().flatten().next() {
            *byte ^= u8::from(forges);
        }
        let made = self.store(&snapshot);
        if forges {
            self.grid.forged.insert(made);
        }
        self.operations.snapshot_uploads += 1;
        file.cache.insert(made, snapshot.parents);
        Ok(Version::Snapshot(made))
    }
}
