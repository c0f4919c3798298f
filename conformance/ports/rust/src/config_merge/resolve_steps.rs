//! The steps of a resolution, for those who want to see it work. Section "The steps of a resolution".

use super::application_data::{self, Dict};
use super::diff_updates::{self, Diff};
use super::ignored_updates::Why;
use super::messages::Rank;
use crate::crypto::Hash;

/// One step (CM-STEPS-TYPES). Data and diffs are encoded.
pub enum Step {
    Ignore(usize, Why),
    Survivors(Vec<Rank>),
    /// No merge: the survivor that is the result, and whether it is the only one.
    Result(Rank, bool),
    Seqno(i64),
    Base(Rank, Vec<u8>),
    Replay(Replay),
    Prune(Vec<u8>),
    Keep(Vec<Rank>),
    Message(Vec<u8>),
}

/// An entry of the replay set, its source and the data after it.
pub struct Replay {
    pub entry: Rank,
    pub diff: Vec<u8>,
    pub source: Hash,
    pub data: Vec<u8>,
}

impl Replay {
    pub fn of(entry: Rank, diff: &Diff, source: Rank, data: &Dict) -> Replay {
        Replay {
            entry,
            diff: diff_updates::encode(diff),
            source: source.hash,
            data: application_data::encode(data),
        }
    }
}

impl Step {
    /// The name of the step, and the clause that it follows.
    pub fn name(&self) -> (&'static str, &'static str) {
        match self {
            Step::Ignore(_, Why::Invalid) => ("ignore", "CM-IGNORE-INVALID"),
            Step::Ignore(_, Why::Duplicate) => ("ignore", "CM-IGNORE-DUPLICATE"),
            Step::Ignore(_, Why::Stale) => ("ignore", "CM-IGNORE-STALE"),
            Step::Ignore(_, Why::Included) => ("ignore", "CM-IGNORE-INCLUDED"),
            Step::Survivors(_) => ("survivors", "CM-RESOLVE-ORDER"),
            Step::Result(_, true) => ("result", "CM-RESOLVE-SINGLE"),
            Step::Result(_, false) => ("result", "CM-SIGN-CANNOT-MERGE"),
            Step::Seqno(_) => ("seqno", "CM-RESOLVE-SEQNO"),
            Step::Base(..) => ("base", "CM-RESOLVE-BASE"),
            Step::Replay(replay) => match replay.entry.hash == replay.source {
                true => ("replay", "CM-RESOLVE-REPLAY-OWN"),
                false => ("replay", "CM-RESOLVE-REPLAY-LAGGED"),
            },
            Step::Prune(_) => ("prune", "CM-RESOLVE-PRUNE"),
            Step::Keep(_) => ("keep", "CM-RESOLVE-LAGGED"),
            Step::Message(_) => ("message", "CM-RESOLVE-DIFF-EMPTY"),
        }
    }
}

/// Keeps steps, or ignores them if nobody wants them.
#[derive(Default)]
pub struct Recorder(Option<Vec<Step>>);

impl Recorder {
    pub fn keeping() -> Recorder {
        Recorder(Some(Vec::new()))
    }

    pub fn note(&mut self, step: impl FnOnce() -> Step) {
        if let Some(steps) = &mut self.0 {
            steps.push(step());
        }
    }

    pub fn steps(self) -> Vec<Step> {
        self.0.unwrap_or_default()
    }
}
