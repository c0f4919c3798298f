//! The common parts of all messages: hash, rank, seqno, window. Section "Messages".

use super::reading::Reading;
use crate::crypto::Hash;
use crate::failure::{refused, Outcome};

/// CM-MESSAGE-SEQNO-RANGE
pub const MAX_SEQNO: i64 = (1 << 62) - 1;
pub const DEFAULT_WINDOW: i64 = 5;
const MAX_WINDOW: i128 = (1 << 31) - 1;

/// The identity of a message, which also orders messages (CM-MESSAGE-RANK).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    pub seqno: i64,
    pub hash: Hash,
}

/// A client's settings for reading messages.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub reading: &'static Reading,
    /// N of "within N".
    pub window: i64,
    pub verify_key: Option<[u8; 32]>,
    /// The seed of the key that signs.
    pub signing_key: Option<[u8; 32]>,
}

impl Context {
    /// Whether a seqno is within the window of a message with the seqno `latest`.
    pub fn within(&self, seqno: i64, latest: i64) -> bool {
        seqno > latest - self.window
    }

    /// Signatures are required and this client cannot make one.
    pub fn cannot_sign(&self) -> bool {
        self.verify_key.is_some() && self.signing_key.is_none()
    }
}

pub fn checked_window(window: i128) -> Outcome<i64> {
    match i64::try_from(window) {
        Ok(small) if (1..=MAX_WINDOW).contains(&window) => Ok(small),
        _ => refused("bad-window"),
    }
}

/// The seqno after this one (CM-MESSAGE-SEQNO-EXHAUSTED).
pub fn next_seqno(seqno: i64) -> Outcome<i64> {
    if seqno >= MAX_SEQNO {
        return refused("seqno-exhausted");
    }
    Ok(seqno + 1)
}
