//! One mutant and some questions, in a process of its own: a mutant may crash, hang or eat memory.

use std::io::{pipe, PipeWriter, Read, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process;
use std::ptr;

use crate::mutant;
use crate::question::Question;

/// Seconds of CPU time that a question may take, besides a multiple of what it took before.
const SECONDS: f64 = 2.0;
const TIMES: f64 = 10.0;
const MEMORY: u64 = 4 << 30;

const ITIMER_PROF: i32 = 2;
const RLIMIT_AS: i32 = 9;

extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn setitimer(which: i32, limit: *const [i64; 4], old: *mut [i64; 4]) -> i32;
    fn setrlimit(resource: i32, limits: *const [u64; 2]) -> i32;
}

/// The first question that the mutant answers wrong, if there is one.
pub fn first_wrong(mutant: usize, questions: &[Question], places: &[usize]) -> Option<usize> {
    tried(mutant, questions, places, true).1.first().copied()
}

/// All questions that the mutant answers wrong.
pub fn all_wrong(mutant: usize, questions: &[Question], places: &[usize]) -> Vec<usize> {
    let mut wrong = Vec::new();
    let mut rest = places;
    while !rest.is_empty() {
        let (asked, found) = tried(mutant, questions, rest, false);
        wrong.extend(found);
        rest = &rest[asked..];
    }
    wrong
}

/// The number of questions that a process could be asked, and the wrong ones among them. If the
/// process ends at a question, that is a wrong answer.
fn tried(
    mutant: usize,
    questions: &[Question],
    places: &[usize],
    stops: bool,
) -> (usize, Vec<usize>) {
    let (mut answers, to_parent) = pipe().unwrap();
    // The child is a copy of this thread alone; no other thread holds a lock that it needs.
    let child = unsafe { fork() };
    assert!(child >= 0, "no process can be started");
    if child == 0 {
        drop(answers);
        answer(mutant, questions, places, stops, to_parent);
        process::exit(0);
    }
    drop(to_parent);
    let mut said = Vec::new();
    answers.read_to_end(&mut said).unwrap();
    let mut status = 0;
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
    if status != 0 && said.len() < places.len() {
        said.push(WRONG);
    }
    let judged = places.iter().zip(&said);
    let wrong = judged.filter(|(_, said)| **said == WRONG);
    (said.len(), wrong.map(|(place, _)| *place).collect())
}

const RIGHT: u8 = b'+';
const WRONG: u8 = b'-';

/// Write one byte for each question.
fn answer(
    mutant: usize,
    questions: &[Question],
    places: &[usize],
    stops: bool,
    mut to_parent: PipeWriter,
) {
    unsafe { setrlimit(RLIMIT_AS, &[MEMORY, MEMORY]) };
    mutant::choose(mutant);
    for place in places {
        let question = &questions[*place];
        let limit = SECONDS + TIMES * question.seconds;
        let microseconds = (limit.fract() * 1e6) as i64;
        unsafe { setitimer(ITIMER_PROF, &[0, 0, limit as i64, microseconds], ptr::null_mut()) };
        let reply = catch_unwind(AssertUnwindSafe(|| question.ask()));
        let is_right = reply.is_ok_and(|reply| question.is_right(&reply));
        to_parent.write_all(&[if is_right { RIGHT } else { WRONG }]).unwrap();
        if stops && !is_right {
            return;
        }
    }
}
