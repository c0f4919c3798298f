//! What a step found and made, for the ground truth.

use std::collections::BTreeSet;

use rejoin_port::conflict_detection::conflict_files::parted;
use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::{Design, Version};
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::overwrite_and_conflict::fetched;
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::json::{Json, Object, Text};

use super::files::keeps_version;
use super::run::{has, text, Polled, Run, Taken, Uploaded};
use super::truth::{key_of, Held, Key};

impl Run {
    /// Note what a poll found.
    pub fn note_polled(
        &mut self,
        taken: &mut Taken,
        other: &Text,
        found: Vec<(Text, Classification)>,
    ) -> Held<()> {
        let nickname = taken.client.clone();
        for (path, found) in found {
            let theirs = self
                .folder
                .linked(other, &path)
                .ok_or("no link")?
                .version
                .clone();
            let key = key_of(&theirs);
            let before = taken.old(&path).cloned().unwrap_or_default();
            let after = self.file(&nickname, &path)?.clone();
            let truth = self.truth(&path);
            let expected = with_local_changes(truth.expected(&nickname, &key)?, &before);
            if found == Classification::Overwrite && after.begun.is_none() {
                truth.overwrite(&nickname, &key)?;
            }
            taken.polled.push(Polled {
                path,
                other: other.clone(),
                expected,
                found,
                theirs,
                key,
                before,
                after,
            });
        }
        let is_sure = self.collections == 0 || self.met_collected;
        if !is_sure && self.folder.design == Design::Snapshots {
            let requests = taken
                .polled
                .iter()
                .flat_map(|polled| self.requested(polled));
            let met = requests.into_iter().any(|each| !self.is_stored(&each));
            self.met_collected |= met;
        }
        Ok(())
    }

    /// Note the versions that a step made.
    pub fn note_uploaded(&mut self, taken: &mut Taken, step: &Object) -> Held<()> {
        let nickname = taken.client.clone();
        for path in taken.changed.clone() {
            let file = self.file(&nickname, &path)?.clone();
            let old = taken.old(&path);
            let Some(version) = &file.version else {
                continue;
            };
            if old.is_some_and(|old| keeps_version(old, &file)) {
                continue;
            }
            let resolved = resolved(step, old, &path);
            let begun = old.and_then(|old| old.begun.as_ref());
            let truth = self.truth(&path);
            if let (Some(begun), None) = (begun, &file.begun) {
                truth.overwrite(&nickname, &key_of(&begun.link.version))?;
                if old.is_some_and(|old| old.waiting.is_none()) {
                    continue;
                }
            }
            let version = key_of(version);
            truth.upload(&nickname, version.clone(), &resolved, &file.content)?;
            let doubled = truth.doubled;
            self.doubled |= doubled;
            taken.uploaded.push(Uploaded { path, version });
        }
        Ok(())
    }

    pub fn set_back(&mut self, nickname: &Text) -> Held<()> {
        self.set_back.insert(nickname.clone());
        self.numbers_repeat = self.folder.design == Design::VersionMaps;
        self.misses_objects = self.collections > 0;
        let files = &self.folder.clients[nickname].files;
        let mut paths: BTreeSet<Text> = self.truths.keys().cloned().collect();
        paths.extend(files.keys().cloned());
        for path in paths {
            let file = self.folder.clients[nickname].files.get(&path);
            let key = file.and_then(|file| file.version.as_ref()).map(key_of);
            self.truth(&path).set_back(nickname, key)?;
        }
        Ok(())
    }

    pub fn collected(&mut self) {
        self.collections += 1;
        let mut files = self
            .folder
            .clients
            .values()
            .flat_map(|each| each.files.values());
        self.collected_while_stopped |= files.any(|file| file.begun.is_some());
        self.misses_objects = !self.set_back.is_empty() || self.collected_while_stopped;
    }

    /// The snapshots that the walk of a poll requests.
    pub fn requested(&self, polled: &Polled) -> Vec<Capability> {
        let (grid, before) = (&self.folder.grid, &polled.before);
        let Version::Snapshot(theirs) = &polled.theirs else {
            return Vec::new();
        };
        let cached: BTreeSet<Capability> = before.cache.keys().copied().collect();
        let local = match &before.version {
            Some(Version::Snapshot(capability)) => Some(capability),
            _ => None,
        };
        let stored;
        let graph = if grid.collected.is_empty() {
            &grid.snapshots
        } else {
            let mut graph = grid.snapshots.clone();
            for collected in grid.collected.difference(&cached) {
                graph.insert(*collected, Vec::new());
            }
            stored = graph;
            &stored
        };
        let walked = fetched(graph, &cached, local, theirs);
        let mut requests: Vec<Capability> = walked.into_iter().collect();
        let conflicts = !before.conflicts.is_empty() || polled.found == Classification::Conflict;
        if before.version.is_none() && conflicts {
            let mut pending = grid.snapshots.get(theirs).cloned().unwrap_or_default();
            while let Some(capability) = pending.pop() {
                if !cached.contains(&capability) && !requests.contains(&capability) {
                    requests.push(capability);
                    pending.extend(graph.get(&capability).into_iter().flatten());
                }
            }
        }
        requests
    }
}

/// The right classification, given the changes of a file that are not uploaded yet.
pub fn with_local_changes(expected: Classification, file: &LocalFile) -> Classification {
    match expected {
        Classification::Overwrite if file.waiting.is_some() => Classification::Conflict,
        other => other,
    }
}

/// The versions of the conflict files that an upload removed.
fn resolved(step: &Object, old: Option<&LocalFile>, path: &Text) -> Vec<Key> {
    let Some(old) = old else {
        return Vec::new();
    };
    let mut keys: Vec<Key> = old
        .waiting
        .iter()
        .flatten()
        .map(|(_, version)| key_of(version))
        .collect();
    let names: Vec<Text> = match (step.get(&b"resolve"[..]), text(step, "file")) {
        (Some(Json::List(names)), Ok(file)) if file == path => names
            .iter()
            .filter_map(|name| match name {
                Json::Text(name) => Some(name.clone()),
                _ => None,
            })
            .collect(),
        (None, Ok(file)) if has(step, "delete") || has(step, "rename") => match parted(file) {
            Some((at, names)) if at == *path => names
                .split(|byte| *byte == b',')
                .map(<[u8]>::to_vec)
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let held = names.iter().filter_map(|name| old.conflicts.get(name));
    keys.extend(held.map(|held| key_of(&held.version)));
    keys
}
