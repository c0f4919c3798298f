//! The ground truth of a file: who had which version, and which version follows which.
//!
//! It depends on the uploads and the overwrites of the design, and on nothing else. A set of versions
//! is an integer: bit n stands for version number n, in the order of uploads.

use std::collections::BTreeMap;

use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::Version;
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::json::Text;

pub type Bits = u128;

/// A history that this module cannot hold. The reference then examines it.
pub type Held<T> = Result<T, String>;

/// A version as a key: a missing entry of a version map is the same as one of 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Snapshot(Capability),
    Map(Vec<(Text, i64)>),
}

pub fn key_of(version: &Version) -> Key {
    match version {
        Version::Snapshot(capability) => Key::Snapshot(*capability),
        Version::Map(map) => {
            let entries = map.iter().filter(|(_, number)| **number != 0);
            Key::Map(
                entries
                    .map(|(name, number)| (name.clone(), *number))
                    .collect(),
            )
        }
    }
}

/// The versions of a set, in ascending order.
pub fn numbers_in(mut bits: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(lowest)
    })
}

/// The right classification of `theirs` for a client that has `ours`, or no version.
pub fn classify_by_closure(closure: &[Bits], ours: Option<usize>, theirs: usize) -> Classification {
    match ours {
        None => Classification::Overwrite,
        Some(ours) if closure[theirs] >> ours & 1 == 1 => Classification::Overwrite,
        Some(ours) if ours == theirs => Classification::Same,
        Some(ours) if closure[ours] >> theirs & 1 == 1 => Classification::Stale,
        Some(_) => Classification::Conflict,
    }
}

/// See `FileTruth` in the suite's `systems/conflict_detection/ground_truth.py`.
#[derive(Default)]
pub struct FileTruth {
    numbers: BTreeMap<Key, usize>,
    pub follows: Vec<Bits>,
    pub contents: Vec<Option<Vec<u8>>>,
    pub had: BTreeMap<Text, Bits>,
    pub current: BTreeMap<Text, usize>,
    pub doubled: bool,
}

impl FileTruth {
    pub fn number(&self, key: &Key) -> Held<usize> {
        let known = self.numbers.get(key).copied();
        known.ok_or_else(|| "a version that nobody uploaded".to_string())
    }

    pub fn had(&self, client: &Text) -> Bits {
        self.had.get(client).copied().unwrap_or(0)
    }

    /// Add a version that a client made and that resolves conflicts.
    pub fn upload(
        &mut self,
        client: &Text,
        version: Key,
        resolved: &[Key],
        content: &Option<Vec<u8>>,
    ) -> Held<()> {
        let mut had = self.had(client);
        for each in resolved {
            had |= 1 << self.number(each)?;
        }
        let number = match self.numbers.get(&version) {
            Some(known) => {
                self.doubled = true;
                *known
            }
            None => {
                let number = self.follows.len();
                if number >= Bits::BITS as usize {
                    return Err("too many versions".to_string());
                }
                let mask = numbers_in(had).fold(had, |mask, each| mask | self.follows[each]);
                self.follows.push(mask);
                self.contents.push(content.clone());
                self.numbers.insert(version, number);
                number
            }
        };
        self.had.insert(client.clone(), had | 1 << number);
        self.current.insert(client.clone(), number);
        Ok(())
    }

    /// Record that a version overwrote a client's file.
    pub fn overwrite(&mut self, client: &Text, version: &Key) -> Held<()> {
        let number = self.number(version)?;
        self.had
            .insert(client.clone(), self.had(client) | 1 << number);
        self.current.insert(client.clone(), number);
        Ok(())
    }

    /// Record that a client has an earlier version again, or none, and what this follows.
    pub fn set_back(&mut self, client: &Text, version: Option<Key>) -> Held<()> {
        let Some(version) = version else {
            self.had.remove(client);
            self.current.remove(client);
            return Ok(());
        };
        let number = self.number(&version)?;
        self.had
            .insert(client.clone(), self.follows[number] | 1 << number);
        self.current.insert(client.clone(), number);
        Ok(())
    }

    /// The right classification of a poll by a client that finds `theirs`.
    pub fn expected(&self, client: &Text, theirs: &Key) -> Held<Classification> {
        let ours = self.current.get(client).copied();
        Ok(classify_by_closure(
            &self.follows,
            ours,
            self.number(theirs)?,
        ))
    }

    /// Whether a version is `later`, or `later` follows it.
    pub fn is_behind(&self, number: usize, later: usize) -> bool {
        number == later || self.follows[later] >> number & 1 == 1
    }

    pub fn is_deletion(&self, version: &Key) -> Held<bool> {
        Ok(self.contents[self.number(version)?].is_none())
    }

    pub fn deletions(&self) -> Bits {
        let each = self.contents.iter().enumerate();
        each.filter(|(_, content)| content.is_none())
            .fold(0, |bits, (number, _)| bits | 1 << number)
    }
}
