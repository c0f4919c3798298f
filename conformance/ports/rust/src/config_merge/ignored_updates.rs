//! Selects the messages of a list that count. Section "Ignored updates".

use std::collections::BTreeSet;

use super::messages::{Context, Rank};
use super::outer_metadata::{parse, Message};
use crate::failure::{refused, Outcome};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Invalid,
    Duplicate,
    Stale,
    Included,
}

impl Why {
    pub fn name(self) -> &'static str {
        match self {
            Why::Invalid => "invalid",
            Why::Duplicate => "duplicate",
            Why::Stale => "stale",
            Why::Included => "included",
        }
    }
}

#[derive(Debug)]
pub struct Sorted {
    /// The survivors, the highest-ranked last; never empty.
    pub survivors: Vec<Message>,
    pub ignored: Vec<(usize, Why)>,
}

/// Set aside the messages that do not count. Refuses if no message is valid.
pub fn set_aside(plaintexts: &[Vec<u8>], context: &Context) -> Outcome<Sorted> {
    let parsed: Vec<Option<Message>> = plaintexts
        .iter()
        .map(|plaintext| parse(plaintext, context).ok())
        .collect();
    let valid = || parsed.iter().flatten();
    let Some(max) = valid().map(|message| message.rank.seqno).max() else {
        return refused("no-valid-message");
    };
    let included: BTreeSet<Rank> = valid()
        .flat_map(|message| message.rows.iter().map(|row| row.rank))
        .collect();
    let mut seen: BTreeSet<Rank> = BTreeSet::new();
    let mut survivors = Vec::new();
    let mut ignored = Vec::new();
    for (index, message) in parsed.into_iter().enumerate() {
        let why = match &message {
            None => Some(Why::Invalid),
            Some(message) if !seen.insert(message.rank) => Some(Why::Duplicate),
            Some(message) if !context.within(message.rank.seqno, max) => Some(Why::Stale),
            Some(message) if included.contains(&message.rank) => Some(Why::Included),
            Some(_) => None,
        };
        match (why, message) {
            (Some(why), _) => ignored.push((index, why)),
            (None, message) => survivors.extend(message),
        }
    }
    survivors.sort_by_key(|message| message.rank);
    Ok(Sorted { survivors, ignored })
}
