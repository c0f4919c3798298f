//! The old design, the baseline of both designs, with one file. Section "The old design".

use std::collections::BTreeMap;

use super::definitions::{check_nickname, Classification};
use super::version_dag::{follows, Dag};
use crate::failure::{refused, Outcome};
use crate::fields::Input;
use crate::json::{Json, Text};

const UPLOAD: i128 = 2;
const DOWNLOAD: i128 = 1;

/// An upload, with what its client had last downloaded before it.
struct Version {
    content: Text,
    last_downloaded: Option<Text>,
}

/// A client; versions are given by their places.
#[derive(Default)]
struct Client {
    version: Option<usize>,
    linked: Option<usize>,
    last_uploaded: Option<Text>,
    last_downloaded: Option<Text>,
    seen: BTreeMap<Text, usize>,
}

#[derive(Default)]
struct Folder {
    clients: BTreeMap<Text, Client>,
    versions: Vec<Version>,
    dag: Dag<usize>,
}

impl Folder {
    fn check_client(&self, nickname: &[u8]) -> Outcome<()> {
        match self.clients.contains_key(nickname) {
            true => Ok(()),
            false => refused("unknown-client"),
        }
    }

    /// CD-OLD-UPLOAD
    fn edit(&mut self, nickname: &[u8], content: &[u8]) -> Outcome<Json> {
        self.check_client(nickname)?;
        let client = self.clients.entry(nickname.to_vec()).or_default();
        let place = self.versions.len();
        self.dag.insert(place, client.version.into_iter().collect());
        self.versions.push(Version {
            content: content.to_vec(),
            last_downloaded: client.last_downloaded.clone(),
        });
        client.version = Some(place);
        client.linked = Some(place);
        client.last_uploaded = Some(content.to_vec());
        Ok(reported(None, UPLOAD))
    }

    /// CD-OLD-DOWNLOAD
    fn poll(&mut self, nickname: &[u8], other: &[u8]) -> Outcome<Json> {
        self.check_client(nickname)?;
        if nickname == other {
            return refused("own-directory");
        }
        self.check_client(other)?;
        let linked = self.clients.get(other).and_then(|other| other.linked);
        let client = self.clients.entry(nickname.to_vec()).or_default();
        let Some(place) = linked.filter(|place| client.seen.get(other) != Some(place)) else {
            return Ok(reported(None, 0));
        };
        let found = &self.versions[place];
        let decided = decided(client, found);
        let required = required(&self.dag, client.version, place);
        client.last_downloaded = Some(found.content.clone());
        client.seen.insert(other.to_vec(), place);
        if decided == Classification::Overwrite {
            client.version = Some(place);
        }
        Ok(reported(Some((decided, required)), DOWNLOAD))
    }
}

/// CD-OLD-CLASSIFY
fn decided(client: &Client, found: &Version) -> Classification {
    let answers = found.last_downloaded.is_some() && found.last_downloaded == client.last_uploaded;
    match client.version.is_none() || answers {
        true => Classification::Overwrite,
        false => Classification::Conflict,
    }
}

fn required(dag: &Dag<usize>, ours: Option<usize>, theirs: usize) -> Classification {
    match ours {
        None => Classification::Overwrite,
        Some(ours) if follows(dag, &theirs, &ours) => Classification::Overwrite,
        Some(ours) if ours == theirs => Classification::Same,
        Some(ours) if follows(dag, &ours, &theirs) => Classification::Stale,
        Some(_) => Classification::Conflict,
    }
}

fn reported(found: Option<(Classification, Classification)>, total: i128) -> Json {
    let name = |it: Option<Classification>| it.map_or(Json::Null, |it| Json::text(it.name()));
    Json::object([
        ("classification", name(found.map(|(decided, _)| decided))),
        ("required", name(found.map(|(_, required)| required))),
        ("total", Json::Int(total)),
    ])
}

pub fn run_old_design(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["clients", "steps"])?;
    let mut folder = Folder::default();
    for nickname in input.texts("clients")? {
        check_nickname(nickname)?;
        if folder
            .clients
            .insert(nickname.to_vec(), Client::default())
            .is_some()
        {
            return refused("client-exists");
        }
    }
    let mut steps = Vec::new();
    for step in input.list("steps")? {
        let step = Input::of(step, &["client", "edit", "poll"])?;
        let client = step.text("client")?;
        steps.push(match step.has("edit") {
            true => folder.edit(client, step.text("edit")?)?,
            false => folder.poll(client, step.text("poll")?)?,
        });
    }
    Ok(Json::object([("steps", Json::List(steps))]))
}
