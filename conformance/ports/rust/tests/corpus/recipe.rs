//! Recipes, which stand for large values: expanded as docs/vector-format.md defines.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The number of each letter, in the repetitions around a value.
type Numbers = BTreeMap<String, i64>;

pub fn expand(json: &RawValue) -> Value {
    expanded(&serde_json::from_str(json.get()).unwrap(), &Numbers::new())
}

fn expanded(value: &Value, numbers: &Numbers) -> Value {
    match value {
        Value::String(text) => Value::String(filled(text, numbers)),
        Value::Array(list) => {
            Value::Array(list.iter().flat_map(|each| items(each, numbers)).collect())
        }
        Value::Object(fields) => match fields.iter().next() {
            Some((name, list)) if name == "$join" => Value::String(joined(list, numbers)),
            Some((name, text)) if name == "$hex" => Value::String(hex(&text_of(text, numbers))),
            Some((name, text)) if name == "$number" => {
                serde_json::from_str(&text_of(text, numbers)).unwrap()
            }
            Some((name, list)) if name == "$fields" => Value::Object(object(list, numbers)),
            _ => fields
                .iter()
                .map(|(name, each)| (name.clone(), expanded(each, numbers)))
                .collect(),
        },
        other => other.clone(),
    }
}

/// What an element of a list stands for: several elements, if it is a repetition.
fn items(value: &Value, numbers: &Numbers) -> Vec<Value> {
    let Some(count) = value.get("$repeat").and_then(Value::as_i64) else {
        return vec![expanded(value, numbers)];
    };
    let number = |name, default| value.get(name).and_then(Value::as_i64).unwrap_or(default);
    let (from, by) = (number("$from", 0), number("$by", 1));
    let letter = value.get("$as").and_then(Value::as_str).unwrap_or("i");
    let mut inner = numbers.clone();
    let repeated = (0..count).map(|n| {
        inner.insert(letter.to_string(), from + n * by);
        expanded(&value["$of"], &inner)
    });
    repeated.collect()
}

fn text_of(value: &Value, numbers: &Numbers) -> String {
    expanded(value, numbers).as_str().unwrap().to_string()
}

fn joined(list: &Value, numbers: &Numbers) -> String {
    let texts = expanded(list, numbers);
    let texts = texts.as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap()).collect()
}

fn object(list: &Value, numbers: &Numbers) -> Map<String, Value> {
    let pairs = expanded(list, numbers);
    let pairs = pairs.as_array().unwrap().iter();
    pairs
        .map(|pair| (pair[0].as_str().unwrap().to_string(), pair[1].clone()))
        .collect()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// A text with its numbers filled in: `<i>`, `<i+1>`, `<i:4>`, `<i-1:4>`.
fn filled(text: &str, numbers: &Numbers) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('>').map(|end| at + end);
        match end.and_then(|end| Some((number(&rest[at + 1..end], numbers)?, end))) {
            Some((number, end)) => {
                out.push_str(&number);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('<');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

fn number(inside: &str, numbers: &Numbers) -> Option<String> {
    let (sum, width) = inside.split_once(':').unwrap_or((inside, "0"));
    let (letter, added) = sum.split_at_checked(1)?;
    let added: i64 = if added.is_empty() {
        0
    } else {
        added.parse().ok()?
    };
    let width: usize = width.parse().ok()?;
    Some(format!("{:0width$}", numbers.get(letter)? + added))
}
