//! Leases, and the snapshots that the grid keeps. Section "Deletion and garbage".

use std::collections::BTreeMap;

use super::version_dag::Dag;

/// Snapshot -> the end of its last lease.
pub type Leases<I> = BTreeMap<I, i128>;

/// Renew a client's leases on the snapshots that it links, and on all of their ancestors.
///
/// A lease that ends later covers its ancestors for as long.
pub fn renew<I: Ord + Clone>(leases: &mut Leases<I>, dag: &Dag<I>, links: Vec<I>, until: i128) {
    let mut waiting = links;
    while let Some(snapshot) = waiting.pop() {
        if leases.get(&snapshot).is_some_and(|end| *end >= until) {
            continue;
        }
        if let Some(parents) = dag.get(&snapshot) {
            leases.insert(snapshot, until);
            waiting.extend(parents.iter().cloned());
        }
    }
}

/// The snapshots that a lease covers at a time.
pub fn leased<I: Ord + Clone>(leases: &Leases<I>, now: i128) -> Vec<I> {
    let covered = leases.iter().filter(|(_, end)| **end > now);
    covered.map(|(snapshot, _)| snapshot.clone()).collect()
}
