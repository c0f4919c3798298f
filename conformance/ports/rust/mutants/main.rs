//! Asks the corpus about each mutant of a program that carries them all.
//!
//! usage: PROGRAM WORK
//!
//! WORK is a JSON file: the mutants, each with the number of its function, and the IDs of the vectors
//! of the tier `random`. The answer about each mutant is a line of JSON: the vector of the other tiers
//! that killed it; or all vectors of the tier `random` that kill it; and whether a vector entered its
//! function at all. A mutant is asked in a process of its own, with only the vectors that enter its
//! function, and up to the first wrong answer.

// A mutant that the compiler knows to panic is a mutant, too.
#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use std::{env, fs, panic, process, thread};

use serde::Deserialize;
use serde_json::json;

mod adapter;
mod bt;
mod cases;
mod config_merge;
mod conflict_detection;
mod crypto;
mod failure;
mod fields;
mod history_merge;
mod json;
mod json_parser;
mod mutant;
mod question;
mod recipe;
mod trial;

use question::Question;

/// Functions with many mutants have large frames, and some call themselves at each level.
const STACK: usize = 1 << 30;

#[derive(Deserialize)]
struct Work {
    /// The number of each mutant and of its function.
    mutants: Vec<(usize, usize)>,
    random: BTreeSet<String>,
}

/// The questions that enter each function.
type Entering = BTreeMap<usize, Vec<usize>>;

fn main() {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    thread.unwrap().join().unwrap();
}

fn run() {
    let file = env::args().nth(1).unwrap();
    let work: Work = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut questions = question::all();
    questions.sort_by_key(|question| work.random.contains(&question.vector));
    let entering = asked_without_mutants(&mut questions);
    panic::set_hook(Box::new(|_| {}));
    let mut killers: Entering = Entering::new();
    for (mutant, function) in work.mutants {
        let empty = Vec::new();
        let reached = entering.get(&function).unwrap_or(&empty);
        let is_random = |place: &usize| work.random.contains(&questions[*place].vector);
        let (random, mut first): (Vec<usize>, Vec<usize>) =
            reached.iter().partition(|place| is_random(place));
        // What killed another mutant of the function is likely to kill this one.
        let known = killers.entry(function).or_default();
        first.sort_by_key(|place| !known.contains(place));
        let wrong = trial::first_wrong(mutant, &questions, &first);
        known.extend(wrong.filter(|place| !known.contains(place)));
        let by_random = match wrong {
            Some(_) => Vec::new(),
            None => trial::all_wrong(mutant, &questions, &random),
        };
        let id = |place: usize| &questions[place].vector;
        let line = json!({
            "mutant": mutant,
            "reached": !reached.is_empty(),
            "killed_by": wrong.map(id),
            "random": by_random.into_iter().map(id).collect::<BTreeSet<_>>(),
        });
        println!("{line}");
    }
}

/// Ask each question of the unchanged program, which must answer right.
fn asked_without_mutants(questions: &mut [Question]) -> Entering {
    let mut entering = Entering::new();
    let start = Instant::now();
    for (place, question) in questions.iter_mut().enumerate() {
        mutant::forget();
        let start = Instant::now();
        let reply = question.ask();
        if !question.is_right(&reply) {
            eprintln!("{}: the unchanged port answers wrong", question.vector);
            process::exit(1);
        }
        question.seconds = start.elapsed().as_secs_f64();
        question.reply = reply;
        for function in mutant::entered() {
            entering.entry(function).or_default().push(place);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{} requests in {seconds:.1} s", questions.len());
    entering
}
