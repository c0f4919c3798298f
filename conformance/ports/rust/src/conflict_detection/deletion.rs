//! Leases, and what is kept of the grid. Section "Deletion and garbage".

use std::collections::BTreeMap;

use super::version_dag::{past, Dag};

/// Snapshot -> when the last lease on it ends.
pub type Leases<I> = BTreeMap<I, i128>;

/// A client renews its leases on what it links and everything behind that.
pub fn renew<I: Ord + Clone>(leases: &mut Leases<I>, dag: &Dag<I>, links: Vec<I>, until: i128) {
    for snapshot in past(dag, links) {
        let end = leases.entry(snapshot).or_insert(until);
        *end = until.max(*end);
    }
}

/// What some lease covers at a time.
pub fn leased<I: Ord + Clone>(leases: &Leases<I>, now: i128) -> Vec<I> {
    let covered = leases.iter().filter(|(_, end)| **end > now);
    covered.map(|(snapshot, _)| snapshot.clone()).collect()
}
