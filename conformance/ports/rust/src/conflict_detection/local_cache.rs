//! The snapshots that a client's cache keeps. Section "Local cache".

use std::collections::BTreeSet;

use super::version_dag::{children, past, Dag};

pub struct Kept<I> {
    /// The most recent common ancestors of all clients' snapshots.
    pub common_ancestors: BTreeSet<I>,
    pub snapshots: BTreeSet<I>,
}

/// The snapshots of a graph to keep, given all clients' snapshots.
pub fn kept<I: Ord + Clone>(dag: &Dag<I>, currents: &BTreeSet<I>) -> Kept<I> {
    let mut common: Option<BTreeSet<I>> = None;
    for current in currents {
        let own = past(dag, [current.clone()]);
        common = Some(match common {
            None => own,
            Some(common) => common.intersection(&own).cloned().collect(),
        });
    }
    let mut common_ancestors = common.unwrap_or_default();
    for ancestor in common_ancestors.clone() {
        for parent in dag.get(&ancestor).into_iter().flatten() {
            common_ancestors.remove(parent);
        }
    }
    let whole = past(dag, currents.iter().cloned());
    if common_ancestors.is_empty() {
        return Kept {
            common_ancestors,
            snapshots: whole,
        };
    }
    // The snapshots in between: after a common ancestor, and before a client's snapshot.
    let children = children(dag);
    let mut snapshots = BTreeSet::new();
    let mut waiting: Vec<&I> = common_ancestors.iter().collect();
    while let Some(snapshot) = waiting.pop() {
        if whole.contains(snapshot) && snapshots.insert(snapshot.clone()) {
            waiting.extend(children.get(snapshot).into_iter().flatten());
        }
    }
    Kept {
        common_ancestors,
        snapshots,
    }
}

#[cfg(test)]
mod tests {
    use super::super::version_dag::{checked, tests::versions};
    use super::*;

    fn kept_of(words: &str, currents: &str) -> String {
        let dag = checked(versions(words)).unwrap();
        let kept = kept(&dag, &currents.split(' ').map(str::to_string).collect());
        let list = |names: BTreeSet<String>| names.into_iter().collect::<String>();
        format!("{} {}", list(kept.common_ancestors), list(kept.snapshots))
    }

    #[test]
    fn what_lies_between_is_kept() {
        assert_eq!(kept_of("a b:a c:b", "c"), "c c");
        assert_eq!(kept_of("a b:a c:b", "a c"), "a abc");
        assert_eq!(kept_of("r a:r b:r c:b", "a c"), "r abcr");
        assert_eq!(kept_of("r a:r b:r c:a,b d:a,b", "c d"), "ab abcd");
        assert_eq!(kept_of("a b x", "a b"), " ab");
    }
}
