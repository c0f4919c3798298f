//! The keys of a message, lagged rows, and writing a message. Sections "Outer metadata" and
//! "Config diffs".

use std::collections::BTreeMap;

use super::application_data::{self, Dict};
use super::diff_updates::{self, Diff};
use super::expired_rows;
use super::messages::{Context, Rank, MAX_SEQNO};
use super::signatures;
use crate::bt::{self, Value};
use crate::crypto::blake2b_32;
use crate::failure::{refused, Outcome};

/// A lagged row: an earlier message and its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub rank: Rank,
    pub diff: Diff,
}

#[derive(Debug, Clone)]
pub struct Message {
    pub plaintext: Vec<u8>,
    pub rank: Rank,
    pub data: Dict,
    /// Without expired rows.
    pub rows: Vec<Row>,
    pub diff: Diff,
    pub unknown: bt::Dict,
    pub signature: Option<[u8; 64]>,
    /// The number of bytes that a signature covers, from the first one.
    pub signed_length: usize,
}

/// Parse the plaintext of a message. Refuses a plaintext that breaks a rule.
pub fn parse(plaintext: &[u8], context: &Context) -> Outcome<Message> {
    let reading = context.reading;
    let kept = match reading.check_expired_lagged_rows {
        true => None,
        false => expired_rows::cut(plaintext, context),
    };
    let cut = kept.as_ref().map_or(0, |kept| plaintext.len() - kept.len());
    let decoded = bt::decode(
        kept.as_deref().unwrap_or(plaintext),
        reading.strict_encoding,
    )?;
    let Value::Dict(mut keys) = decoded.value else {
        return refused("not-a-dict");
    };
    check_outermost_keys(&keys)?;
    let Some(last_key) = keys.last_key_value().map(|(key, _)| key.clone()) else {
        return refused("seqno-missing");
    };
    let seqno = match keys.remove(&b"#"[..]) {
        Some(Value::Int(seqno)) if (0..=MAX_SEQNO).contains(&seqno) => seqno,
        Some(Value::Int(_)) => return refused("seqno-out-of-range"),
        Some(_) => return refused("seqno-type"),
        None => return refused("seqno-missing"),
    };
    let data = match keys.remove(&b"&"[..]) {
        Some(value) => application_data::from_value(value, reading)?,
        None => return refused("data-missing"),
    };
    // CM-E12: a missing key is accepted if a later key follows.
    let may_lack = |key: &[u8]| !reading.require_diff_fields && last_key.as_slice() > key;
    let rows = match keys.remove(&b"<"[..]) {
        Some(Value::List(list)) => parse_rows(list, seqno, context)?,
        Some(_) => return refused("lagged-type"),
        None if may_lack(b"<") => Vec::new(),
        None => return refused("lagged-missing"),
    };
    let diff = match keys.remove(&b"="[..]) {
        Some(value) => diff_updates::from_value(value, reading)?,
        None if may_lack(b"=") => Diff::new(),
        None => return refused("diff-missing"),
    };
    let signature = match keys.remove(&b"~"[..]) {
        Some(Value::Str(text)) => match <[u8; 64]>::try_from(text) {
            Ok(signature) => Some(signature),
            Err(_) => return refused("signature-length"),
        },
        Some(_) => return refused("signature-length"),
        None => None,
    };
    let signed_length = cut
        + match decoded.top_keys.get(&b"~"[..]) {
            Some((_, end)) if reading.signature_key_padding_signed => end - b"1:~".len(),
            Some((start, _)) => *start,
            None => decoded.end - 1,
        };
    let message = Message {
        plaintext: plaintext.to_vec(),
        rank: Rank {
            seqno,
            hash: blake2b_32(plaintext),
        },
        data,
        rows,
        diff,
        unknown: keys,
        signature,
        signed_length,
    };
    if let Some(key) = &context.verify_key {
        if !signatures::is_by(&message, key) {
            return match message.signature {
                Some(_) => refused("signature-invalid"),
                None => refused("signature-missing"),
            };
        }
    }
    Ok(message)
}

/// CM-OUTER-MAJOR-VERSION, CM-OUTER-AFTER-TILDE
fn check_outermost_keys(keys: &bt::Dict) -> Outcome<()> {
    if keys.keys().next().is_some_and(|key| key.as_slice() < b"#") {
        return refused("major-version-break");
    }
    if keys.keys().any(|key| key.as_slice() > b"~") {
        return refused("key-after-signature");
    }
    Ok(())
}

fn parse_rows(list: Vec<Value>, seqno: i64, context: &Context) -> Outcome<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last: Option<Rank> = None;
    for value in list {
        let Value::List(row) = value else {
            return refused("row-shape");
        };
        let row_seqno = match row.first() {
            Some(Value::Int(row_seqno)) => *row_seqno,
            _ => return refused("row-shape"),
        };
        let expired = !context.within(row_seqno, seqno);
        let negative = row_seqno < 0 && context.reading.negative_row_seqnos_invalid;
        if negative || row_seqno >= seqno {
            return refused("row-seqno");
        }
        let Ok([_, Value::Str(hash), diff @ Value::Dict(_)]) = <[Value; 3]>::try_from(row) else {
            return refused("row-shape");
        };
        let Ok(hash) = hash.try_into() else {
            return refused("row-hash-length");
        };
        let rank = Rank {
            seqno: row_seqno,
            hash,
        };
        if last.is_some_and(|last| last >= rank) {
            return refused("rows-not-ascending");
        }
        last = Some(rank);
        let diff = diff_updates::from_value(diff, context.reading)?;
        if !expired {
            rows.push(Row { rank, diff });
        }
    }
    Ok(rows)
}

/// The parts of a new message.
pub struct Draft<'a> {
    pub seqno: i64,
    pub data: &'a Dict,
    pub rows: &'a [Row],
    pub diff: &'a Diff,
    pub unknown: &'a bt::Dict,
}

/// Write a message, signed if the context has a key (CM-OUTER-SERIALISE, CM-SIGN-MADE).
pub fn write(draft: &Draft, context: &Context) -> Vec<u8> {
    let mut keys: BTreeMap<Vec<u8>, Value> = draft.unknown.clone();
    keys.insert(b"#".to_vec(), Value::Int(draft.seqno));
    keys.insert(b"&".to_vec(), application_data::to_value(draft.data));
    keys.insert(
        b"<".to_vec(),
        Value::List(draft.rows.iter().map(row_value).collect()),
    );
    keys.insert(b"=".to_vec(), diff_updates::to_value(draft.diff));
    let unsigned = bt::encode_dict(&keys);
    match &context.signing_key {
        None => unsigned,
        Some(seed) => signatures::signed(&unsigned[..unsigned.len() - 1], seed),
    }
}

fn row_value(row: &Row) -> Value {
    Value::List(vec![
        Value::Int(row.rank.seqno),
        Value::Str(row.rank.hash.to_vec()),
        diff_updates::to_value(&row.diff),
    ])
}
