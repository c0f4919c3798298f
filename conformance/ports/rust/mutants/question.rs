//! The questions: the requests of the corpus, and the greeting and the farewell of the protocol.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::adapter;
use crate::cases::{answer_of, cases, Answer, READINGS};

pub struct Question {
    pub vector: String,
    request: String,
    wanted: Wanted,
    /// What the unchanged program replies, and the time that it takes.
    pub reply: Option<String>,
    pub seconds: f64,
}

enum Wanted {
    Answer(Answer),
    /// A greeting that declares every operation and reading of the corpus.
    Greeting(BTreeSet<String>),
    /// No reply to anything after the farewell.
    Silence,
}

#[derive(Deserialize)]
struct Asked {
    operation: String,
}

#[derive(Deserialize)]
struct Greeting {
    r#type: String,
    protocol: u64,
    operations: BTreeSet<String>,
    readings: BTreeMap<String, BTreeSet<String>>,
}

impl Question {
    fn new(vector: &str, request: String, wanted: Wanted) -> Question {
        Question {
            vector: vector.to_string(),
            request,
            wanted,
            reply: None,
            seconds: 0.0,
        }
    }

    /// What the program prints for the request; nothing if it fails.
    pub fn ask(&self) -> Option<String> {
        let mut printed = Vec::new();
        adapter::serve(self.request.as_bytes(), &mut printed).ok()?;
        String::from_utf8(printed).ok()
    }

    pub fn is_right(&self, reply: &Option<String>) -> bool {
        let Some(printed) = reply else { return false };
        if reply == &self.reply {
            return true;
        }
        if let Wanted::Silence = self.wanted {
            return printed.is_empty();
        }
        let Some(line) = printed.strip_suffix('\n').filter(|line| !line.contains('\n')) else {
            return false;
        };
        match &self.wanted {
            Wanted::Answer(answer) => answer_of(line) == *answer,
            Wanted::Greeting(operations) => greets(line, operations),
            Wanted::Silence => false,
        }
    }
}

fn greets(line: &str, operations: &BTreeSet<String>) -> bool {
    let Ok(greeting) = serde_json::from_str::<Greeting>(line) else {
        return false;
    };
    let follows = |system: &str, reading: &&str| {
        let declared = greeting.readings.get(system);
        declared.is_some_and(|declared| declared.contains(*reading))
    };
    greeting.r#type == "hello"
        && greeting.protocol == 1
        && greeting.operations.is_superset(operations)
        && READINGS
            .iter()
            .all(|(system, readings)| readings.iter().all(|reading| follows(system, reading)))
}

pub fn all() -> Vec<Question> {
    let mut operations = BTreeSet::new();
    let mut questions = Vec::new();
    for case in cases() {
        let asked: Asked = serde_json::from_str(&case.request).unwrap();
        operations.insert(asked.operation);
        let wanted = Wanted::Answer(case.answer);
        questions.push(Question::new(&case.vector, case.request, wanted));
    }
    let hello = r#"{"type":"hello","protocol":1,"suite":"rejoin"}"#;
    let bye = format!("{}\n{}", r#"{"type":"bye"}"#, questions[0].request);
    let greeting = Wanted::Greeting(operations);
    questions.insert(0, Question::new("protocol/bye", bye, Wanted::Silence));
    questions.insert(0, Question::new("protocol/hello", hello.to_string(), greeting));
    questions
}
