//! Values of bt-encoding as typed trees of JSON.

use crate::bt::{Dict, Value, MAX_OPEN};
use crate::failure::{malformed, refused, Outcome};
use crate::fields::{bytes, list, object, text};
use crate::json::Json;

pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Int(int) => Json::object([("int", Json::text(&int.to_string()))]),
        Value::Str(text) => Json::object([("str", Json::hex(text))]),
        Value::List(items) => {
            Json::object([("list", Json::List(items.iter().map(to_json).collect()))])
        }
        Value::Dict(dict) => {
            let pairs = dict
                .iter()
                .map(|(key, value)| Json::List(vec![Json::hex(key), to_json(value)]))
                .collect();
            Json::object([("dict", Json::List(pairs))])
        }
    }
}

/// The value of a tree. Refuses a tree that bt-encoding cannot represent.
pub fn from_json(json: &Json) -> Outcome<Value> {
    node(json, 0)
}

fn node(json: &Json, open: usize) -> Outcome<Value> {
    let mut fields = object(json)?.iter();
    let (Some((name, inner)), None) = (fields.next(), fields.next()) else {
        return malformed("a node of a tree has one field");
    };
    match name.as_slice() {
        b"int" => integer(text(inner)?),
        b"str" => Ok(Value::Str(bytes(inner)?)),
        b"list" | b"dict" if open == MAX_OPEN => refused("nesting-too-deep"),
        b"list" => Ok(Value::List(
            list(inner)?
                .iter()
                .map(|each| node(each, open + 1))
                .collect::<Outcome<_>>()?,
        )),
        b"dict" => {
            let mut dict = Dict::new();
            for pair in list(inner)? {
                let [key, value] = list(pair)? else {
                    return malformed("a pair has two parts");
                };
                if dict.insert(bytes(key)?, node(value, open + 1)?).is_some() {
                    return refused("not-encodable");
                }
            }
            Ok(Value::Dict(dict))
        }
        _ => malformed("an unknown kind of node"),
    }
}

fn integer(text: &[u8]) -> Outcome<Value> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return malformed("not a decimal integer");
    }
    match std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok())
    {
        Some(int) => Ok(Value::Int(int)),
        None => refused("integer-out-of-range"),
    }
}
