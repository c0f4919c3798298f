//! The requests that the corpus makes, and the answers that it expects.
//!
//! `REJOIN_VECTORS` names another folder of vectors, `REJOIN_SYSTEM` one system.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::Value;

use crate::recipe;

/// The readings in which a vector without results by reading holds.
pub const READINGS: [(&str, &[&str]); 3] = [
    ("config-merge", &["document", "libsession"]),
    ("conflict-detection", &["repaired", "literal"]),
    ("history-merge", &["document"]),
];

/// The number of each request. An answer repeats it.
const ID: u64 = 7;

/// Bytes of a request that is asked after all smaller ones.
const LARGE: usize = 20_000;

#[derive(Deserialize)]
struct Topic {
    system: String,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    operation: String,
    input: Box<RawValue>,
    expected: Option<Expected>,
    expected_by_reading: Option<BTreeMap<String, Expected>>,
    /// Whether recipes stand for large values.
    #[serde(default)]
    recipe: bool,
}

#[derive(Deserialize, Clone)]
struct Expected {
    output: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Reply {
    id: u64,
    output: Option<Box<RawValue>>,
    rejected: Option<Box<RawValue>>,
}

/// A request, and what its answer has to be.
pub struct Case {
    pub vector: String,
    pub request: String,
    pub answer: Answer,
}

#[derive(PartialEq)]
pub enum Answer {
    Output(Value),
    Rejected,
    Error,
}

pub fn answer_of(reply: &str) -> Answer {
    match serde_json::from_str(reply) {
        Ok(Reply {
            id: ID,
            output: Some(output),
            rejected: None,
        }) => Answer::Output(value(&output)),
        Ok(Reply {
            id: ID,
            output: None,
            rejected: Some(_),
        }) => Answer::Rejected,
        _ => Answer::Error,
    }
}

/// All cases: small requests first, and in turns from each topic, because different topics find
/// different faults.
pub fn cases() -> Vec<Case> {
    let mut topics: Vec<Vec<Case>> = READINGS
        .iter()
        .filter(|(system, _)| env::var("REJOIN_SYSTEM").map_or(true, |only| only == *system))
        .flat_map(|(system, _)| files(&vectors().join(system)))
        .map(|file| cases_of(&fs::read_to_string(file).unwrap()))
        .collect();
    let mut cases = Vec::new();
    while topics.iter().any(|topic| !topic.is_empty()) {
        for topic in &mut topics {
            if !topic.is_empty() {
                cases.push(topic.remove(0));
            }
        }
    }
    cases.sort_by_key(|case| case.request.len() > LARGE);
    assert!(!cases.is_empty());
    cases
}

fn vectors() -> PathBuf {
    match env::var_os("REJOIN_VECTORS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../vectors"),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    files
}

fn cases_of(text: &str) -> Vec<Case> {
    let Topic { system, vectors } = serde_json::from_str(text).unwrap();
    let all = READINGS.iter().find(|(name, _)| *name == system).unwrap().1;
    let mut cases = Vec::new();
    for vector in vectors {
        let whole = |json: &RawValue| match vector.recipe {
            true => RawValue::from_string(recipe::expand(json).to_string()).unwrap(),
            false => json.to_owned(),
        };
        let input = whole(&vector.input).get().replace('\n', " ");
        let results: Vec<(String, Expected)> = match (vector.expected, vector.expected_by_reading) {
            (Some(result), None) => {
                let readings = all.iter();
                readings
                    .map(|reading| (reading.to_string(), result.clone()))
                    .collect()
            }
            (None, Some(results)) => results.into_iter().collect(),
            _ => panic!("{}: a vector has one kind of result", vector.id),
        };
        for (reading, result) in results {
            let operation = &vector.operation;
            cases.push(Case {
                vector: vector.id.clone(),
                request: format!(
                    r#"{{"type":"run","id":{ID},"operation":"{operation}","reading":"{reading}","input":{input}}}"#
                ),
                answer: match result.output {
                    Some(output) => Answer::Output(value(&whole(&output))),
                    None => Answer::Rejected,
                },
            });
        }
    }
    cases
}

/// The parsed value. A text of Rust cannot hold half a surrogate pair, so each escape `\uXXXX` of a
/// half, in a pair or not, becomes its own text. The corpus and the program write lower-case hex.
fn value(json: &RawValue) -> Value {
    let mut text = String::new();
    let mut rest = json.get();
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..at + 2];
        let is_half = escape == "\\u" && ("d8"..="df").contains(&&rest[at + 2..at + 4]);
        text.push_str(&rest[..at]);
        text.push_str(if is_half { "\\\\u" } else { escape });
        rest = &rest[at + 2..];
    }
    text.push_str(rest);
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    deserializer.disable_recursion_limit(); // typed trees have about 300 levels
    Value::deserialize(&mut deserializer).unwrap()
}
