//! The adapter protocol: one request on each line, one reply on each line. Requests have no state.

use std::io::{self, BufRead, Write};

use crate::config_merge;
use crate::conflict_detection;
use crate::failure::{malformed, Failure, Outcome};
use crate::fields::Input;
use crate::history_merge;
use crate::json::{write, Json};
use crate::json_parser::parse;

/// The readings of each system, the default first.
const READINGS: [(&str, &[&str]); 3] = [
    ("config-merge", &["document", "libsession"]),
    ("conflict-detection", &["repaired", "literal"]),
    (
        "history-merge",
        &[
            "document",
            "additions-cancel",
            "removals-cancel",
            "symmetric-difference",
        ],
    ),
];

/// Answer requests until `bye` or the end of the input.
pub fn serve(requests: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    for line in requests.split(b'\n') {
        match reply(&line?) {
            Ok(Some(reply)) => writeln!(replies, "{reply}")?,
            Ok(None) => return Ok(()),
            Err(reason) => return Err(io::Error::new(io::ErrorKind::InvalidData, reason)),
        }
        replies.flush()?;
    }
    Ok(())
}

/// The reply to the request of one line; none for `bye`. A line that is not JSON is an error.
pub fn reply(line: &[u8]) -> Result<Option<String>, String> {
    let request = parse(line)?;
    Ok(answer(&request).map(|reply| write(&reply)))
}

/// The reply to one request; none for the last one.
pub fn answer(request: &Json) -> Option<Json> {
    let field = |name: &str| match request {
        Json::Object(fields) => fields.get(name.as_bytes()),
        _ => None,
    };
    match field("type") {
        Some(Json::Text(kind)) if kind == b"hello" => Some(hello()),
        Some(Json::Text(kind)) if kind == b"bye" => None,
        _ => {
            let id = field("id").cloned().unwrap_or(Json::Null);
            let (name, result) = match run(request) {
                Ok(output) => ("output", output),
                Err(Failure::Refused { code, about }) => ("rejected", rejection(code, &about)),
                Err(Failure::Malformed(message)) => {
                    ("error", Json::object([("message", Json::text(&message))]))
                }
            };
            Some(Json::object([("id", id), (name, result)]))
        }
    }
}

fn rejection(code: &str, about: &str) -> Json {
    let reason = match about {
        "" => code.to_string(),
        about => format!("{code}: {about}"),
    };
    Json::object([("code", Json::text(code)), ("reason", Json::text(&reason))])
}

fn run(request: &Json) -> Outcome<Json> {
    let request = Input::of(request, &["type", "id", "operation", "reading", "input"])?;
    if request.text("type")? != b"run" {
        return malformed("a request of an unknown type");
    }
    let operation = String::from_utf8_lossy(request.text("operation")?);
    let reading = match request.has("reading") {
        true => Some(request.text("reading")?),
        false => None,
    };
    let input = request.get("input")?;
    match operation.split('/').next() {
        Some("config-merge") => config_merge::operations::run(&operation, reading, input),
        Some("conflict-detection") => {
            conflict_detection::operations::run(&operation, reading, input)
        }
        Some("history-merge") => history_merge::operations::run(&operation, reading, input),
        _ => malformed(format!("unsupported operation {operation}")),
    }
}

fn hello() -> Json {
    let texts = |texts: &[&str]| Json::List(texts.iter().map(|text| Json::text(text)).collect());
    let operations = [
        &config_merge::operations::NAMES[..],
        &conflict_detection::operations::NAMES[..],
        &history_merge::operations::NAMES[..],
    ]
    .concat();
    let readings = READINGS
        .iter()
        .map(|(system, names)| (system.as_bytes().to_vec(), texts(names)))
        .collect();
    Json::object([
        ("type", Json::text("hello")),
        ("protocol", Json::Int(1)),
        ("name", Json::text(env!("CARGO_PKG_NAME"))),
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("language", Json::text("Rust")),
        ("operations", texts(&operations)),
        ("readings", Json::Object(readings)),
        ("max_in_flight", Json::Int(64)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(requests: &[&str]) -> Vec<String> {
        let mut written = Vec::new();
        serve(requests.join("\n").as_bytes(), &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        written.lines().map(str::to_string).collect()
    }

    #[test]
    fn requests_are_answered_until_bye() {
        let decode = r#"{"type":"run","id":1,"operation":"config-merge/decode","#;
        let said = replies(&[
            r#"{"type":"hello","protocol":1,"suite":"x"}"#,
            &format!(r#"{decode}"reading":"document","input":{{"encoded":"6930303765"}}}}"#),
            &format!(r#"{decode}"reading":"libsession","input":{{"encoded":"6930303765"}}}}"#),
            &format!(r#"{decode}"input":{{}}}}"#),
            r#"{"type":"run","id":2,"operation":"config-merge/guess","input":{}}"#,
            r#"{"type":"bye"}"#,
            "not asked",
        ]);
        assert!(said[0].contains(r#""protocol":1"#));
        assert_eq!(
            said[1],
            r#"{"id":1,"rejected":{"code":"integer-not-canonical","reason":"integer-not-canonical"}}"#
        );
        assert_eq!(said[2], r#"{"id":1,"output":{"value":{"int":"7"}}}"#);
        assert!(said[3].starts_with(r#"{"error""#));
        assert!(said[4].starts_with(r#"{"error""#));
        assert_eq!(said.len(), 5);
    }

    #[test]
    fn every_operation_that_is_declared_is_known() {
        let systems = [
            &config_merge::operations::NAMES[..],
            &conflict_detection::operations::NAMES[..],
            &history_merge::operations::NAMES[..],
        ];
        for operation in systems.concat() {
            let run = format!(r#"{{"type":"run","id":1,"operation":"{operation}","input":1}}"#);
            let said = &replies(&[&run])[0];
            assert!(!said.contains("unsupported"), "{operation}");
        }
    }
}
