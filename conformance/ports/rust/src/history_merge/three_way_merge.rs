//! States, and the merge of two that have a common past. Section "3-way merge".

use std::collections::BTreeSet;

use super::integers::Integer;
use super::lines::{merge_lines, Line};
use crate::failure::{malformed, refused, Outcome};

pub type Set = BTreeSet<Vec<u8>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Set(Set),
    Counter(Integer),
    Register(Vec<u8>),
    Lines(Vec<Line>),
}

/// What becomes of an element that both sides add, and of one that both sides remove: the two
/// cases that the laws of the 3-way merge leave open (HM-3WAY-SET-OTHERS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetMerge {
    pub additions_cancel: bool,
    pub removals_cancel: bool,
}

impl SetMerge {
    /// The document's merge.
    pub const IDEMPOTENT: SetMerge = SetMerge {
        additions_cancel: false,
        removals_cancel: false,
    };

    /// The merge of a reading.
    pub fn of_reading(name: Option<&[u8]>) -> Option<SetMerge> {
        let (additions_cancel, removals_cancel) = match name {
            None | Some(b"document") => (false, false),
            Some(b"additions-cancel") => (true, false),
            Some(b"removals-cancel") => (false, true),
            Some(b"symmetric-difference") => (true, true),
            _ => return None,
        };
        Some(SetMerge {
            additions_cancel,
            removals_cancel,
        })
    }

    fn merge(self, o: &Set, a: &Set, b: &Set) -> Set {
        let mut merged = apply(b, &insertions(o, a), &deletions(o, a));
        if self.additions_cancel {
            merged.retain(|x| o.contains(x) || !a.contains(x) || !b.contains(x));
        }
        if self.removals_cancel {
            let gone = o.iter().filter(|x| !a.contains(*x) && !b.contains(*x));
            merged.extend(gone.cloned());
        }
        merged
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateType {
    Set(SetMerge),
    Counter,
    Register,
    Lines,
}

impl StateType {
    pub fn default_state(self) -> State {
        match self {
            StateType::Set(_) => State::Set(Set::new()),
            StateType::Counter => State::Counter(Integer::default()),
            StateType::Register => State::Register(Vec::new()),
            StateType::Lines => State::Lines(Vec::new()),
        }
    }

    /// 3-way-merge(o, a, b); a conflict is refused.
    pub fn three_way_merge(self, o: &State, a: &State, b: &State) -> Outcome<State> {
        match (self, o, a, b) {
            (StateType::Set(merge), State::Set(o), State::Set(a), State::Set(b)) => {
                Ok(State::Set(merge.merge(o, a, b)))
            }
            (_, State::Counter(o), State::Counter(a), State::Counter(b)) => {
                Ok(State::Counter(a.plus(b).minus(o)))
            }
            (_, State::Register(o), State::Register(a), State::Register(b)) => {
                if a == o || a == b {
                    Ok(State::Register(b.clone()))
                } else if b == o {
                    Ok(State::Register(a.clone()))
                } else {
                    refused("conflict")
                }
            }
            (_, State::Lines(o), State::Lines(a), State::Lines(b)) => {
                Ok(State::Lines(merge_lines(o, a, b)?))
            }
            _ => malformed("states of different types"),
        }
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
    fn four_merges_of_sets_obey_the_laws_and_one_is_idempotent() {
        let readings = [
            "document",
            "additions-cancel",
            "removals-cancel",
            "symmetric-difference",
        ];
        for reading in readings {
            let merge = SetMerge::of_reading(Some(reading.as_bytes())).unwrap();
            let merged = |o: &State, a: &State, b: &State| {
                StateType::Set(merge).three_way_merge(o, a, b).unwrap()
            };
            let mut idempotent = true;
            for o in subsets() {
                for a in subsets() {
                    assert_eq!(merged(&o, &o, &a), a);
                    assert_eq!(merged(&o, &a, &o), a);
                    idempotent &= merged(&o, &a, &a) == a;
                    for b in subsets() {
                        assert_eq!(merged(&o, &a, &b), merged(&o, &b, &a));
                    }
                }
            }
            assert_eq!(idempotent, merge == SetMerge::IDEMPOTENT, "{reading}");
        }
    }

    #[test]
    fn registers_conflict_and_make_nothing_up() {
        let of = |text: &str| State::Register(text.as_bytes().to_vec());
        let merged =
            |a: &str, b: &str| StateType::Register.three_way_merge(&of("o"), &of(a), &of(b));
        assert_eq!(merged("a", "o"), Ok(of("a")));
        assert_eq!(merged("a", "a"), Ok(of("a")));
        assert!(merged("a", "b").is_err());
    }
}
