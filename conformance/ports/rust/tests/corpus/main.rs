//! The corpus against the program: every vector, in every reading in which it holds.
//!
//! The test shares no code with the program, so that a fault of the program cannot change what is
//! expected of it. It stops at the first wrong answer, unless `REJOIN_ALL` is set. Two further
//! variables choose the vectors: `REJOIN_VECTORS` names another folder, `REJOIN_SYSTEM` one system.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;

mod recipe;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::Value;

/// The readings in which a vector without results by reading holds.
const READINGS: [(&str, &[&str]); 3] = [
    ("config-merge", &["document", "libsession"]),
    ("conflict-detection", &["repaired", "literal"]),
    ("history-merge", &["document"]),
];

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
    output: Option<Box<RawValue>>,
    rejected: Option<Box<RawValue>>,
}

/// A request, and what its answer has to be.
struct Case {
    vector: String,
    request: String,
    answer: Answer,
}

#[derive(PartialEq)]
enum Answer {
    Output(Value),
    Rejected,
    Error,
}

#[test]
fn the_corpus_holds() {
    let cases = cases();
    let mut wrong = BTreeSet::new();
    let mut at = 0;
    while at < cases.len() && (wrong.is_empty() || env::var_os("REJOIN_ALL").is_some()) {
        let done = ask(&cases[at..], &mut wrong);
        // The program ended without an answer to the next request.
        if at + done < cases.len() {
            wrong.insert(cases[at + done].vector.clone());
        }
        at += done + 1;
    }
    for vector in &wrong {
        println!("WRONG {vector}");
    }
    assert!(
        wrong.is_empty(),
        "{} vectors are answered wrong",
        wrong.len()
    );
}

/// Ask one process; gives the number of requests that it answered, or that need no answer.
fn ask(cases: &[Case], wrong: &mut BTreeSet<String>) -> usize {
    let mut program = Command::new(env!("CARGO_BIN_EXE_rejoin-rust"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let requests = program.stdin.take().unwrap();
    let replies = BufReader::new(program.stdout.take().unwrap());
    let done = thread::scope(|scope| {
        scope.spawn(move || write_all(requests, cases));
        let mut done = 0;
        for (case, reply) in cases.iter().zip(replies.lines()) {
            let Ok(reply) = reply else { break };
            if answer_of(&reply) != case.answer {
                wrong.insert(case.vector.clone());
                if env::var_os("REJOIN_ALL").is_none() {
                    end(&mut program);
                    return cases.len();
                }
            }
            done += 1;
        }
        done
    });
    end(&mut program);
    done
}

/// A program that ends too early closes its input, which is not a fault of this thread.
fn write_all(mut requests: ChildStdin, cases: &[Case]) {
    for case in cases {
        if writeln!(requests, "{}", case.request).is_err() {
            return;
        }
    }
    let _ = writeln!(requests, r#"{{"type":"bye"}}"#);
}

fn end(program: &mut Child) {
    let _ = program.kill();
    let _ = program.wait();
}

fn answer_of(reply: &str) -> Answer {
    match serde_json::from_str(reply) {
        Ok(Reply {
            output: Some(output),
            rejected: None,
        }) => Answer::Output(value(&output)),
        Ok(Reply {
            output: None,
            rejected: Some(_),
        }) => Answer::Rejected,
        _ => Answer::Error,
    }
}

/// All cases: small requests first, and in turns from each topic, because different topics find
/// different faults.
fn cases() -> Vec<Case> {
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
                    r#"{{"type":"run","id":0,"operation":"{operation}","reading":"{reading}","input":{input}}}"#
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
