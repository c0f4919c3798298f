//! A shared folder: the grid, and the clients with their files.

use std::collections::{BTreeMap, BTreeSet};

use super::definitions::check_nickname;
use super::reading::Reading;
use super::snapshots::{Capability, Snapshot};
use super::version_dag::Dag;
use super::version_maps::{self, VersionMap};
use crate::failure::{refused, Outcome};
use crate::json::Text;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    Snapshots,
    VersionMaps,
}

#[derive(Debug, Clone)]
pub enum Version {
    Snapshot(Capability),
    Map(VersionMap),
}

impl Version {
    pub fn is(&self, other: &Version) -> bool {
        match (self, other) {
            (Version::Snapshot(one), Version::Snapshot(other)) => one == other,
            (Version::Map(one), Version::Map(other)) => version_maps::same(one, other),
            _ => false,
        }
    }
}

/// What a directory links at a path: a version, and its content where it is no deletion.
#[derive(Debug, Clone)]
pub struct Link {
    pub version: Version,
    pub content: Option<Capability>,
}

/// Immutable objects, and the directories of the clients.
#[derive(Default)]
pub struct Grid {
    pub contents: BTreeMap<Capability, Vec<u8>>,
    /// The parents of every snapshot.
    pub snapshots: Dag<Capability>,
    /// Nickname -> path -> link.
    pub directories: BTreeMap<Text, BTreeMap<Text, Link>>,
}

/// A version of another client that is held as a conflict.
#[derive(Debug, Clone)]
pub struct Held {
    pub version: Version,
    /// What the conflict file holds; there is none for a deletion.
    pub content: Option<Vec<u8>>,
}

/// What was last seen at a path in another client's directory.
pub struct Seen {
    /// The version that was last linked there.
    pub version: Version,
    /// Whether it was still linked at the last look.
    pub linked: bool,
}

/// What a client has of one abstract file.
#[derive(Default)]
pub struct LocalFile {
    /// What stands on the disk; nothing where the file is deleted.
    pub content: Option<Vec<u8>>,
    pub version: Option<Version>,
    /// Whether the current version is a deletion.
    pub deleted: bool,
    /// By the other client's nickname.
    pub conflicts: BTreeMap<Text, Held>,
    pub seen: BTreeMap<Text, Seen>,
    pub cache: Dag<Capability>,
    /// What was done to the file offline, if anything: the versions of the conflict files that
    /// went away, by client.
    pub changed_offline: Option<BTreeMap<Text, Version>>,
}

pub struct Client {
    pub nickname: Text,
    pub signing_key: Option<[u8; 32]>,
    pub online: bool,
    pub subscriptions: BTreeSet<Text>,
    pub files: BTreeMap<Text, LocalFile>,
}

/// How many remote operations something takes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Operations {
    pub content_uploads: i128,
    pub snapshot_uploads: i128,
    pub directory_updates: i128,
    pub snapshot_downloads: i128,
    pub content_downloads: i128,
    pub directory_reads: i128,
}

pub struct Folder {
    pub design: Design,
    pub reading: &'static Reading,
    pub grid: Grid,
    pub clients: BTreeMap<Text, Client>,
    /// What the step at hand took so far.
    pub operations: Operations,
}

impl Folder {
    pub fn new(design: Design, reading: &'static Reading) -> Folder {
        Folder {
            design,
            reading,
            grid: Grid::default(),
            clients: BTreeMap::new(),
            operations: Operations::default(),
        }
    }

    /// Add a client without files; it and those that are there subscribe to each other.
    pub fn add_client(&mut self, nickname: &Text, signing_key: Option<[u8; 32]>) -> Outcome<()> {
        check_nickname(nickname)?;
        if self.clients.contains_key(nickname) {
            return refused("client-exists");
        }
        for other in self.clients.values_mut() {
            other.subscriptions.insert(nickname.clone());
        }
        let client = Client {
            nickname: nickname.clone(),
            signing_key,
            online: true,
            subscriptions: self.clients.keys().cloned().collect(),
            files: BTreeMap::new(),
        };
        self.clients.insert(nickname.clone(), client);
        self.grid
            .directories
            .insert(nickname.clone(), BTreeMap::new());
        Ok(())
    }

    pub fn client(&mut self, nickname: &Text) -> Outcome<&mut Client> {
        match self.clients.get_mut(nickname) {
            Some(client) => Ok(client),
            None => refused("unknown-client"),
        }
    }

    pub fn subscribe(&mut self, nickname: &Text, other: &Text) -> Outcome<()> {
        let known = self.clients.contains_key(other);
        let client = self.client(nickname)?;
        if !known {
            return refused("unknown-client");
        }
        if nickname == other {
            return refused("own-directory");
        }
        match client.subscriptions.insert(other.clone()) {
            true => Ok(()),
            false => refused("already-subscribed"),
        }
    }

    /// CD-UNSUBSCRIBE
    pub fn unsubscribe(&mut self, nickname: &Text, other: &Text) -> Outcome<()> {
        let client = self.client(nickname)?;
        if !client.subscriptions.remove(other) {
            return refused("not-subscribed");
        }
        for file in client.files.values_mut() {
            file.conflicts.remove(other);
            file.seen.remove(other);
        }
        Ok(())
    }

    pub fn link(&mut self, nickname: &Text, path: &Text, link: Link) {
        let directory = self.grid.directories.entry(nickname.clone()).or_default();
        directory.insert(path.clone(), link);
    }

    pub fn linked(&self, nickname: &Text, path: &Text) -> Option<&Link> {
        self.grid.directories.get(nickname)?.get(path)
    }

    /// Store a snapshot on the grid.
    pub fn store(&mut self, snapshot: &Snapshot) -> Capability {
        let capability = snapshot.capability();
        let parents = snapshot.parents.clone();
        self.grid.snapshots.insert(capability, parents);
        capability
    }
}
