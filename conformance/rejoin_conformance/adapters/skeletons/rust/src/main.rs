//! A Rejoin adapter: it answers requests, one JSON object on each line.

mod bt;
mod json;

use json::Value;
use std::io::{BufRead, Write};

/// Why there is no output.
pub enum Failure {
    /// The protocol refuses the input.
    Rejected(String),
    /// A bug, which is not a rejection.
    Error(String),
}

type Outcome = Result<Value, Failure>;

// ---- Fill in here ------------------------------------------------------------------------------
// Write one function for each operation. It takes the input and the requested reading, and returns
// the output. It returns Failure::Rejected for input that the protocol refuses. The functions
// below are examples: replace them with your own code.

type Operation = fn(&Value, &str) -> Outcome;

const OPERATIONS: &[(&str, Operation)] = &[
    ("config-merge/encode", encode),
    (
        "conflict-detection/classify-version-map",
        classify_version_map,
    ),
];

fn encode(input: &Value, _reading: &str) -> Outcome {
    let value = bt::Value::from_json(input.get("value"))?;
    let encoded = bt::to_hex(&value.encode());
    Ok(Value::object([("encoded", Value::text(&encoded))]))
}

fn classify_version_map(input: &Value, _reading: &str) -> Outcome {
    let (local, remote) = (input.get("local"), input.get("remote"));
    let (mut ours, mut theirs) = (false, false);
    for (nickname, number) in local.fields().chain(remote.fields()) {
        if nickname.is_empty() || nickname.contains([',', '/', '\0']) {
            return Err(Failure::Rejected(format!("{nickname:?} is not a nickname")));
        }
        if !(0..1 << 53).contains(&number.integer()) {
            return Err(Failure::Rejected(format!(
                "{number} is not a version number"
            )));
        }
        let (a, b) = (
            local.get(nickname).integer(),
            remote.get(nickname).integer(),
        );
        ours |= a > b;
        theirs |= a < b;
    }
    let classification = match (local, ours, theirs) {
        (Value::Null, _, _) => "overwrite",
        (_, true, true) => "conflict",
        (_, true, false) => "stale",
        (_, false, true) => "overwrite",
        (_, false, false) => "same",
    };
    Ok(Value::object([(
        "classification",
        Value::text(classification),
    )]))
}
// ------------------------------------------------------------------------------------------------

fn hello() -> Value {
    let names = OPERATIONS
        .iter()
        .map(|(name, _)| Value::text(name))
        .collect();
    Value::object([
        ("type", Value::text("hello")),
        ("protocol", Value::Integer(1)),
        ("name", Value::text("my-port")),
        ("version", Value::text("0.1.0")),
        ("language", Value::text("Rust")),
        ("operations", Value::List(names)),
        (
            "readings",
            Value::object([
                ("config-merge", Value::text("document")),
                ("conflict-detection", Value::text("repaired")),
            ]),
        ),
        // Requests that wait count as late: declare 1 if some take seconds.
        ("max_in_flight", Value::Integer(64)),
        // Operation -> features that your code does not have: docs/adapter-protocol.md
        ("without", Value::object([])),
    ])
}

fn answer(request: &Value) -> Value {
    let name = request.get("operation").string();
    let outcome = match OPERATIONS.iter().find(|(known, _)| *known == name) {
        Some((_, perform)) => perform(request.get("input"), request.get("reading").string()),
        None => Err(Failure::Error("unsupported operation".into())),
    };
    let (kind, result) = match outcome {
        Ok(output) => ("output", output),
        Err(Failure::Rejected(reason)) => (
            "rejected",
            Value::object([("reason", Value::text(&reason))]),
        ),
        Err(Failure::Error(message)) => {
            ("error", Value::object([("message", Value::text(&message))]))
        }
    };
    Value::object([("id", request.get("id").clone()), (kind, result)])
}

/// Answer each line as soon as it arrives. End at bye or at the end of the input.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut replies = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request = json::parse(&line?)?;
        let reply = match request.get("type").string() {
            "bye" => break,
            "hello" => hello(),
            _ => answer(&request),
        };
        writeln!(replies, "{reply}")?;
        replies.flush()?;
    }
    Ok(())
}
