//! Which files a step changed, as the reference sees it.
//!
//! The reference gives a file that changed a new object, and the laws look at the files that have
//! one. The port changes files in place. So this module keeps, beside each file, the two further
//! things that the reference keeps.

use std::collections::BTreeSet;

use rejoin_port::conflict_detection::conflict_files::parted;
use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::Version;
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::conflict_detection::version_dag::Dag;
use rejoin_port::json::{Object, Text};

use super::files::{equal, keeps_version};
use super::run::{has, polled_by, text, Run, Taken};
use super::truth::Held;

/// What the reference keeps of a file, and the port does not.
///
/// certain: the clients whose missing link cannot be due to an earlier deletion; none means all.
/// floor: the most recent common ancestors at the last purge of the cache.
#[derive(Default, Clone, PartialEq)]
pub struct Beside {
    pub certain: Option<BTreeSet<Text>>,
    floor: BTreeSet<Capability>,
}

impl Run {
    /// Note the files that the reference would have given a new object, and what is beside them.
    pub fn note_changed(
        &mut self,
        taken: &mut Taken,
        step: &Object,
        found: &[(Text, Classification)],
    ) -> Held<()> {
        let nickname = taken.client.clone();
        let after = self.folder.clients.get(&nickname).ok_or("no client")?;
        let every = || after.files.keys().cloned().collect::<BTreeSet<Text>>();
        let Some(before) = &taken.before else {
            taken.changed = every();
            return self.update(taken);
        };
        if has(step, "back_up") {
            let beside = self.beside.get(&nickname).cloned().unwrap_or_default();
            self.backed_up.insert(nickname, beside);
            return Ok(());
        }
        if has(step, "set_back") {
            taken.changed = every();
            let mut beside = self.backed_up.get(&nickname).cloned().unwrap_or_default();
            for each in beside.values_mut() {
                if let Some(certain) = &mut each.certain {
                    certain.retain(|other| after.subscriptions.contains(other));
                }
            }
            self.beside.insert(nickname.clone(), beside);
            let saved = before.backup.as_ref().ok_or("no backup")?;
            let begun: Vec<Text> = saved
                .iter()
                .filter(|(_, file)| file.begun.is_some() && after.online)
                .map(|(path, _)| path.clone())
                .collect();
            let files = saved.clone();
            for path in begun {
                self.overwritten(&nickname, &path, &files[&path])?;
            }
            return Ok(());
        }
        if let Ok(other) = text(step, "unsubscribe") {
            taken.changed = every();
            for each in self.beside.entry(nickname).or_default().values_mut() {
                if let Some(certain) = &mut each.certain {
                    certain.remove(other);
                }
            }
            return Ok(());
        }
        if let Some(other) = polled_by(step) {
            let paths: BTreeSet<Text> = match text(step, "poll") {
                Ok(_) => BTreeSet::from([text(step, "file")?.clone()]),
                Err(_) => every(),
            };
            let stops = has(step, "stops");
            for path in paths {
                let found = found.iter().find(|(each, _)| *each == path);
                if self.note_look(taken, other, &path, found.map(|each| each.1), stops)? {
                    taken.changed.insert(path);
                }
            }
            return Ok(());
        }
        if has(step, "upload") || has(step, "online") {
            let comes_back = has(step, "online");
            if before.online == comes_back {
                return Ok(());
            }
            let waits =
                |file: &LocalFile| file.waiting.is_some() || (comes_back && file.begun.is_some());
            let files = before.files.iter().filter(|(_, file)| waits(file));
            taken.changed = files.map(|(path, _)| path.clone()).collect();
        } else if let Ok(name) = text(step, "file") {
            let path = parted(name).map_or_else(|| name.clone(), |(path, _)| path);
            taken.changed.insert(path);
            if let Ok(to) = text(step, "rename") {
                taken.changed.insert(to.clone());
            }
        }
        self.update(taken)
    }

    /// Update what is beside the changed files after the overwrites and the uploads of a step.
    fn update(&mut self, taken: &Taken) -> Held<()> {
        let nickname = &taken.client;
        for path in &taken.changed {
            let old = taken.old(path).cloned().unwrap_or_default();
            let file = self.file(nickname, path)?;
            match &old.begun {
                Some(begun) if file.begun.is_none() => {
                    let link = begun.link.clone();
                    let uploads = old.waiting.is_some();
                    self.overwritten(nickname, path, &old)?;
                    if uploads {
                        self.made(nickname, path, link.content.is_none())?;
                    }
                }
                _ if !keeps_version(&old, file) => self.made(nickname, path, old.deleted)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A client made a version of a file. gave_up: whether the version before is a deletion.
    fn made(&mut self, nickname: &Text, path: &Text, gave_up: bool) -> Held<()> {
        let floor = self.floor(nickname, path)?;
        let beside = self.beside_of(nickname, path);
        beside.floor = floor;
        if gave_up {
            beside.certain = Some(BTreeSet::new());
        }
        Ok(())
    }

    /// A client took over the version of an overwrite. old: the file before.
    fn overwritten(&mut self, nickname: &Text, path: &Text, old: &LocalFile) -> Held<()> {
        let begun = old.begun.as_ref().ok_or("no overwrite")?;
        self.made(nickname, path, old.deleted)?;
        let subscribed = self.folder.clients[nickname]
            .subscriptions
            .contains(&begun.other);
        if let (true, Some(certain)) = (subscribed, &mut self.beside_of(nickname, path).certain) {
            certain.insert(begun.other.clone());
        }
        Ok(())
    }

    fn beside_of(&mut self, nickname: &Text, path: &Text) -> &mut Beside {
        let files = self.beside.entry(nickname.clone()).or_default();
        files.entry(path.clone()).or_default()
    }

    /// Note what a look at a path did; return whether the file has a new object.
    fn note_look(
        &mut self,
        taken: &Taken,
        other: &Text,
        path: &Text,
        found: Option<Classification>,
        stops: bool,
    ) -> Held<bool> {
        let nickname = &taken.client;
        let old = taken.old(path).cloned().unwrap_or_default();
        let Some(found) = found else {
            return Ok(old.seen.contains_key(other));
        };
        let linked = self.folder.linked(other, path).cloned().ok_or("no link")?;
        if found == Classification::Overwrite {
            if !stops {
                self.made(nickname, path, old.deleted)?;
                if let Some(certain) = &mut self.beside_of(nickname, path).certain {
                    certain.insert(other.clone());
                }
            }
            return Ok(true);
        }
        let file = self.file(nickname, path)?;
        let same = |held: &Version| equal(held, &linked.version);
        let mut is_new = match (found, old.conflicts.get(other), file.conflicts.get(other)) {
            (Classification::Conflict, Some(old), Some(new)) => {
                !old.version.is(&linked.version) || old.content.is_some() != new.content.is_some()
            }
            (Classification::Conflict, _, _) => true,
            _ => self.folder.shares_conflict_files(),
        };
        is_new |= !old
            .seen
            .get(other)
            .is_some_and(|seen| same(&seen.version) && seen.linked);
        is_new |= !old.cache.keys().eq(file.cache.keys());
        let is_ours = file
            .version
            .as_ref()
            .is_some_and(|ours| ours.is(&linked.version));
        let floor = self.floor(nickname, path)?;
        let beside = self.beside_of(nickname, path);
        let known = beside.clone();
        if let (true, Some(certain)) = (linked.content.is_some() || is_ours, &mut beside.certain) {
            certain.insert(other.clone());
        }
        beside.floor = floor;
        is_new |= *beside != known;
        let client = &self.folder.clients[nickname];
        Ok(is_new || taken.linked.contains(path) != self.is_linked(client, path))
    }

    /// The most recent common ancestors of the versions that count for a client's cache.
    fn floor(&self, nickname: &Text, path: &Text) -> Held<BTreeSet<Capability>> {
        let file = self.file(nickname, path)?;
        let Some(Version::Snapshot(own)) = &file.version else {
            return Ok(BTreeSet::new());
        };
        let mut currents = currents(file);
        currents.insert(*own);
        if currents.len() == 1 {
            return Ok(currents);
        }
        Ok(common_ancestors(&file.cache, &currents))
    }
}

/// The other versions that count for a file's cache: those seen, held and waiting.
pub fn currents(file: &LocalFile) -> BTreeSet<Capability> {
    let held = file.conflicts.values().map(|held| &held.version);
    let waiting = file.waiting.iter().flatten().map(|(_, version)| version);
    let seen = file.seen.values().map(|seen| &seen.version);
    let versions = seen.chain(held).chain(waiting);
    let snapshots = versions.filter_map(|version| match version {
        Version::Snapshot(capability) => Some(*capability),
        Version::Map(_) => None,
    });
    snapshots.collect()
}

fn common_ancestors(
    cache: &Dag<Capability>,
    currents: &BTreeSet<Capability>,
) -> BTreeSet<Capability> {
    let mut common: Option<BTreeSet<Capability>> = None;
    for current in currents {
        let (mut past, mut pending) = (BTreeSet::new(), vec![*current]);
        while let Some(snapshot) = pending.pop() {
            if past.insert(snapshot) {
                let parents = cache.get(&snapshot).into_iter().flatten();
                pending.extend(parents.filter(|parent| cache.contains_key(*parent)));
            }
        }
        common = Some(match common {
            None => past,
            Some(common) => common.intersection(&past).copied().collect(),
        });
    }
    let common = common.unwrap_or_default();
    let superseded: BTreeSet<&Capability> = common
        .iter()
        .flat_map(|each| cache.get(each).into_iter().flatten())
        .collect();
    common
        .iter()
        .filter(|each| !superseded.contains(each))
        .copied()
        .collect()
}
