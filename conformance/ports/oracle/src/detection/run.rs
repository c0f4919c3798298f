//! A history that runs in one design, with the ground truth of every file.
//!
//! It is `Run` in the suite's `systems/conflict_detection/run.py`. The reference gives a file that
//! changed a new object, and the laws look at the files that have one. The port changes files in
//! place. So this module keeps, beside each file, the two further things that the reference keeps.

use std::collections::{BTreeMap, BTreeSet};

use rejoin_port::conflict_detection::conflict_files::parted;
use rejoin_port::conflict_detection::definitions::{Classification, MARK};
use rejoin_port::conflict_detection::folder::{Client, Design, Folder, Link, Operations, Version};
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::overwrite_and_conflict::fetched;
use rejoin_port::conflict_detection::reading::Reading;
use rejoin_port::conflict_detection::scenario::{act, Found, STEP_FIELDS};
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::conflict_detection::version_dag::Dag;
use rejoin_port::failure::Failure;
use rejoin_port::fields::Input;
use rejoin_port::json::{Json, Object, Text};

use super::truth::{key_of, FileTruth, Held, Key};

/// What the reference keeps of a file, and the port does not.
///
/// certain: the clients whose missing link cannot be due to an earlier deletion; none means all.
/// floor: the most recent common ancestors at the last purge of the cache.
#[derive(Default, Clone, PartialEq)]
pub struct Beside {
    pub certain: Option<BTreeSet<Text>>,
    floor: BTreeSet<Capability>,
}

pub struct Polled {
    pub path: Text,
    pub other: Text,
    pub expected: Classification,
    pub found: Classification,
    pub theirs: Version,
    pub key: Key,
    pub before: LocalFile,
    pub after: LocalFile,
}

pub struct Uploaded {
    pub path: Text,
    pub version: Key,
}

/// The result of an event. See `Taken` in `run.py`.
///
/// client: whose step it was. linked: the files that it linked before. is_there: whether there is a
/// client after the step.
#[derive(Default)]
pub struct Taken {
    pub client: Text,
    pub refused: Option<String>,
    pub is_step: bool,
    pub is_there: bool,
    pub before: Option<Client>,
    pub linked: BTreeSet<Text>,
    pub changed: BTreeSet<Text>,
    pub polled: Vec<Polled>,
    pub uploaded: Vec<Uploaded>,
    pub operations: Operations,
    pub dropped: Vec<Text>,
}

impl Taken {
    /// The client's file before the step.
    pub fn old(&self, path: &Text) -> Option<&LocalFile> {
        self.before.as_ref()?.files.get(path)
    }

    /// The paths that the polls found, and those of the uploads, each once.
    pub fn paths(&self) -> Vec<&Text> {
        let mut paths: Vec<&Text> = Vec::new();
        let polled = self.polled.iter().map(|each| &each.path);
        for path in polled.chain(self.uploaded.iter().map(|each| &each.path)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    /// Whether the step finished an interrupted overwrite; the version.
    pub fn finished(&self, run: &Run, path: &Text) -> Option<&Version> {
        let begun = self.old(path)?.begun.as_ref()?;
        let after = run.folder.clients.get(&self.client)?.files.get(path)?;
        (self.changed.contains(path) && after.begun.is_none()).then_some(&begun.link.version)
    }

    pub fn finishes_any(&self, run: &Run) -> bool {
        self.changed
            .iter()
            .any(|path| self.finished(run, path).is_some())
    }
}

pub struct Run {
    pub folder: Folder,
    pub truths: BTreeMap<Text, FileTruth>,
    pub beside: BTreeMap<Text, BTreeMap<Text, Beside>>,
    backed_up: BTreeMap<Text, BTreeMap<Text, Beside>>,
    /// The subscriptions that ended: who ended one, to whom.
    pub ended: BTreeSet<(Text, Text)>,
    pub collections: usize,
    pub doubled: bool,
    pub set_back: BTreeSet<Text>,
    collected_while_stopped: bool,
    pub numbers_repeat: bool,
    pub misses_objects: bool,
    pub met_collected: bool,
}

/// The text of a field of an event.
pub fn text<'a>(event: &'a Object, name: &str) -> Held<&'a Text> {
    match event.get(name.as_bytes()) {
        Some(Json::Text(text)) => Ok(text),
        _ => Err(format!("no text {name}")),
    }
}

pub fn has(event: &Object, name: &str) -> bool {
    event.contains_key(name.as_bytes())
}

/// The client that an event polls.
pub fn polled_by(event: &Object) -> Option<&Text> {
    text(event, "poll")
        .or_else(|_| text(event, "poll_all"))
        .ok()
}

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

fn conflict_file(path: &[u8], group: &Group) -> Text {
    let names: Vec<&[u8]> = group.clients.iter().map(|name| name.as_slice()).collect();
    [path, MARK, &names.join(&b","[..])].concat()
}

impl Run {
    pub fn new(design: Design, reading: &'static Reading, clients: &[Text]) -> Held<Run> {
        let mut folder = Folder::new(design, reading);
        for nickname in clients {
            folder.add_client(nickname, None).map_err(|_| "a client")?;
        }
        Ok(Run {
            folder,
            truths: BTreeMap::new(),
            beside: BTreeMap::new(),
            backed_up: BTreeMap::new(),
            ended: BTreeSet::new(),
            collections: 0,
            doubled: false,
            set_back: BTreeSet::new(),
            collected_while_stopped: false,
            numbers_repeat: false,
            misses_objects: false,
            met_collected: false,
        })
    }

    pub fn design(&self) -> &'static str {
        match self.folder.design {
            Design::Snapshots => "snapshots",
            Design::VersionMaps => "version-maps",
        }
    }

    pub fn is_unsure(&self) -> bool {
        self.numbers_repeat || self.met_collected
    }

    pub fn truth(&mut self, path: &Text) -> &mut FileTruth {
        if !self.truths.contains_key(path) {
            self.truths.insert(path.clone(), FileTruth::default());
        }
        self.truths.get_mut(path).expect("it is there")
    }

    /// The number of a file's version in the ground truth.
    pub fn number(&mut self, path: &Text, version: &Option<Version>) -> Held<usize> {
        let version = version.as_ref().ok_or("no version")?;
        self.truth(path).number(&key_of(version))
    }

    /// Whether a client's directory links the client's version of a file.
    pub fn is_linked(&self, client: &Client, path: &Text) -> bool {
        let directory = self.folder.grid.directories.get(&client.nickname);
        directory.is_some_and(|directory| links(directory, client, path))
    }

    pub fn is_stored(&self, snapshot: &Capability) -> bool {
        let grid = &self.folder.grid;
        grid.snapshots.contains_key(snapshot) && !grid.collected.contains(snapshot)
    }

    pub fn file(&self, client: &Text, path: &Text) -> Held<&LocalFile> {
        let client = self.folder.clients.get(client).ok_or("no client")?;
        client.files.get(path).ok_or_else(|| "no file".to_string())
    }

    /// The action that an event becomes, or why there is nothing to do.
    fn concrete(&self, event: &Object) -> Held<Result<Object, &'static str>> {
        if has(event, "collect_garbage") {
            return Ok(Ok(event.clone()));
        }
        let client = self.folder.clients.get(text(event, "client")?);
        if has(event, "join") {
            return Ok(match client {
                None => Ok(event.clone()),
                Some(_) => Err("there-already"),
            });
        }
        let Some(client) = client else {
            return Ok(Err("not-there"));
        };
        if polled_by(event).is_some() && !client.online {
            return Ok(Err("offline"));
        }
        let Some(Json::Int(pick)) = event.get(&b"pick"[..]) else {
            return Ok(Ok(event.clone()));
        };
        let path = text(event, "file")?;
        let held = client
            .files
            .get(path)
            .map(|file| groups(&self.folder, file));
        let mut held = held.unwrap_or_default();
        if !has(event, "resolve_held") {
            held.retain(|each| each.content.is_some());
        }
        let is_picked = |place: &usize| *place < 127 && pick >> place & 1 == 1;
        let some: Vec<usize> = (0..held.len()).filter(is_picked).collect();
        let picked = if some.is_empty() {
            (0..held.len()).collect()
        } else {
            some
        };
        if has(event, "resolve_held") {
            let named = picked.iter().flat_map(|place| held[*place].clients.iter());
            let names: BTreeSet<&Text> = named.copied().collect();
            if names.is_empty() {
                return Ok(Err("no-conflict"));
            }
            let mut step = event.clone();
            step.remove(&b"pick"[..]);
            step.remove(&b"resolve_held"[..]);
            let names = names.into_iter().map(|name| Json::Text(name.clone()));
            step.insert(b"resolve".to_vec(), Json::List(names.collect()));
            return Ok(Ok(step));
        }
        let Some(first) = picked.first() else {
            return Ok(Err("no-conflict-file"));
        };
        let actions = [("touch", "edit"), ("discard", "delete"), ("move", "rename")];
        let named = actions.iter().find(|(key, _)| has(event, key));
        let (key, action) = named.ok_or("an unknown event")?;
        let name = conflict_file(path, &held[*first]);
        Ok(Ok(Object::from([
            (b"client".to_vec(), event[&b"client"[..]].clone()),
            (b"file".to_vec(), Json::Text(name)),
            (action.as_bytes().to_vec(), event[key.as_bytes()].clone()),
        ])))
    }

    /// Carry out an event, if it has a step now.
    pub fn take(&mut self, event: &Object) -> Held<Taken> {
        let step = match self.concrete(event)? {
            Ok(step) => step,
            Err(why) => {
                return Ok(Taken {
                    refused: Some(why.to_string()),
                    ..Taken::default()
                })
            }
        };
        let client = text(&step, "client").cloned().unwrap_or_default();
        let before = self.folder.clients.get(&client).cloned();
        let directory = self.folder.grid.directories.get(&client).cloned();
        self.folder.operations = Operations::default();
        let acted = Input::of(&Json::Object(step.clone()), &STEP_FIELDS)
            .and_then(|input| act(&mut self.folder, &input));
        let mut taken = Taken {
            is_step: true,
            is_there: before.is_some(),
            ..Taken::default()
        };
        let found = match acted {
            Ok(found) => found,
            Err(Failure::Malformed(why)) => return Err(why),
            Err(Failure::Refused { code, .. }) => {
                // The port stops in the middle of a refused step.
                if let (Some(before), Some(directory)) = (&before, directory) {
                    self.folder.clients.insert(client.clone(), before.clone());
                    self.folder
                        .grid
                        .directories
                        .insert(client.clone(), directory);
                }
                taken.refused = Some(self.first_code(&client, &step, code).to_string());
                (taken.client, taken.before) = (client, before);
                return Ok(taken);
            }
        };
        if has(&step, "collect_garbage") {
            self.collected();
            return Ok(taken);
        }
        if let Ok(other) = text(&step, "unsubscribe") {
            self.ended.insert((client.clone(), other.clone()));
        }
        if let (Some(before), Some(directory)) = (&before, &directory) {
            let paths = before.files.keys();
            let linked = paths.filter(|path| links(directory, before, path));
            taken.linked = linked.cloned().collect();
        }
        taken.is_there = true;
        taken.operations = self.folder.operations;
        (taken.client, taken.before) = (client, before);
        let found: Vec<(Text, Classification)> = match found {
            Found::One(None) => Vec::new(),
            Found::One(Some(found)) => vec![(text(&step, "file")?.clone(), found)],
            Found::All(found) => found.into_iter().collect(),
        };
        self.note_changed(&mut taken, &step, &found)?;
        let after = &self.folder.clients[&taken.client];
        let kept = |path: &&Text| taken.linked.contains(*path) && !self.is_linked(after, path);
        taken.dropped = taken.changed.iter().filter(kept).cloned().collect();
        if has(&step, "set_back") {
            self.set_back(&taken.client)?;
        } else if let (Some(other), Some(_)) = (polled_by(&step), &taken.before) {
            self.note_polled(&mut taken, other, found)?;
        } else {
            self.note_uploaded(&mut taken, &step)?;
        }
        Ok(taken)
    }

    /// The code with which the reference refuses a step: it looks at the target of a rename first.
    fn first_code(&self, client: &Text, step: &Object, code: &'static str) -> &'static str {
        let (Ok(name), Ok(target)) = (text(step, "file"), text(step, "rename")) else {
            return code;
        };
        let is_there = self
            .file(client, target)
            .is_ok_and(|file| file.content.is_some());
        let into_place = parted(name).is_some_and(|(path, _)| path == *target);
        match code {
            "no-file" | "path-blocked" if is_there && !into_place => "file-exists",
            _ => code,
        }
    }

    /// Note the files that the reference would have given a new object, and what is beside them.
    fn note_changed(
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

    /// Note what a poll found.
    fn note_polled(
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
    fn note_uploaded(&mut self, taken: &mut Taken, step: &Object) -> Held<()> {
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

    fn set_back(&mut self, nickname: &Text) -> Held<()> {
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

    fn collected(&mut self) {
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

fn links(directory: &BTreeMap<Text, Link>, client: &Client, path: &Text) -> bool {
    let version = client
        .files
        .get(path)
        .and_then(|file| file.version.as_ref());
    match (directory.get(path), version) {
        (Some(link), Some(version)) => link.version.is(version),
        _ => false,
    }
}

/// The right classification, given the changes of a file that are not uploaded yet.
pub fn with_local_changes(expected: Classification, file: &LocalFile) -> Classification {
    match expected {
        Classification::Overwrite if file.waiting.is_some() => Classification::Conflict,
        other => other,
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
