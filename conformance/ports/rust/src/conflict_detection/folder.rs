//! A shared folder: the grid, and the clients with their files.

use std::collections::{BTreeMap, BTreeSet};

use super::action_steps::Step;
use super::definitions::{check_nickname, MARK};
use super::local_file::LocalFile;
use super::reading::Reading;
use super::snapshots::{Capability, Snapshot};
use super::version_dag::{past, Dag};
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

/// A link of a directory: a version, and its content unless it is a deletion.
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
    /// Snapshots that no lease kept.
    pub collected: BTreeSet<Capability>,
    /// Snapshots with a bad signature.
    pub forged: BTreeSet<Capability>,
    /// Nickname -> path -> link.
    pub directories: BTreeMap<Text, BTreeMap<Text, Link>>,
}

#[derive(Clone)]
pub struct Client {
    pub nickname: Text,
    pub signing_key: Option<[u8; 32]>,
    pub online: bool,
    pub subscriptions: BTreeSet<Text>,
    pub files: BTreeMap<Text, LocalFile>,
    /// The files at the time of the last backup.
    pub backup: Option<BTreeMap<Text, LocalFile>>,
    /// Whether the next snapshot gets a bad signature.
    pub forges: bool,
}

impl Client {
    /// CD-PATH-BLOCKED: whether a local file is in a folder of this name, or has the name of a
    /// folder on its way.
    pub fn is_blocked(&self, name: &[u8]) -> bool {
        let names = self.files.iter().flat_map(|(path, file)| {
            let own = file.content.is_some().then(|| path.clone());
            let held = file
                .conflicts
                .iter()
                .filter(|(_, held)| held.content.is_some());
            let beside = held.map(|(nickname, _)| [path, MARK, nickname].concat());
            own.into_iter().chain(beside)
        });
        names.into_iter().any(|other| in_the_way(&other, name))
    }
}

/// Whether no file can have the name while another file is there.
pub fn in_the_way(file: &[u8], name: &[u8]) -> bool {
    let below = |path: &[u8], folder: &[u8]| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with(b"/"))
    };
    below(file, name) || below(name, file)
}

/// The number of remote operations, by kind.
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
    /// The operations of the current step so far.
    pub operations: Operations,
    /// The steps of the current step of a scenario so far, if they are wanted.
    pub steps: Option<Vec<Step>>,
}

impl Folder {
    pub fn new(design: Design, reading: &'static Reading) -> Folder {
        Folder {
            design,
            reading,
            grid: Grid::default(),
            clients: BTreeMap::new(),
            operations: Operations::default(),
            steps: None,
        }
    }

    /// Add a client without files. It and the existing clients subscribe to each other.
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
            backup: None,
            forges: false,
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
            file.forget(other);
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
        self.grid.collected.remove(&capability);
        capability
    }

    /// All clients renew their leases on what they link, and the grid drops the rest.
    pub fn collect_garbage(&mut self) {
        let links = self.grid.directories.values().flat_map(BTreeMap::values);
        if self.design == Design::VersionMaps {
            let contents: BTreeSet<Capability> = links.filter_map(|link| link.content).collect();
            self.grid.contents.retain(|each, _| contents.contains(each));
            return;
        }
        let linked = links.filter_map(|link| match link.version {
            Version::Snapshot(capability) => Some(capability),
            Version::Map(_) => None,
        });
        let kept = past(&self.grid.snapshots, linked.collect::<Vec<_>>());
        let all = self.grid.snapshots.keys().copied();
        self.grid
            .collected
            .extend(all.filter(|each| !kept.contains(each)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::definitions::Classification;
    use super::super::reading::{LITERAL, REPAIRED};
    use super::*;

    const FOO: &[u8] = b"foo";

    struct Story(Folder);

    impl Story {
        fn new(reading: &'static Reading) -> Story {
            let mut folder = Folder::new(Design::Snapshots, reading);
            for nickname in ["A", "B", "C", "D"] {
                folder.add_client(&nickname.into(), None).unwrap();
            }
            Story(folder)
        }

        fn edit(&mut self, nickname: &str, content: &str) {
            let (nickname, foo) = (nickname.into(), FOO.to_vec());
            self.0.edit(&nickname, &foo, content.as_bytes()).unwrap();
        }

        fn poll(&mut self, nickname: &str, other: &str) -> Option<Classification> {
            let foo = FOO.to_vec();
            self.0
                .poll(&nickname.into(), &other.into(), &foo, false)
                .unwrap()
        }

        fn everyone_polls_everyone(&mut self) {
            for (one, other) in [
                "AB", "AC", "AD", "BA", "BC", "BD", "CA", "CB", "CD", "DA", "DB", "DC",
            ]
            .map(|pair| pair.split_at(1))
            {
                self.poll(one, other);
            }
        }

        fn conflict_files(&self, nickname: &str) -> Vec<String> {
            let file = &self.0.clients[nickname.as_bytes()].files[FOO];
            let files = self.0.conflict_files(FOO, file).into_iter();
            files
                .map(|each| String::from_utf8(each.name).unwrap())
                .collect()
        }
    }

    /// CD-FOUR-PARTIES, stages 1 to 8.
    #[test]
    fn four_parties() {
        for (reading, of_a) in [
            (
                &REPAIRED,
                vec!["foo.conflict-B", "foo.conflict-C", "foo.conflict-D"],
            ),
            (&LITERAL, vec!["foo.conflict-B,D", "foo.conflict-C"]),
        ] {
            let mut story = Story::new(reading);
            story.edit("A", "X");
            story.everyone_polls_everyone();
            story.edit("A", "XA");
            story.edit("B", "XB");
            assert_eq!(story.poll("C", "A"), Some(Classification::Overwrite));
            assert_eq!(story.poll("D", "B"), Some(Classification::Overwrite));
            story.everyone_polls_everyone();
            assert_eq!(
                story.conflict_files("C").len(),
                if reading.followed_is_stale { 2 } else { 1 }
            );
            story.edit("A", "XA3");
            story.edit("C", "XC3");
            story.everyone_polls_everyone();
            assert_eq!(story.conflict_files("A"), of_a);
            let (d, foo) = ("D".into(), FOO.to_vec());
            let others = ["A".into(), "C".into()];
            story
                .0
                .resolve(&d, &foo, &others, Some(b"merged".to_vec()))
                .unwrap();
            for other in ["A", "B", "C"] {
                assert_eq!(story.poll(other, "D"), Some(Classification::Overwrite));
                assert!(story.conflict_files(other).is_empty());
            }
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let mut story = Story::new(&REPAIRED);
        let (a, b, foo) = ("A".into(), "B".into(), FOO.to_vec());
        let folder = &mut story.0;
        assert!(folder.delete(&a, &foo).is_err());
        assert!(folder.undelete(&a, &foo, b"x").is_err());
        assert!(folder.rename(&a, &foo, &b"bar".to_vec()).is_err());
        assert!(folder.resolve(&a, &foo, &[b], None).is_err());
        assert!(folder.poll(&a, &"Z".into(), &foo, false).is_err());
        assert!(folder.poll(&a, &a.clone(), &foo, false).is_err());
        assert!(folder.edit(&"Z".into(), &foo, b"x").is_err());
    }
}
