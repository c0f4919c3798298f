//! The counts of a history, and the laws that it breaks.

use std::collections::BTreeMap;

use super::run::Run;

/// See `Ledger` in the suite's `contract/law.py`. broken: the law and the kind of each violation.
#[derive(Default)]
pub struct Ledger {
    pub checked: BTreeMap<&'static str, i64>,
    pub vacuous: BTreeMap<&'static str, i64>,
    pub coverage: BTreeMap<String, i64>,
    pub broken: Vec<(&'static str, String)>,
    pub observed: Vec<u8>,
}

impl Ledger {
    /// Count a check of a law, or a premise that does not hold; return the premise.
    pub fn check(&mut self, law: &'static str, premise: bool) -> bool {
        self.checks(law, premise, 1)
    }

    pub fn checks(&mut self, law: &'static str, premise: bool, times: usize) -> bool {
        if times == 0 {
            return false;
        }
        let counts = match premise {
            true => &mut self.checked,
            false => &mut self.vacuous,
        };
        *counts.entry(law).or_default() += times as i64;
        premise
    }

    pub fn broken(&mut self, law: &'static str, kind: impl Into<String>) {
        self.broken.push((law, kind.into()));
    }

    /// Record that a run breaks a law in a way that has the name of its design.
    pub fn broken_in(&mut self, run: &Run, law: &'static str, kind: &str) {
        self.broken(law, format!("{}: {kind}", run.design()));
    }

    pub fn cover(&mut self, key: &str) {
        self.covers(key, 1);
    }

    pub fn covers(&mut self, key: &str, times: i64) {
        match self.coverage.get_mut(key) {
            Some(count) => *count += times,
            None => {
                self.coverage.insert(key.to_string(), times);
            }
        }
    }
}
