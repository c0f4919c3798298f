//! bt-encoding: one canonical form of each value, and a decoder that refuses all other forms.
//! With `strict` false, the decoder accepts the two exceptions of the reading `libsession`.

use std::collections::BTreeMap;

use crate::failure::{refused, Outcome};

pub type Dict = BTreeMap<Vec<u8>, Value>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Int(i64),
    Str(Vec<u8>),
    List(Vec<Value>),
    Dict(Dict),
}

/// CM-BT-DEPTH: the maximum number of lists and dicts that are open at the same time.
pub const MAX_OPEN: usize = 100;

#[derive(Debug)]
pub struct Decoded {
    pub value: Value,
    /// The end of the value: the length of the input, unless trailing bytes are accepted.
    pub end: usize,
    /// Where each key of the outermost dict begins and ends.
    pub top_keys: BTreeMap<Vec<u8>, (usize, usize)>,
}

enum Open {
    List(Vec<Value>),
    Dict(Dict, Option<Vec<u8>>),
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    strict: bool,
}

/// Decode the input, which must be exactly one value.
pub fn decode(bytes: &[u8], strict: bool) -> Outcome<Decoded> {
    let mut decoder = Decoder {
        bytes,
        at: 0,
        strict,
    };
    let mut top_keys = BTreeMap::new();
    let value = decoder.value(&mut top_keys)?;
    if strict && decoder.at != bytes.len() {
        return refused("trailing-bytes");
    }
    Ok(Decoded {
        value,
        end: decoder.at,
        top_keys,
    })
}

impl Decoder<'_> {
    fn byte(&self) -> Outcome<u8> {
        match self.bytes.get(self.at) {
            Some(byte) => Ok(*byte),
            None => refused("truncated"),
        }
    }

    fn value(&mut self, top_keys: &mut BTreeMap<Vec<u8>, (usize, usize)>) -> Outcome<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let byte = self.byte()?;
            let depth = open.len();
            let done = match (open.last_mut(), byte) {
                (Some(Open::Dict(dict, None)), b'e') => {
                    self.at += 1;
                    let dict = std::mem::take(dict);
                    open.pop();
                    Value::Dict(dict)
                }
                (Some(Open::Dict(dict, key @ None)), b'0'..=b'9') => {
                    let start = self.at;
                    let name = self.string()?;
                    if dict.last_key_value().is_some_and(|(last, _)| *last >= name) {
                        return refused("keys-not-ascending");
                    }
                    if depth == 1 {
                        top_keys.insert(name.clone(), (start, self.at));
                    }
                    *key = Some(name);
                    continue;
                }
                (Some(Open::Dict(_, None)), _) => return refused("key-not-string"),
                (Some(Open::List(list)), b'e') => {
                    self.at += 1;
                    let list = std::mem::take(list);
                    open.pop();
                    Value::List(list)
                }
                (_, b'i') => Value::Int(self.integer()?),
                (_, b'0'..=b'9') => Value::Str(self.string()?),
                (_, b'l' | b'd') => {
                    if depth == MAX_OPEN {
                        return refused("nesting-too-deep");
                    }
                    self.at += 1;
                    open.push(match byte {
                        b'l' => Open::List(Vec::new()),
                        _ => Open::Dict(Dict::new(), None),
                    });
                    continue;
                }
                _ => return refused("unexpected-byte"),
            };
            match open.last_mut() {
                None => return Ok(done),
                Some(Open::List(list)) => list.push(done),
                Some(Open::Dict(dict, key)) => {
                    if let Some(key) = key.take() {
                        dict.insert(key, done);
                    }
                }
            }
        }
    }

    fn integer(&mut self) -> Outcome<i64> {
        self.at += 1;
        let negative = self.byte()? == b'-';
        if negative {
            self.at += 1;
        }
        let start = self.at;
        let mut value: Option<i64> = Some(0);
        loop {
            match self.byte()? {
                digit @ b'0'..=b'9' => {
                    let digit = i64::from(digit - b'0');
                    let signed = if negative { -digit } else { digit };
                    value = value
                        .and_then(|value| value.checked_mul(10))
                        .and_then(|value| value.checked_add(signed));
                }
                b'e' => break,
                _ => return refused("bad-integer"),
            }
            self.at += 1;
        }
        let digits = &self.bytes[start..self.at];
        if digits.is_empty() {
            return refused("bad-integer");
        }
        if self.strict && digits[0] == b'0' && (negative || digits.len() > 1) {
            return refused("integer-not-canonical");
        }
        self.at += 1;
        match value {
            Some(value) => Ok(value),
            None => refused("integer-out-of-range"),
        }
    }

    fn string(&mut self) -> Outcome<Vec<u8>> {
        let start = self.at;
        let mut length: Option<usize> = Some(0);
        loop {
            match self.byte()? {
                digit @ b'0'..=b'9' => {
                    length = length
                        .and_then(|length| length.checked_mul(10))
                        .and_then(|length| length.checked_add(usize::from(digit - b'0')));
                }
                b':' => break,
                _ => return refused("bad-string-length"),
            }
            self.at += 1;
        }
        if self.strict && self.bytes[start] == b'0' && self.at - start > 1 {
            return refused("string-length-not-canonical");
        }
        self.at += 1;
        let end = length.and_then(|length| self.at.checked_add(length));
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.at += bytes.len();
                Ok(bytes.to_vec())
            }
            None => refused("truncated"),
        }
    }
}

/// The canonical encoding. The value must not exceed the decoder's limit of depth.
pub fn encode(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    encode_into(value, &mut out);
    out
}

pub fn encode_dict(dict: &Dict) -> Vec<u8> {
    let mut out = Vec::new();
    encode_dict_into(dict, &mut out);
    out
}

fn encode_into(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(value) => out.extend(format!("i{value}e").bytes()),
        Value::Str(bytes) => encode_string(bytes, out),
        Value::List(list) => {
            out.push(b'l');
            for each in list {
                encode_into(each, out);
            }
            out.push(b'e');
        }
        Value::Dict(dict) => encode_dict_into(dict, out),
    }
}

fn encode_dict_into(dict: &Dict, out: &mut Vec<u8>) {
    out.push(b'd');
    for (key, value) in dict {
        encode_string(key, out);
        encode_into(value, out);
    }
    out.push(b'e');
}

fn encode_string(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(format!("{}:", bytes.len()).bytes());
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(bytes: &[u8], strict: bool) -> bool {
        decode(bytes, strict).is_ok()
    }

    #[test]
    fn canonical_values_come_back_as_they_were() {
        for text in [
            "i0e",
            "i-7e",
            "i-9223372036854775808e",
            "0:",
            "3:abc",
            "le",
            "de",
            "d0:i1e2:aale1:bdee",
            "li1eli2eee",
        ] {
            let decoded = decode(text.as_bytes(), true).unwrap();
            assert_eq!(encode(&decoded.value), text.as_bytes(), "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "i",
            "ie",
            "i-e",
            "i+1e",
            "i 1e",
            "i9223372036854775808e",
            "i21000000000000000000000000000000000000000000e",
            "1",
            "2:a",
            "99999999999999999999:a",
            "d1:ae",
            "d1:a",
            "di1ei1ee",
            "d1:bi1e1:ai1ee",
            "d1:ai1e1:ai1ee",
            "l",
            "e",
            "x",
            "-1:a",
        ] {
            assert!(!accepted(text.as_bytes(), true), "{text}");
            assert!(!accepted(text.as_bytes(), false), "{text}");
        }
    }

    #[test]
    fn leniences_are_those_of_the_reading() {
        for text in ["i007e", "i-0e", "03:abc", "i1ex"] {
            assert!(!accepted(text.as_bytes(), true), "{text}");
            assert!(accepted(text.as_bytes(), false), "{text}");
        }
    }

    #[test]
    fn one_hundred_may_be_open() {
        for (levels, expected) in [(100, true), (101, false), (100_000, false)] {
            let nested = [b"l".repeat(levels), b"e".repeat(levels)].concat();
            assert_eq!(accepted(&nested, true), expected, "{levels}");
        }
    }
}
