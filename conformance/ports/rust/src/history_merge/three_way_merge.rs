//! States, and the merge of two that have a common past. Section "3-way merge".

use std::collections::BTreeSet;

use super::integers::Integer;
use crate::failure::{malformed, refused, Outcome};

pub type Set = BTreeSet<Vec<u8>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Set(Set),
    Counter(Integer),
    Register(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateType {
    Set,
    Counter,
    Register,
}

impl StateType {
    pub fn default_state(self) -> State {
        match self {
            StateType::Set => State::Set(Set::new()),
            StateType::Counter => State::Counter(Integer::default()),
            StateType::Register => State::Register(Vec::new()),
        }
    }
}

/// 3-way-merge(o, a, b); a conflict is refused.
pub fn three_way_merge(o: &State, a: &State, b: &State) -> Outcome<State> {
    match (o, a, b) {
        (State::Set(o), State::Set(a), State::Set(b)) => {
            Ok(State::Set(apply(b, &insertions(o, a), &deletions(o, a))))
        }
        (State::Counter(o), State::Counter(a), State::Counter(b)) => {
            Ok(State::Counter(a.plus(b).minus(o)))
        }
        (State::Register(o), State::Register(a), State::Register(b)) => {
            if a == o || a == b {
                Ok(State::Register(b.clone()))
            } else if b == o {
                Ok(State::Register(a.clone()))
            } else {
                refused("conflict")
            }
        }
        _ => malformed("states of different types"),
    }
}

/// The elements that the diff from o to a inserts (HM-3WAY-DIFF).
pub fn insertions(o: &Set, a: &Set) -> Set {
    a.difference(o).cloned().collect()
}

/// The elements that the diff from o to a deletes.
pub fn deletions(o: &Set, a: &Set) -> Set {
    insertions(a, o)
}

/// HM-3WAY-APPLY
pub fn apply(state: &Set, inserted: &Set, deleted: &Set) -> Set {
    let mut applied: Set = state.union(inserted).cloned().collect();
    applied.retain(|element| !deleted.contains(element));
    applied
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The subsets of {p, q} and the merge of one side with another.
    fn subsets() -> Vec<State> {
        (0..4)
            .map(|bits| {
                let elements = [(1, b"p"), (2, b"q")];
                let inside = elements.into_iter().filter(|(bit, _)| bits & bit != 0);
                State::Set(inside.map(|(_, name)| name.to_vec()).collect())
            })
            .collect()
    }

    #[test]
    fn sets_obey_the_laws() {
        for o in subsets() {
            for a in subsets() {
                assert_eq!(three_way_merge(&o, &o, &a), Ok(a.clone()));
                assert_eq!(three_way_merge(&o, &a, &o), Ok(a.clone()));
                assert_eq!(three_way_merge(&o, &a, &a), Ok(a.clone()));
                for b in subsets() {
                    assert_eq!(three_way_merge(&o, &a, &b), three_way_merge(&o, &b, &a));
                }
            }
        }
    }

    #[test]
    fn registers_conflict_and_make_nothing_up() {
        let of = |text: &str| State::Register(text.as_bytes().to_vec());
        assert_eq!(three_way_merge(&of("o"), &of("a"), &of("o")), Ok(of("a")));
        assert_eq!(three_way_merge(&of("o"), &of("a"), &of("a")), Ok(of("a")));
        assert!(three_way_merge(&of("o"), &of("a"), &of("b")).is_err());
    }
}
