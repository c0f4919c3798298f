//! Application data: dicts of scalars, sets and dicts. Section "Application data".

use std::collections::{BTreeMap, BTreeSet};

use super::reading::Reading;
use crate::bt::{self, Value};
use crate::failure::{refused, Outcome};

/// A scalar, as a value or as an element of a set. Integers come before strings, each in its own
/// order (CM-DATA-SET-ORDER).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    Int(i64),
    Str(Vec<u8>),
}

pub type Set = BTreeSet<Scalar>;
pub type Dict = BTreeMap<Vec<u8>, Data>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    Scalar(Scalar),
    Set(Set),
    Dict(Dict),
}

pub const MAX_KEY: usize = 128;
pub const MAX_STRING: usize = 4096;
/// CM-DATA-DEPTH, CM-DIFF-DEPTH
pub const MAX_LEVELS: usize = 64;

/// Application data from their encoding.
pub fn decode(bytes: &[u8], reading: &Reading) -> Outcome<Dict> {
    from_value(bt::decode(bytes, reading.strict_encoding)?.value, reading)
}

/// The new data of an update or an edit: empty sets and dicts are omitted (CM-UPDATE-OMIT-EMPTY).
pub fn decode_new(bytes: &[u8], reading: &Reading) -> Outcome<Dict> {
    let value = bt::decode(bytes, reading.strict_encoding)?.value;
    let mut data = outermost(value, Empty::Omitted, reading)?;
    prune(&mut data);
    Ok(data)
}

/// What becomes of empty sets and dicts below the outermost dict.
#[derive(Clone, Copy, PartialEq)]
enum Empty {
    Refused,
    Omitted,
}

/// Application data from the value under `&`.
pub fn from_value(value: Value, reading: &Reading) -> Outcome<Dict> {
    outermost(value, Empty::Refused, reading)
}

fn outermost(value: Value, empty: Empty, reading: &Reading) -> Outcome<Dict> {
    match value {
        Value::Dict(dict) => dict_at(dict, 1, empty, reading),
        _ => refused("data-not-dict"),
    }
}

fn dict_at(dict: bt::Dict, level: usize, empty: Empty, reading: &Reading) -> Outcome<Dict> {
    check_level(level)?;
    dict.into_iter()
        .map(|(key, value)| {
            check_key(&key, reading)?;
            Ok((key, data_below(value, level, empty, reading)?))
        })
        .collect()
}

fn data_below(value: Value, level: usize, empty: Empty, reading: &Reading) -> Outcome<Data> {
    let refuses = empty == Empty::Refused;
    match value {
        Value::Dict(dict) if refuses && dict.is_empty() => refused("empty-dict"),
        Value::Dict(dict) => Ok(Data::Dict(dict_at(dict, level + 1, empty, reading)?)),
        Value::List(list) if refuses && list.is_empty() => refused("empty-set"),
        Value::List(list) => {
            check_level(level + 1)?;
            Ok(Data::Set(ascending_set(list, reading)?))
        }
        other => Ok(Data::Scalar(scalar(other, reading)?)),
    }
}

/// The elements of a list that has to be strictly ascending.
pub fn ascending_set(list: Vec<Value>, reading: &Reading) -> Outcome<Set> {
    let mut set = Set::new();
    for value in list {
        let element = scalar(value, reading)?;
        if set.last().is_some_and(|last| *last >= element) {
            return refused("set-not-ascending");
        }
        set.insert(element);
    }
    Ok(set)
}

fn scalar(value: Value, reading: &Reading) -> Outcome<Scalar> {
    match value {
        Value::Int(int) => Ok(Scalar::Int(int)),
        Value::Str(text) if reading.enforce_limits && text.len() > MAX_STRING => {
            refused("string-too-long")
        }
        Value::Str(text) => Ok(Scalar::Str(text)),
        _ => refused("set-element-type"),
    }
}

pub fn check_key(key: &[u8], reading: &Reading) -> Outcome<()> {
    if reading.enforce_limits && key.len() > MAX_KEY {
        return refused("key-too-long");
    }
    Ok(())
}

pub fn check_level(level: usize) -> Outcome<()> {
    if level > MAX_LEVELS {
        return refused("nesting-too-deep");
    }
    Ok(())
}

pub fn to_value(dict: &Dict) -> Value {
    Value::Dict(
        dict.iter()
            .map(|(key, data)| (key.clone(), data_value(data)))
            .collect(),
    )
}

fn data_value(data: &Data) -> Value {
    match data {
        Data::Scalar(scalar) => scalar_value(scalar),
        Data::Set(set) => set_value(set),
        Data::Dict(dict) => to_value(dict),
    }
}

pub fn set_value(set: &Set) -> Value {
    Value::List(set.iter().map(scalar_value).collect())
}

fn scalar_value(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Int(int) => Value::Int(*int),
        Scalar::Str(text) => Value::Str(text.clone()),
    }
}

pub fn encode(dict: &Dict) -> Vec<u8> {
    bt::encode(&to_value(dict))
}

/// Remove empty sets and dicts, and the dicts that become empty by that (CM-DIFF-APPLY-PRUNE).
pub fn prune(dict: &mut Dict) {
    dict.retain(|_, data| match data {
        Data::Scalar(_) => true,
        Data::Set(set) => !set.is_empty(),
        Data::Dict(inner) => {
            prune(inner);
            !inner.is_empty()
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::reading::{DOCUMENT, LIBSESSION};
    use super::*;

    #[test]
    fn valid_data_come_back_as_they_were() {
        for text in ["de", "d0:0:1:ai-1e1:bli1ei2e1:11:2e1:cd1:xi0eee"] {
            let data = decode(text.as_bytes(), &DOCUMENT).unwrap();
            assert_eq!(encode(&data), text.as_bytes());
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        for text in [
            "le",
            "i1e",
            "d1:adee",
            "d1:alee",
            "d1:alleee",
            "d1:aldeee",
            "d1:ali2ei1eee",
            "d1:a l1:aei1eee",
            "d1:ali1ei1eee",
            "d1:al1:ai1eee",
        ] {
            assert!(decode(text.as_bytes(), &DOCUMENT).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_end_at_128_bytes_in_one_reading() {
        let data = |length: usize| format!("d{length}:{}i1ee", "k".repeat(length)).into_bytes();
        assert!(decode(&data(128), &DOCUMENT).is_ok());
        assert!(decode(&data(129), &DOCUMENT).is_err());
        assert!(decode(&data(129), &LIBSESSION).is_ok());
    }

    #[test]
    fn sixty_four_levels_are_accepted() {
        let nested =
            |levels: usize| [b"d1:a".repeat(levels), b"i1e".to_vec(), b"e".repeat(levels)].concat();
        assert!(decode(&nested(64), &DOCUMENT).is_ok());
        assert!(decode(&nested(65), &DOCUMENT).is_err());
    }
}
