//! The corpus against the program: every vector, in every reading in which it holds.
//!
//! The test shares no code with the program, so that a fault of the program cannot change what is
//! expected of it. It stops at the first wrong answer, unless `REJOIN_ALL` is set.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;

mod cases;
mod recipe;

use cases::{answer_of, cases, Case};

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
