//! Polls. Sections "Directories and polling" and "Overwrite and conflict".

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::action_steps::Step;
use super::definitions::{check_path, Classification, MARK};
use super::folder::{Folder, Link, Version};
use super::local_file::{Begun, Held, LocalFile};
use super::overwrite_and_conflict::{classify_snapshot, fetched};
use super::snapshots::{content_capability, Capability};
use super::version_dag::Dag;
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
        stops: bool,
    ) -> Outcome<Option<Classification>> {
        self.check_poll(nickname, other)?;
        check_path(path)?;
        if !self.client(nickname)?.online {
            return Ok(None);
        }
        self.operations.directory_reads += 1;
        let (found, writes) = self.look(nickname, other, path, stops)?;
        self.operations.directory_updates += i128::from(writes);
        if stops {
            self.client(nickname)?.online = false;
        }
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
            let (found, writes) = self.look(nickname, other, &path, false)?;
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
        let subscribed = client.subscriptions.contains(other);
        self.client(other)?;
        match subscribed {
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
        stops: bool,
    ) -> Outcome<(Option<Classification>, bool)> {
        let link = self.linked(other, path).cloned();
        let version = || link.as_ref().map(|link| link.version.clone());
        self.note(|| Step::Look(nickname.clone(), other.clone(), path.clone(), version()));
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
        let (mut found, mut cache) = self.classify(&file, &link)?;
        self.note(|| Step::Classify(found, file.version.is_none()));
        let client = self.client(nickname)?;
        let blocked = link.content.is_some() && client.is_blocked(path);
        if found == Classification::Overwrite && (file.waiting.is_some() || blocked) {
            found = Classification::Conflict;
            self.note(|| Step::Reclassify(file.waiting.is_some()));
        }
        let holds = found == Classification::Conflict || !file.conflicts.is_empty();
        if file.version.is_none() && holds {
            self.fetch_ancestors(&mut cache, &link)?;
        }
        if found == Classification::Overwrite {
            file.content = self.download(&file, &link)?;
            self.note(|| Step::Overwrite(file.content.clone()));
            let begun = Begun {
                other: other.clone(),
                link,
                cache,
            };
            match stops {
                true => file.begun = Some(begun),
                false => self.finish_overwrite(nickname, path, &mut file, begun)?,
            }
            self.put(nickname, path, file)?;
            return Ok((Some(found), !stops));
        }
        file.cache = cache;
        file.see(other, &link);
        if found == Classification::Conflict {
            let name = [path.as_slice(), MARK, other.as_slice()].concat();
            let writes = link.content.is_some() && !self.client(nickname)?.is_blocked(&name);
            self.hold(other, &mut file, &link, writes)?;
            let held = file.conflicts.get(other);
            self.note(|| Step::Hold(held.and_then(|held| held.content.clone())));
        }
        let writes = self.drop_link_to_deletion(nickname, path, &file)?;
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

    /// Classify what is linked; for snapshots, after the walk. Also gives the cache with what the
    /// walk fetched.
    fn classify(
        &mut self,
        file: &LocalFile,
        link: &Link,
    ) -> Outcome<(Classification, Dag<Capability>)> {
        let mut cache = file.cache.clone();
        let found = match (&file.version, &link.version) {
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
                let cached = cache.keys().copied().collect();
                let graph = self.stored(&cached);
                for snapshot in fetched(&graph, &cached, local, remote) {
                    self.operations.snapshot_downloads += 1;
                    if self.grid.forged.contains(&snapshot) {
                        return refused("bad-signature");
                    }
                    if self.grid.collected.contains(&snapshot) {
                        // CD-WALK-COLLECTED
                        if snapshot == *remote {
                            return refused("missing-object");
                        }
                        continue;
                    }
                    let parents = self.grid.snapshots.get(&snapshot).cloned();
                    cache.insert(snapshot, parents.unwrap_or_default());
                }
                self.note(|| {
                    let fetched = cache.keys().filter(|each| !cached.contains(*each));
                    let fetched: Vec<Capability> = fetched.copied().collect();
                    let clause = match (local, fetched.is_empty()) {
                        (None, _) => "CD-WALK-FIRST",
                        (_, true) => "CD-WALK-KNOWN",
                        (_, false) => "CD-WALK-STOP",
                    };
                    Step::Fetch(fetched, clause)
                });
                classify_snapshot(&cache, local, remote, self.reading)
            }
        };
        Ok((found, cache))
    }

    /// Fetch the ancestors of a version, up to cached ones (CD-WALK-HELD).
    fn fetch_ancestors(&mut self, cache: &mut Dag<Capability>, link: &Link) -> Outcome<()> {
        let Version::Snapshot(version) = &link.version else {
            return Ok(());
        };
        let mut waiting = cache.get(version).cloned().unwrap_or_default();
        let mut fetched = BTreeSet::new();
        while let Some(snapshot) = waiting.pop() {
            if cache.contains_key(&snapshot) || !fetched.insert(snapshot) {
                continue;
            }
            self.operations.snapshot_downloads += 1;
            if self.grid.forged.contains(&snapshot) {
                return refused("bad-signature");
            }
            if self.grid.collected.contains(&snapshot) {
                continue;
            }
            let parents = self.grid.snapshots.get(&snapshot).cloned();
            waiting.extend(parents.iter().flatten().copied());
            cache.insert(snapshot, parents.unwrap_or_default());
        }
        self.note(|| {
            let fetched = fetched.into_iter().filter(|each| cache.contains_key(each));
            Step::Fetch(fetched.collect(), "CD-WALK-HELD")
        });
        Ok(())
    }

    /// The graph that a walk can see: a collected snapshot has no parents (CD-WALK-COLLECTED).
    fn stored(&self, cached: &BTreeSet<Capability>) -> Cow<'_, Dag<Capability>> {
        if self.grid.collected.is_empty() {
            return Cow::Borrowed(&self.grid.snapshots);
        }
        let mut stored = self.grid.snapshots.clone();
        for collected in self.grid.collected.difference(cached) {
            stored.insert(*collected, Vec::new());
        }
        Cow::Owned(stored)
    }

    /// CD-OVERWRITE-INTERRUPTED: finish every overwrite during which the client stopped.
    pub fn finish_begun(&mut self, nickname: &Text) -> Outcome<()> {
        let paths: Vec<Text> = self.client(nickname)?.files.keys().cloned().collect();
        for path in paths {
            let mut file = self.take(nickname, &path)?;
            if let Some(begun) = file.begun.take() {
                self.finish_overwrite(nickname, &path, &mut file, begun)?;
                self.operations.directory_updates = 1;
            }
            self.put(nickname, &path, file)?;
        }
        Ok(())
    }

    /// CD-OVERWRITE-APPLY, CD-LINK-DOWNLOAD; the local file has its content already.
    fn finish_overwrite(
        &mut self,
        nickname: &Text,
        path: &Text,
        file: &mut LocalFile,
        begun: Begun,
    ) -> Outcome<()> {
        let link = &begun.link;
        file.cache = begun.cache;
        let version = match &link.version {
            Version::Map(map) => Version::Map(overwritten(map, nickname, self.reading)),
            Version::Snapshot(capability) => Version::Snapshot(*capability),
        };
        file.become_version(version, link.content.is_none());
        if self.shares_conflict_files() {
            file.conflicts.remove(&begun.other);
        }
        self.drop_followed(file);
        self.link(nickname, path, link.clone());
        if self.client(nickname)?.subscriptions.contains(&begun.other) {
            file.see(&begun.other, link);
        }
        Folder::purge(file);
        Ok(())
    }

    /// CD-CONFLICT-APPLY
    ///
    /// writes: whether the version has a content and its conflict file can be written.
    fn hold(
        &mut self,
        other: &Text,
        file: &mut LocalFile,
        link: &Link,
        writes: bool,
    ) -> Outcome<()> {
        let complete =
            |held: &&Held| held.version.is(&link.version) && (held.content.is_some() || !writes);
        if file.conflicts.get(other).as_ref().is_some_and(complete) {
            return Ok(());
        }
        let shares = self.shares_conflict_files();
        let sharing = file
            .conflicts
            .values()
            .find(|held| shares && complete(held));
        let content = match sharing {
            Some(held) => held.content.clone(),
            None if writes => self.download(file, link)?,
            None => None,
        };
        let version = link.version.clone();
        for held in file.conflicts.values_mut() {
            if shares && held.version.is(&version) && held.content.is_none() {
                held.content.clone_from(&content);
            }
        }
        file.conflicts
            .insert(other.clone(), Held { version, content });
        Ok(())
    }

    /// The content of a version, fetched if it is not available locally (CD-COST-CONTENT-AT-HAND).
    fn download(&mut self, file: &LocalFile, link: &Link) -> Outcome<Option<Vec<u8>>> {
        let Some(capability) = link.content else {
            return Ok(None);
        };
        let held = file.conflicts.values().map(|held| &held.content);
        let at_hand = std::iter::once(&file.content)
            .chain(held)
            .flatten()
            .find(|content| content_capability(content) == capability);
        if at_hand.is_some() {
            return Ok(at_hand.cloned());
        }
        self.operations.content_downloads += 1;
        match self.grid.contents.get(&capability) {
            Some(content) => Ok(Some(content.clone())),
            None => refused("missing-object"),
        }
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
        if !file.version.as_ref().is_some_and(|ours| ours.is(&deletion)) {
            return Ok(false);
        }
        let agreed = self.client(nickname)?.subscriptions.iter().all(|other| {
            let seen = file.seen.get(other);
            seen.is_some_and(|seen| seen.has(&deletion, file.gave_up_deletion))
        });
        if agreed {
            if let Some(directory) = self.grid.directories.get_mut(nickname) {
                directory.remove(path);
            }
            self.note(|| Step::DropLink);
        }
        Ok(agreed)
    }
}
