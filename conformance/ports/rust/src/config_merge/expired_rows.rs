//! The reading `libsession` looks at nothing of an expired row but its seqno (CM-E15). Such rows are
//! cut out before a message is decoded, because the decoder would check them.

use super::messages::Context;

/// The plaintext without its expired rows; nothing if there are none. Bytes that are no message
/// are left to the decoder, which finds their fault.
pub fn cut(plaintext: &[u8], context: &Context) -> Option<Vec<u8>> {
    let (list, seqno) = lagged_list(plaintext)?;
    let mut kept = plaintext[..list].to_vec();
    let mut at = list;
    while *plaintext.get(at)? != b'e' {
        let end = skip(plaintext, at)?;
        if !begins_expired(&plaintext[at..end], seqno, context)? {
            kept.extend(&plaintext[at..end]);
        }
        at = end;
    }
    kept.extend(&plaintext[at..]);
    Some(kept)
}

/// Where the first row begins, and the seqno of the message.
fn lagged_list(plaintext: &[u8]) -> Option<(usize, i64)> {
    let mut seqno = None;
    let mut at = 1;
    if plaintext.first() != Some(&b'd') {
        return None;
    }
    while *plaintext.get(at)? != b'e' {
        let (key, value) = string(plaintext, at)?;
        match (key, plaintext.get(value)?) {
            (b"#", b'i') => seqno = Some(integer(plaintext, value)?),
            (b"<", b'l') => return Some((value + 1, seqno?)),
            _ => {}
        }
        at = skip(plaintext, value)?;
    }
    None
}

/// Whether a row begins with a seqno that is outside the window; nothing if it is out of range.
fn begins_expired(row: &[u8], seqno: i64, context: &Context) -> Option<bool> {
    if !row.starts_with(b"li") {
        return Some(false);
    }
    Some(!context.within(integer(row, 1)?, seqno))
}

enum Due {
    Element,
    Key,
    Value,
}

/// Where a value ends. Order, ranges, leading zeros and depth do not matter.
fn skip(bytes: &[u8], start: usize) -> Option<usize> {
    let mut open: Vec<Due> = Vec::new();
    let mut at = start;
    loop {
        match (open.last(), *bytes.get(at)?) {
            (_, b'0'..=b'9') => at = string(bytes, at)?.1,
            (Some(Due::Element | Due::Key), b'e') => {
                open.pop();
                at += 1;
            }
            (Some(Due::Key), _) => return None,
            (_, b'i') => at = digits_end(bytes, at)? + 1,
            (_, b'l') => {
                open.push(Due::Element);
                at += 1;
                continue;
            }
            (_, b'd') => {
                open.push(Due::Key);
                at += 1;
                continue;
            }
            _ => return None,
        }
        match open.last_mut() {
            None => return Some(at),
            Some(due @ Due::Key) => *due = Due::Value,
            Some(due @ Due::Value) => *due = Due::Key,
            Some(Due::Element) => {}
        }
    }
}

/// A string, and where it ends.
fn string(bytes: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let colon = start
        + bytes[start..]
            .iter()
            .position(|byte| !byte.is_ascii_digit())?;
    if colon == start || bytes[colon] != b':' {
        return None;
    }
    let digits = std::str::from_utf8(&bytes[start..colon]).ok()?;
    let end = (colon + 1).checked_add(digits.parse().ok()?)?;
    Some((bytes.get(colon + 1..end)?, end))
}

/// Where the `e` of an integer is.
fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = start + 1 + usize::from(*bytes.get(start + 1)? == b'-');
    let end = first
        + bytes
            .get(first..)?
            .iter()
            .position(|byte| !byte.is_ascii_digit())?;
    (end > first && bytes[end] == b'e').then_some(end)
}

fn integer(bytes: &[u8], start: usize) -> Option<i64> {
    let digits = &bytes[start + 1..digits_end(bytes, start)?];
    std::str::from_utf8(digits).ok()?.parse().ok()
}
