//! Leases, and the snapshots that the grid keeps. Section "Deletion and garbage".

use std::collections::BTreeMap;

use super::version_dag::{past, Dag};

/// Snapshot -> the end of its last lease.
pub type Leases<I> = BTreeMap<I, i128>;

/// Renew a client's leases on the snapshots that it links, and on all of their ancestors.
pub fn renew<I: Ord + Clone>(leases: &mut Leases<I>, dag: &Dag<I>, links: Vec<I>, until: i128) {
    for snapshot in past(dag, links) {
        let end = leases.entry(snapshot).or_insert(until);
        *end = until.max(*end);
    }
}

/// The snapshots that a lease covers at a time.
pub fn leased<I: Ord + Clone>(leases: &Leases<I>, now: i128) -> Vec<I> {
    let covered = leases.iter().filter(|(_, end)| **end > now);
    covered.map(|(snapshot, _)| snapshot.clone()).collect()
}
