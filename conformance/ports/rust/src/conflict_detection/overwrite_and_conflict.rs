//! The walk through snapshots, and its finding. Section "Overwrite and conflict".

use std::collections::BTreeSet;

use super::definitions::{classify, Classification};
use super::reading::Reading;
use super::version_dag::{follows, past, Dag};

/// The finding of a client, from the snapshots that it knows.
pub fn classify_snapshot<I: Ord + Clone>(
    known: &Dag<I>,
    local: Option<&I>,
    remote: &I,
    reading: &Reading,
) -> Classification {
    let Some(local) = local else {
        return Classification::Overwrite;
    };
    classify(
        local == remote,
        follows(known, remote, local),
        follows(known, local, remote),
        reading,
    )
}

/// The snapshots that a client fetches to classify a snapshot. Its own snapshot is cached.
pub fn fetched<I: Ord + Clone>(
    grid: &Dag<I>,
    cached: &BTreeSet<I>,
    local: Option<&I>,
    remote: &I,
) -> BTreeSet<I> {
    if cached.contains(remote) {
        return BTreeSet::new();
    }
    if local.is_none() {
        return BTreeSet::from([remote.clone()]);
    }
    let mut fetched = BTreeSet::new();
    let mut met_root = false;
    let mut waiting = vec![remote.clone()];
    while let Some(snapshot) = waiting.pop() {
        if cached.contains(&snapshot) {
            continue;
        }
        let Some(parents) = grid.get(&snapshot) else {
            // CD-WALK-COLLECTED
            met_root = true;
            continue;
        };
        if fetched.insert(snapshot) {
            met_root |= parents.is_empty();
            waiting.extend(parents.iter().cloned());
        }
    }
    if met_root {
        // CD-WALK-COMPLETE
        let whole = past(grid, cached.iter().cloned());
        fetched.extend(whole.difference(cached).cloned());
    }
    fetched
}

#[cfg(test)]
mod tests {
    use super::super::version_dag::{checked, tests::versions};
    use super::*;

    #[test]
    fn the_walk_stops_where_it_meets_what_is_cached() {
        let grid = checked(versions("a b:a c:b d:b e:c,d x")).unwrap();
        let walk = |cached: &[&str], local: Option<&str>, remote: &str| -> Vec<String> {
            let cached = cached.iter().map(|each| each.to_string()).collect();
            let local = local.map(str::to_string);
            let found = fetched(&grid, &cached, local.as_ref(), &remote.to_string());
            found.into_iter().collect()
        };
        assert_eq!(walk(&["c"], Some("c"), "e"), ["a", "b", "d", "e"]);
        assert_eq!(walk(&["b", "c"], Some("c"), "e"), ["d", "e"]);
        assert_eq!(walk(&["e"], Some("e"), "x"), ["a", "b", "c", "d", "x"]);
        assert_eq!(walk(&["d"], Some("d"), "e"), ["a", "b", "c", "e"]);
        assert_eq!(walk(&["e", "x"], Some("e"), "x"), [""; 0]);
        assert_eq!(walk(&[], None, "e"), ["e"]);
    }
}
