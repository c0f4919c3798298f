//! The operation `scenario`: clients act one after the other, and each step has a report.

use std::collections::{BTreeMap, BTreeSet};

use super::action_steps::Step;
use super::definitions::{check_nickname, Classification};
use super::folder::{Client, Design, Folder, Operations, Version};
use super::local_file::LocalFile;
use super::reading::Reading;
use crate::failure::{malformed, refused, Outcome};
use crate::fields::{bytes, object, text, Input};
use crate::json::{Json, Object, Text};

pub const STEP_FIELDS: [&str; 22] = [
    "client",
    "file",
    "edit",
    "forged",
    "change",
    "upload",
    "back_up",
    "set_back",
    "collect_garbage",
    "stops",
    "poll",
    "poll_all",
    "resolve",
    "text",
    "delete",
    "undelete",
    "rename",
    "offline",
    "online",
    "join",
    "subscribe",
    "unsubscribe",
];

const FIELDS: [&str; 5] = ["design", "clients", "steps", "report", "signing_keys"];

/// The largest size of a scenario, in bytes.
const LARGEST_SCENARIO: usize = 1 << 20;

/// The largest number of its steps.
const LONGEST_SCENARIO: usize = 1 << 11;

/// CD-SCENARIO-SIZE
fn refuse_large(size: usize) -> Outcome<()> {
    match size > LARGEST_SCENARIO {
        true => refused("scenario-too-large"),
        false => Ok(()),
    }
}

/// The size of the first subscriptions: every client names all of them.
fn size_of_clients(input: &Input) -> Outcome<usize> {
    Ok(size_of_lists(input.texts("clients")?.into_iter()))
}

/// The size of the lists of subscriptions that all these clients have.
fn size_of_lists<'a>(clients: impl ExactSizeIterator<Item = &'a [u8]>) -> usize {
    clients.len() * clients.map(|nickname| 1 + nickname.len()).sum::<usize>()
}

/// The size of a step: of its report, and of the lists that a join writes.
fn size_of_step(folder: &Folder, step: &Input, report: &Json) -> usize {
    let lists = match step.has("join") {
        true => size_of_lists(folder.clients.keys().map(|nickname| &nickname[..])),
        false => 0,
    };
    size_of(report) + lists
}

/// The folder in which a scenario begins.
fn folder_of(input: &Input, reading: &'static Reading) -> Outcome<Folder> {
    let design = match input.text("design")? {
        b"snapshots" => Design::Snapshots,
        b"version-maps" => Design::VersionMaps,
        _ => return malformed("unknown design"),
    };
    // CD-SCENARIO-STEPS
    if input.list("steps")?.len() > LONGEST_SCENARIO {
        return refused("scenario-too-large");
    }
    refuse_large(size_of_clients(input)?)?;
    let mut folder = Folder::new(design, reading);
    let none = Object::new();
    let keys = input.optional("signing_keys").map_or(Ok(&none), object)?;
    for nickname in keys.keys() {
        check_nickname(nickname)?;
    }
    for nickname in input.texts("clients")? {
        let key = keys.get(nickname).map(seed).transpose()?;
        folder.add_client(&nickname.to_vec(), key)?;
    }
    Ok(folder)
}

/// The further fields of each report.
fn wanted<'a>(input: &Input<'a>) -> Outcome<Vec<&'a [u8]>> {
    match input.has("report") {
        true => input.texts("report"),
        false => Ok(Vec::new()),
    }
}

pub fn run_scenario(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &FIELDS)?;
    let mut folder = folder_of(&input, reading)?;
    let wanted = wanted(&input)?;
    let mut size = size_of_clients(&input)?;
    let mut steps = Vec::new();
    let mut origins = Origins::new();
    for (number, step) in input.list("steps")?.iter().enumerate() {
        folder.operations = Operations::default();
        let step = Input::of(step, &STEP_FIELDS)?;
        let found = act(&mut folder, &step)?;
        note_origins(&mut origins, &folder, number);
        let told = report(&folder, found, &wanted, &origins);
        size += size_of_step(&folder, &step, &told);
        refuse_large(size)?;
        steps.push(told);
    }
    Ok(Json::object([("steps", Json::List(steps))]))
}

/// The bytes of all names and texts in a report, and one for each name.
fn size_of(report: &Json) -> usize {
    match report {
        Json::Text(text) => text.len(),
        Json::Object(members) => {
            let sizes = members
                .iter()
                .map(|(name, each)| 1 + name.len() + size_of(each));
            sizes.sum()
        }
        _ => 0,
    }
}

/// CD-STEPS-LIST
pub fn run_scenario_steps(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &FIELDS)?;
    let mut folder = folder_of(&input, reading)?;
    let wanted = wanted(&input)?;
    let mut size = size_of_clients(&input)?;
    let mut origins = Origins::new();
    let mut steps = Vec::new();
    let mut path = Text::new();
    for (number, step) in input.list("steps")?.iter().enumerate() {
        folder.operations = Operations::default();
        folder.steps = Some(Vec::new());
        let step = Input::of(step, &STEP_FIELDS)?;
        let found = act(&mut folder, &step)?;
        note_origins(&mut origins, &folder, number);
        let told = report(&folder, found, &wanted, &origins);
        size += size_of_step(&folder, &step, &told);
        refuse_large(size)?;
        let mut taken = folder.steps.take().unwrap_or_default();
        taken.sort_by_key(|step| match step {
            Step::Upload(upload) => upload.path.clone(),
            _ => Text::new(),
        });
        for step in taken {
            if let Step::Look(_, _, looked_at, _) = &step {
                path.clone_from(looked_at);
            }
            steps.push(step_json(&step, number, &path, &origins));
        }
    }
    Ok(Json::object([("steps", Json::List(steps))]))
}

/// A step as JSON. path: that of the last look.
fn step_json(step: &Step, number: usize, path: &Text, origins: &Origins) -> Json {
    let (name, clause) = step.name();
    let content = |content: &Option<Vec<u8>>| content.clone().map_or(Json::Null, Json::Text);
    let made = |path: &Text, versions: &mut dyn Iterator<Item = Version>| {
        let made = versions.filter_map(|each| origins.get(&version_key(path, &each)).copied());
        let made: BTreeSet<usize> = made.collect();
        Json::List(
            made.into_iter()
                .map(|made| Json::Int(made as i128))
                .collect(),
        )
    };
    let fields = match step {
        Step::Look(client, other, path, version) => vec![
            ("client", Json::Text(client.clone())),
            ("other", Json::Text(other.clone())),
            ("file", Json::Text(path.clone())),
            (
                "origin",
                version
                    .as_ref()
                    .map_or(Json::Null, |version| origin(origins, path, version)),
            ),
        ],
        Step::Fetch(fetched, _) => {
            let mut versions = fetched.iter().map(|each| Version::Snapshot(*each));
            vec![("origins", made(path, &mut versions))]
        }
        Step::Classify(found, _) => vec![("classification", Json::text(found.name()))],
        Step::Overwrite(text) | Step::Hold(text) => vec![("text", content(text))],
        Step::Reclassify(_) | Step::DropLink => vec![],
        Step::Upload(upload) => vec![
            ("client", Json::Text(upload.client.clone())),
            ("file", Json::Text(upload.path.clone())),
            (
                "follows",
                made(&upload.path, &mut upload.follows.iter().cloned()),
            ),
            ("text", content(&upload.content)),
        ],
    };
    let named = [
        ("step", Json::text(name)),
        ("clause", Json::text(clause)),
        ("number", Json::Int(number as i128)),
    ];
    let fields = named.into_iter().chain(fields);
    Json::Object(fields.map(|(name, value)| (name.into(), value)).collect())
}

fn seed(json: &Json) -> Outcome<[u8; 32]> {
    match bytes(json)?.try_into() {
        Ok(seed) => Ok(seed),
        Err(_) => refused("bad-key"),
    }
}

/// The finding of a step: none, one classification or none, or those of a poll of all files.
pub enum Found {
    One(Option<Classification>),
    All(BTreeMap<Text, Classification>),
}

pub fn act(folder: &mut Folder, step: &Input) -> Outcome<Found> {
    if step.has("collect_garbage") {
        folder.collect_garbage();
        return Ok(Found::One(None));
    }
    let field = |name| Ok(step.text(name)?.to_vec());
    let client = field("client")?;
    let file = match step.has("file") {
        true => field("file")?,
        false => b"foo".to_vec(),
    };
    if step.has("poll") {
        return Ok(Found::One(folder.poll(
            &client,
            &field("poll")?,
            &file,
            step.has("stops"),
        )?));
    }
    if step.has("poll_all") {
        return Ok(Found::All(folder.poll_all(&client, &field("poll_all")?)?));
    }
    if step.has("forged") {
        folder.forge(&client, &file, step.text("edit")?)?;
    } else if step.has("change") {
        let content = match step.get("change")? {
            Json::Null => None,
            content => Some(text(content)?.to_vec()),
        };
        folder.change_unnoticed(&client, &file, content)?;
    } else if step.has("upload") {
        folder.upload_changes(&client)?;
    } else if step.has("back_up") {
        folder.back_up(&client)?;
    } else if step.has("set_back") {
        folder.set_back(&client)?;
    } else if step.has("edit") {
        folder.edit(&client, &file, step.text("edit")?)?;
    } else if step.has("resolve") {
        let others = step.texts("resolve")?;
        let others: Vec<Text> = others.iter().map(|other| other.to_vec()).collect();
        let content = match step.has("text") {
            true => Some(field("text")?),
            false => None,
        };
        folder.resolve(&client, &file, &others, content)?;
    } else if step.has("delete") {
        folder.delete(&client, &file)?;
    } else if step.has("undelete") {
        folder.undelete(&client, &file, step.text("undelete")?)?;
    } else if step.has("rename") {
        folder.rename(&client, &file, &field("rename")?)?;
    } else if step.has("offline") {
        folder.go_offline(&client)?;
    } else if step.has("online") {
        folder.come_back(&client)?;
    } else if step.has("join") {
        let mut files = BTreeMap::new();
        for (path, content) in object(step.get("join")?)? {
            files.insert(path.clone(), text(content)?.to_vec());
        }
        folder.join(&client, &files)?;
    } else if step.has("subscribe") {
        folder.subscribe(&client, &field("subscribe")?)?;
    } else if step.has("unsubscribe") {
        folder.unsubscribe(&client, &field("unsubscribe")?)?;
    } else {
        return malformed("an unknown step");
    }
    Ok(Found::One(None))
}

/// The step that made each version of a file: the first one after which a client had it.
type Origins = BTreeMap<(Text, Vec<u8>), usize>;

/// Versions of a path are the same if their IDs are equal, or their maps without entries of 0.
fn version_key(path: &Text, version: &Version) -> (Text, Vec<u8>) {
    let key = match version {
        Version::Snapshot(capability) => capability.to_vec(),
        Version::Map(map) => map
            .iter()
            .filter(|(_, number)| **number > 0)
            .flat_map(|(nickname, number)| {
                let number = number.to_string();
                [nickname.as_slice(), b"/", number.as_bytes(), b"/"].concat()
            })
            .collect(),
    };
    (path.clone(), key)
}

fn note_origins(origins: &mut Origins, folder: &Folder, number: usize) {
    for client in folder.clients.values() {
        for (path, file) in &client.files {
            if let Some(version) = &file.version {
                origins.entry(version_key(path, version)).or_insert(number);
            }
        }
    }
}

fn origin(origins: &Origins, path: &Text, version: &Version) -> Json {
    let step = origins.get(&version_key(path, version));
    step.map_or(Json::Null, |step| Json::Int(*step as i128))
}

fn report(folder: &Folder, found: Found, wanted: &[&[u8]], origins: &Origins) -> Json {
    let name = |found: &Classification| Json::text(found.name());
    let of_clients = |describe: &dyn Fn(&Client) -> Object| {
        let described = folder.clients.iter();
        Json::Object(
            described
                .map(|(nickname, client)| (nickname.clone(), Json::Object(describe(client))))
                .collect(),
        )
    };
    let of_files = |describe: &dyn Fn(&LocalFile) -> Option<Json>| {
        of_clients(&|client| {
            let files = client.files.iter();
            files
                .filter_map(|(path, file)| Some((path.clone(), describe(file)?)))
                .collect()
        })
    };
    let mut said = Object::new();
    let mut say = |field: &str, value| said.insert(field.as_bytes().to_vec(), value);
    match &found {
        Found::One(one) => {
            say("classification", one.as_ref().map_or(Json::Null, name));
        }
        Found::All(all) => {
            let all = all.iter().map(|(path, found)| (path.clone(), name(found)));
            say("classifications", Json::Object(all.collect()));
            say("classification", Json::Null);
        }
    }
    say("files", of_clients(&|client| files(folder, client)));
    for what in wanted {
        match *what {
            b"operations" => say("operations", operations(&folder.operations)),
            b"links" => say("links", of_clients(&|client| links(folder, client))),
            b"versions" => say(
                "versions",
                of_files(&|file| file.version.as_ref().map(version_json)),
            ),
            b"conflicts" => say("conflicts", of_files(&conflicts)),
            b"cached" => say(
                "cached",
                of_files(&|file| match file.cache.len() {
                    0 => None,
                    count => Some(Json::Int(count as i128)),
                }),
            ),
            b"origins" => say(
                "origins",
                of_clients(&|client| {
                    let files = client.files.iter();
                    files
                        .filter_map(|(path, file)| {
                            let version = file.version.as_ref()?;
                            Some((path.clone(), origin(origins, path, version)))
                        })
                        .collect()
                }),
            ),
            b"conflict_origins" => say(
                "conflict_origins",
                of_clients(&|client| {
                    let files = client.files.iter();
                    files
                        .filter(|(_, file)| !file.conflicts.is_empty())
                        .map(|(path, file)| {
                            let held = file.conflicts.iter().map(|(nickname, held)| {
                                (nickname.clone(), origin(origins, path, &held.version))
                            });
                            (path.clone(), Json::Object(held.collect()))
                        })
                        .collect()
                }),
            ),
            _ => None,
        };
    }
    Json::Object(said)
}

/// The files that a client's user sees, including conflict files.
fn files(folder: &Folder, client: &Client) -> Object {
    let mut files = Object::new();
    for (path, file) in &client.files {
        if let Some(content) = &file.content {
            files.insert(path.clone(), Json::Text(content.clone()));
        }
        for conflict in folder.conflict_files(path, file) {
            if let Some(content) = conflict.content {
                files.insert(conflict.name, Json::Text(content));
            }
        }
    }
    files
}

fn links(folder: &Folder, client: &Client) -> Object {
    let directory = folder.grid.directories.get(&client.nickname);
    let links = directory.into_iter().flatten();
    links
        .map(|(path, link)| {
            let content = link
                .content
                .and_then(|content| folder.grid.contents.get(&content));
            let content = content.cloned().map_or(Json::Null, Json::Text);
            (path.clone(), content)
        })
        .collect()
}

fn version_json(version: &Version) -> Json {
    match version {
        Version::Snapshot(capability) => Json::hex(capability),
        Version::Map(map) => super::operations::map_json(map),
    }
}

fn conflicts(file: &LocalFile) -> Option<Json> {
    let held = file.conflicts.iter().map(|(nickname, held)| {
        let said = match &held.version {
            Version::Map(map) => map
                .get(nickname)
                .map_or(Json::Null, |number| Json::Int(i128::from(*number))),
            snapshot => version_json(snapshot),
        };
        (nickname.clone(), said)
    });
    let held: Object = held.collect();
    (!held.is_empty()).then_some(Json::Object(held))
}

fn operations(taken: &Operations) -> Json {
    let total = taken.content_uploads
        + taken.snapshot_uploads
        + taken.directory_updates
        + taken.snapshot_downloads
        + taken.content_downloads;
    Json::object([
        ("content_uploads", Json::Int(taken.content_uploads)),
        ("snapshot_uploads", Json::Int(taken.snapshot_uploads)),
        ("directory_updates", Json::Int(taken.directory_updates)),
        ("snapshot_downloads", Json::Int(taken.snapshot_downloads)),
        ("content_downloads", Json::Int(taken.content_downloads)),
        ("directory_reads", Json::Int(taken.directory_reads)),
        ("total", Json::Int(total)),
    ])
}
