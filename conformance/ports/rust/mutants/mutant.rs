//! The mutant that is chosen, and the functions that were entered. The changed sources call `at`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// More than the program has.
const FUNCTIONS: usize = 4096;

static CHOSEN: AtomicUsize = AtomicUsize::new(0);
static ENTERED: [AtomicBool; FUNCTIONS] = [const { AtomicBool::new(false) }; FUNCTIONS];

/// Note that a function was entered. Gives the chosen mutant, or 0.
#[inline]
pub fn at(function: usize) -> usize {
    ENTERED[function].store(true, Relaxed);
    CHOSEN.load(Relaxed)
}

pub fn choose(mutant: usize) {
    CHOSEN.store(mutant, Relaxed);
}

pub fn forget() {
    for entered in &ENTERED {
        entered.store(false, Relaxed);
    }
}

pub fn entered() -> Vec<usize> {
    let functions = 0..FUNCTIONS;
    functions.filter(|function| ENTERED[*function].load(Relaxed)).collect()
}
