//! Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.
//!
//! In JSON, a value is one of {"int": "7"}, {"str": "6869"} with bytes in hex, {"list": [value, ...]}
//! and {"dict": [["6869", value], ...]}.

use crate::json::Value as Json;
use crate::Failure;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Integer(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Dict(BTreeMap<Vec<u8>, Value>), // in the order of the keys
}

/// The largest number of lists and dicts in one another (CM-BT-DEPTH).
const DEEPEST: usize = 100;

/// Returns bytes as lower-case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes that hex stands for.
pub fn from_hex(text: &str) -> Result<Vec<u8>, Failure> {
    let fault = || Failure::Error(format!("not hex: {text:?}"));
    if !text.is_ascii() || text.len() % 2 != 0 {
        return Err(fault());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| fault()))
        .collect()
}

// An adapter needs some of these; its operations determine which.
#[allow(dead_code)]
impl Value {
    /// Returns the value of a typed value in JSON. Rejects an integer of more than 64 bits, depth, and
    /// a dict with a key twice.
    pub fn from_json(typed: &Json) -> Result<Value, Failure> {
        Value::read(typed, 1)
    }

    fn read(typed: &Json, depth: usize) -> Result<Value, Failure> {
        let (kind, content) = typed
            .fields()
            .next()
            .ok_or_else(|| Failure::Error("not a typed value".into()))?;
        match kind.as_str() {
            "int" => match content.string().parse() {
                Ok(number) => Ok(Value::Integer(number)),
                Err(_) => Err(Failure::Rejected(format!(
                    "the integer {} does not fit into 64 bits",
                    content.string()
                ))),
            },
            "str" => Ok(Value::Bytes(from_hex(content.string())?)),
            _ if depth > DEEPEST => Err(Failure::Rejected(format!(
                "more than {DEEPEST} lists and dicts in one another"
            ))),
            "list" => {
                let items = content.items().iter();
                Ok(Value::List(
                    items
                        .map(|item| Value::read(item, depth + 1))
                        .collect::<Result<_, _>>()?,
                ))
            }
            _ => {
                let mut fields = BTreeMap::new();
                for pair in content.items() {
                    let [key, item] = pair.items() else {
                        return Err(Failure::Error("not a key and a value".into()));
                    };
                    let value = Value::read(item, depth + 1)?;
                    if fields.insert(from_hex(key.string())?, value).is_some() {
                        return Err(Failure::Rejected(format!("the key {key} occurs twice")));
                    }
                }
                Ok(Value::Dict(fields))
            }
        }
    }

    /// Returns the value as a typed value in JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Integer(number) => Json::object([("int", Json::Text(number.to_string()))]),
            Value::Bytes(bytes) => Json::object([("str", Json::Text(to_hex(bytes)))]),
            Value::List(items) => {
                let items = items.iter().map(Value::to_json).collect();
                Json::object([("list", Json::List(items))])
            }
            Value::Dict(fields) => {
                let pair = |(key, item): (&Vec<u8>, &Value)| {
                    Json::List(vec![Json::Text(to_hex(key)), item.to_json()])
                };
                Json::object([("dict", Json::List(fields.iter().map(pair).collect()))])
            }
        }
    }

    /// Returns the bt-encoding of the value.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Value::Integer(number) => out.extend(format!("i{number}e").bytes()),
            Value::Bytes(bytes) => write_bytes(out, bytes),
            Value::List(items) => {
                out.push(b'l');
                for item in items {
                    item.write(out);
                }
                out.push(b'e');
            }
            Value::Dict(fields) => {
                out.push(b'd');
                for (key, item) in fields {
                    write_bytes(out, key);
                    item.write(out);
                }
                out.push(b'e');
            }
        }
    }
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(format!("{}:", bytes.len()).bytes());
    out.extend(bytes);
}
