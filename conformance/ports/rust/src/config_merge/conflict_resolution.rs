//! Resolves a list of messages to one message. Section "Conflict resolution".

use std::collections::BTreeMap;

use super::application_data::{self, prune, Dict};
use super::diff_updates::{self, Diff};
use super::ignored_updates::{set_aside, Why};
use super::messages::{next_seqno, Context, Rank};
use super::outer_metadata::{write, Draft, Message, Row};
use super::resolve_steps::{Recorder, Replay, Step};
use crate::bt;
use crate::failure::{refused, Outcome};

#[derive(Debug)]
pub struct Resolved {
    pub plaintext: Vec<u8>,
    pub merged: bool,
    pub ignored: Vec<(usize, Why)>,
}

/// Resolve a list of messages.
pub fn resolve(plaintexts: &[Vec<u8>], context: &Context) -> Outcome<Resolved> {
    resolve_noting(plaintexts, context, &mut Recorder::default())
}

/// Resolve a list of messages, and note the steps.
pub fn resolve_noting(
    plaintexts: &[Vec<u8>],
    context: &Context,
    recorder: &mut Recorder,
) -> Outcome<Resolved> {
    let sorted = set_aside(plaintexts, context)?;
    let survivors = &sorted.survivors;
    for (index, why) in &sorted.ignored {
        recorder.note(|| Step::Ignore(*index, *why));
    }
    recorder.note(|| Step::Survivors(survivors.iter().map(|message| message.rank).collect()));
    let merged = survivors.len() > 1 && !context.cannot_sign();
    let plaintext = if merged {
        let message = Merge::noting(survivors, context, recorder)?.message(context);
        recorder.note(|| Step::Message(message.clone()));
        message
    } else {
        let result = highest(survivors)?;
        recorder.note(|| Step::Result(result.rank, survivors.len() == 1));
        result.plaintext.clone()
    };
    Ok(Resolved {
        plaintext,
        merged,
        ignored: sorted.ignored,
    })
}

fn highest(survivors: &[Message]) -> Outcome<&Message> {
    match survivors.last() {
        Some(message) => Ok(message),
        None => refused("no-valid-message"),
    }
}

/// The parts of a merge, without its own diff.
pub struct Merge {
    seqno: i64,
    data: Dict,
    rows: Vec<Row>,
    unknown: bt::Dict,
}

impl Merge {
    /// Merge survivors, in ascending rank.
    pub fn of(survivors: &[Message], context: &Context) -> Outcome<Merge> {
        Merge::noting(survivors, context, &mut Recorder::default())
    }

    fn noting(survivors: &[Message], context: &Context, recorder: &mut Recorder) -> Outcome<Merge> {
        let base = highest(survivors)?;
        let seqno = next_seqno(base.rank.seqno)?;
        let replay = replay_set(survivors, seqno, context);
        let mut data = base.data.clone();
        recorder.note(|| Step::Seqno(seqno));
        recorder.note(|| Step::Base(base.rank, application_data::encode(&data)));
        for (entry, (diff, source)) in &replay {
            diff_updates::apply(&mut data, diff, &source.data, context.reading);
            if context.reading.prune_after_each_entry {
                prune(&mut data);
            }
            recorder.note(|| Step::Replay(Replay::of(*entry, diff, source.rank, &data)));
        }
        prune(&mut data);
        if !context.reading.prune_after_each_entry {
            recorder.note(|| Step::Prune(application_data::encode(&data)));
        }
        let rows: Vec<Row> = replay
            .iter()
            .filter(|(rank, _)| context.within(rank.seqno, seqno))
            .map(|(rank, (diff, _))| Row {
                rank: *rank,
                diff: (*diff).clone(),
            })
            .collect();
        recorder.note(|| Step::Keep(rows.iter().map(|row| row.rank).collect()));
        let unknown = if context.reading.unknown_keys_kept_on_merge {
            base.unknown.clone()
        } else {
            bt::Dict::new()
        };
        Ok(Merge {
            seqno,
            data,
            rows,
            unknown,
        })
    }

    /// The merge without a local change.
    pub fn message(&self, context: &Context) -> Vec<u8> {
        self.with_data(&self.data, context)
    }

    /// The merge with a local change to these data (CM-RESOLVE-LOCAL-CHANGE).
    pub fn with_data(&self, data: &Dict, context: &Context) -> Vec<u8> {
        write(
            &Draft {
                seqno: self.seqno,
                data,
                rows: &self.rows,
                diff: &diff_updates::make(&self.data, data),
                unknown: &self.unknown,
            },
            context,
        )
    }
}

/// The diffs to apply, by rank, each with the survivor whose data supply the values.
fn replay_set<'a>(
    survivors: &'a [Message],
    newseqno: i64,
    context: &Context,
) -> BTreeMap<Rank, (&'a Diff, &'a Message)> {
    let mut replay = BTreeMap::new();
    for survivor in survivors {
        replay.insert(survivor.rank, (&survivor.diff, survivor));
    }
    for survivor in survivors.iter().rev() {
        for row in &survivor.rows {
            if context.reading.replay_cutoff && row.rank.seqno < newseqno - context.window {
                continue;
            }
            replay.entry(row.rank).or_insert((&row.diff, survivor));
        }
    }
    replay
}
