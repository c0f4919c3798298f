//! A history that runs in one design, with the ground truth of every file.
//!
//! It is `Run` in the suite's `systems/conflict_detection/run.py`.

use std::collections::{BTreeMap, BTreeSet};

use rejoin_port::conflict_detection::conflict_files::parted;
use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::{Client, Design, Folder, Link, Operations, Version};
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::reading::Reading;
use rejoin_port::conflict_detection::scenario::{act, Found, STEP_FIELDS};
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::failure::Failure;
use rejoin_port::fields::Input;
use rejoin_port::json::{Json, Object, Text};

use super::beside::Beside;
use super::files::{conflict_file, groups};
use super::truth::{key_of, FileTruth, Held, Key};

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
    pub backed_up: BTreeMap<Text, BTreeMap<Text, Beside>>,
    /// The subscriptions that ended: who ended one, to whom.
    pub ended: BTreeSet<(Text, Text)>,
    pub collections: usize,
    pub doubled: bool,
    pub set_back: BTreeSet<Text>,
    pub collected_while_stopped: bool,
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
