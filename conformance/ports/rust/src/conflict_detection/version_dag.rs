//! Versions and their parents, and the follows relation. Section "Definitions". Nothing here
//! recurses, and each question takes time in proportion to the graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::{refused, Outcome};

/// Versions, each with its parents. A parent that is not a version of the map is one that is not
/// known, and leads nowhere.
pub type Dag<I> = BTreeMap<I, Vec<I>>;

/// A whole DAG from a list. Refuses an invalid one.
pub fn checked<I: Ord + Clone>(versions: Vec<(I, Vec<I>)>) -> Outcome<Dag<I>> {
    let mut dag = Dag::new();
    for (version, parents) in versions {
        if parents.iter().collect::<BTreeSet<_>>().len() != parents.len() {
            return refused("duplicate-parent");
        }
        if dag.insert(version, parents).is_some() {
            return refused("duplicate-version");
        }
    }
    check_known(&dag, dag.values().flatten())?;
    match is_acyclic(&dag) {
        true => Ok(dag),
        false => refused("cycle"),
    }
}

pub fn check_known<'a, I: Ord + 'a>(
    dag: &Dag<I>,
    versions: impl IntoIterator<Item = &'a I>,
) -> Outcome<()> {
    match versions
        .into_iter()
        .all(|version| dag.contains_key(version))
    {
        true => Ok(()),
        false => refused("unknown-version"),
    }
}

fn is_acyclic<I: Ord + Clone>(dag: &Dag<I>) -> bool {
    let children = children(dag);
    let mut missing: BTreeMap<&I, usize> = BTreeMap::new();
    for (version, parents) in dag {
        missing.insert(version, parents.len());
    }
    let mut free: Vec<&I> = dag.keys().filter(|version| missing[version] == 0).collect();
    let mut done = 0;
    while let Some(version) = free.pop() {
        done += 1;
        for child in children.get(version).into_iter().flatten() {
            if let Some(count) = missing.get_mut(child) {
                *count -= 1;
                if *count == 0 {
                    free.push(child);
                }
            }
        }
    }
    done == dag.len()
}

pub fn children<I: Ord + Clone>(dag: &Dag<I>) -> BTreeMap<&I, Vec<&I>> {
    let mut children: BTreeMap<&I, Vec<&I>> = BTreeMap::new();
    for (version, parents) in dag {
        for parent in parents {
            children.entry(parent).or_default().push(version);
        }
    }
    children
}

/// Some versions and all known versions that they follow.
pub fn past<I: Ord + Clone>(dag: &Dag<I>, versions: impl IntoIterator<Item = I>) -> BTreeSet<I> {
    let mut past = BTreeSet::new();
    let mut waiting: Vec<I> = versions.into_iter().collect();
    while let Some(version) = waiting.pop() {
        if let Some(parents) = dag.get(&version) {
            if past.insert(version) {
                waiting.extend(parents.iter().cloned());
            }
        }
    }
    past
}

/// Whether one version follows another.
pub fn follows<I: Ord + Clone>(dag: &Dag<I>, later: &I, earlier: &I) -> bool {
    later != earlier && past(dag, [later.clone()]).contains(earlier)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A list of versions from words such as `v:a,b`.
    pub fn versions(words: &str) -> Vec<(String, Vec<String>)> {
        words
            .split(' ')
            .map(|word| {
                let (id, parents) = word.split_once(':').unwrap_or((word, ""));
                let parents = parents.split(',').filter(|parent| !parent.is_empty());
                (id.to_string(), parents.map(str::to_string).collect())
            })
            .collect()
    }

    #[test]
    fn what_is_no_dag_is_refused() {
        for words in ["a a", "a:b", "a:a", "a:b b:a", "r a:r,r", "r a:b b:a"] {
            assert!(checked(versions(words)).is_err(), "{words}");
        }
    }

    #[test]
    fn a_version_follows_what_it_was_made_from_and_not_itself() {
        let dag = checked(versions("c:b b:a a d:a")).unwrap();
        let follows =
            |later: &str, earlier: &str| follows(&dag, &later.to_string(), &earlier.to_string());
        assert!(follows("c", "a"));
        assert!(!follows("a", "c") && !follows("c", "c") && !follows("c", "d"));
    }
}
