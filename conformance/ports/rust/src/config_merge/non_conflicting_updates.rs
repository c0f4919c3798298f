//! Creates the message with which a client changes the data. Section "Non-conflicting updates".

use super::application_data::Dict;
use super::conflict_resolution::Merge;
use super::diff_updates::{self, Diff};
use super::ignored_updates::set_aside;
use super::messages::{next_seqno, Context, Rank};
use super::outer_metadata::{write, Draft, Message, Row};
use crate::bt;
use crate::crypto::blake2b_32;
use crate::failure::{refused, Outcome};

/// The unsent message of seqno 0 at the beginning of one reading (CM-E37).
const MESSAGE_ZERO: &[u8] = b"d1:#i0e1:&de1:<le1:=dee";

/// Update a list of messages to new data.
pub fn update(plaintexts: &[Vec<u8>], data: &Dict, context: &Context) -> Outcome<Vec<u8>> {
    if context.cannot_sign() {
        return refused("signing-key-missing");
    }
    if plaintexts.is_empty() {
        return Ok(first_message(data, context));
    }
    let survivors = set_aside(plaintexts, context)?.survivors;
    match survivors.as_slice() {
        [current] => follow(current, data, context),
        _ => Ok(Merge::of(&survivors, context)?.with_data(data, context)),
    }
}

/// CM-MESSAGE-FIRST
fn first_message(data: &Dict, context: &Context) -> Vec<u8> {
    let mut rows = Vec::new();
    if context.reading.first_message_lags_zero && context.within(0, 1) {
        rows.push(Row {
            rank: Rank {
                seqno: 0,
                hash: blake2b_32(MESSAGE_ZERO),
            },
            diff: Diff::new(),
        });
    }
    let draft = Draft {
        seqno: 1,
        data,
        rows: &rows,
        diff: &diff_updates::make(&Dict::new(), data),
        unknown: &bt::Dict::new(),
    };
    write(&draft, context)
}

fn follow(current: &Message, data: &Dict, context: &Context) -> Outcome<Vec<u8>> {
    let newseqno = next_seqno(current.rank.seqno)?;
    let own = Row {
        rank: current.rank,
        diff: current.diff.clone(),
    };
    let rows: Vec<Row> = current
        .rows
        .iter()
        .chain([&own])
        .filter(|row| context.within(row.rank.seqno, newseqno))
        .cloned()
        .collect();
    let draft = Draft {
        seqno: newseqno,
        data,
        rows: &rows,
        diff: &diff_updates::make(&current.data, data),
        unknown: &current.unknown,
    };
    Ok(write(&draft, context))
}
