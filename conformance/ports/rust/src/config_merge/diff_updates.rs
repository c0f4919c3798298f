//! Diffs: their form, how to make one, and how to apply one. Section "Diff updates".

use std::collections::{BTreeMap, BTreeSet};

use super::application_data::{
    ascending_set, check_key, check_level, set_value, Data, Dict, Scalar, Set,
};
use super::reading::Reading;
use crate::bt::{self, Value};
use crate::failure::{refused, Outcome};

pub type Diff = BTreeMap<Vec<u8>, Change>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Assigned,
    Removed,
    Set(SetDiff),
    Dict(Diff),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetDiff {
    pub added: Set,
    pub removed: Set,
    /// The set diff as it came, if it holds a list or dict that no set can take (CM-E67).
    pub carried: Option<Value>,
}

/// A diff from the value of `=` or of a row.
pub fn from_value(value: Value, reading: &Reading) -> Outcome<Diff> {
    match value {
        Value::Dict(dict) => dict_diff_at(dict, 1, reading),
        _ => refused("diff-type"),
    }
}

pub fn decode(bytes: &[u8], reading: &Reading) -> Outcome<Diff> {
    from_value(bt::decode(bytes, reading.strict_encoding)?.value, reading)
}

fn dict_diff_at(dict: bt::Dict, level: usize, reading: &Reading) -> Outcome<Diff> {
    check_level(level)?;
    dict.into_iter()
        .map(|(key, value)| {
            check_key(&key, reading)?;
            Ok((key, change_below(value, level, reading)?))
        })
        .collect()
}

fn change_below(value: Value, level: usize, reading: &Reading) -> Outcome<Change> {
    match value {
        Value::Str(text) if text.is_empty() => Ok(Change::Assigned),
        Value::Str(text) if text == b"-" => Ok(Change::Removed),
        Value::Str(_) | Value::Int(_) => refused("diff-value"),
        Value::List(list) => {
            check_level(level + 1)?;
            Ok(Change::Set(set_diff(list, level + 1, reading)?))
        }
        Value::Dict(dict) if dict.is_empty() && reading.empty_nested_diffs_invalid => {
            refused("dict-diff-empty")
        }
        Value::Dict(dict) => Ok(Change::Dict(dict_diff_at(dict, level + 1, reading)?)),
    }
}

fn set_diff(list: Vec<Value>, level: usize, reading: &Reading) -> Outcome<SetDiff> {
    let whole = (!reading.check_lone_elements && list.iter().any(is_lone_container))
        .then(|| Value::List(list.clone()));
    let Ok([Value::List(added), Value::List(removed)]) = <[Value; 2]>::try_from(list) else {
        return refused("set-diff-shape");
    };
    let added = elements(added, level, reading)?;
    let removed = elements(removed, level, reading)?;
    if whole.is_some() {
        return Ok(SetDiff {
            added,
            removed,
            carried: whole,
        });
    }
    if reading.empty_nested_diffs_invalid && added.is_empty() && removed.is_empty() {
        return refused("set-diff-empty");
    }
    if reading.set_diff_overlap_invalid && !added.is_disjoint(&removed) {
        return refused("set-diff-overlap");
    }
    Ok(SetDiff {
        added,
        removed,
        carried: None,
    })
}

/// The elements of one list of a set diff that a set can take.
fn elements(list: Vec<Value>, level: usize, reading: &Reading) -> Outcome<Set> {
    match list.as_slice() {
        [lone @ (Value::List(_) | Value::Dict(_))] if !reading.check_lone_elements => {
            check_level(level + levels(lone))?;
            Ok(Set::new())
        }
        _ => ascending_set(list, reading),
    }
}

fn is_lone_container(list: &Value) -> bool {
    matches!(list, Value::List(list)
        if matches!(list.as_slice(), [Value::List(_) | Value::Dict(_)]))
}

fn levels(value: &Value) -> usize {
    match value {
        Value::Int(_) | Value::Str(_) => 0,
        Value::List(list) => 1 + list.iter().map(levels).max().unwrap_or(0),
        Value::Dict(dict) => 1 + dict.values().map(levels).max().unwrap_or(0),
    }
}

pub fn to_value(diff: &Diff) -> Value {
    Value::Dict(
        diff.iter()
            .map(|(key, change)| (key.clone(), change_value(change)))
            .collect(),
    )
}

fn change_value(change: &Change) -> Value {
    match change {
        Change::Assigned => Value::Str(Vec::new()),
        Change::Removed => Value::Str(b"-".to_vec()),
        Change::Set(SetDiff {
            carried: Some(whole),
            ..
        }) => whole.clone(),
        Change::Set(set) => Value::List(vec![set_value(&set.added), set_value(&set.removed)]),
        Change::Dict(diff) => to_value(diff),
    }
}

pub fn encode(diff: &Diff) -> Vec<u8> {
    bt::encode(&to_value(diff))
}

/// The diff from old data to new data.
pub fn make(old: &Dict, new: &Dict) -> Diff {
    let keys: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
    keys.into_iter()
        .filter_map(|key| Some((key.clone(), change(old.get(key), new.get(key))?)))
        .collect()
}

fn change(old: Option<&Data>, new: Option<&Data>) -> Option<Change> {
    match (old, new) {
        (None, None) => None,
        (Some(Data::Scalar(old)), Some(Data::Scalar(new))) => {
            (old != new).then_some(Change::Assigned)
        }
        (Some(Data::Set(old)), Some(Data::Set(new))) => set_change(old, new),
        (Some(Data::Dict(old)), Some(Data::Dict(new))) => dict_change(old, new),
        // A new value at its key, or a value of another kind than before.
        (_, Some(Data::Scalar(_))) => Some(Change::Assigned),
        (_, Some(Data::Set(new))) => set_change(&Set::new(), new),
        (_, Some(Data::Dict(new))) => dict_change(&Dict::new(), new),
        (Some(Data::Scalar(_)), None) => Some(Change::Removed),
        (Some(Data::Set(old)), None) => set_change(old, &Set::new()),
        (Some(Data::Dict(old)), None) => dict_change(old, &Dict::new()),
    }
}

fn set_change(old: &Set, new: &Set) -> Option<Change> {
    let only_in = |a: &Set, b: &Set| -> Set { a.difference(b).cloned().collect() };
    (old != new).then(|| {
        Change::Set(SetDiff {
            added: only_in(new, old),
            removed: only_in(old, new),
            carried: None,
        })
    })
}

fn dict_change(old: &Dict, new: &Dict) -> Option<Change> {
    let diff = make(old, new);
    (!diff.is_empty()).then_some(Change::Dict(diff))
}

/// Apply a diff to current data, with new values from the source. Sets and dicts that become
/// empty are left for `application_data::prune`.
pub fn apply(current: &mut Dict, diff: &Diff, source: &Dict, reading: &Reading) {
    for (key, change) in diff {
        let found = source.get(key);
        match change {
            Change::Removed => {
                current.remove(key);
            }
            Change::Assigned => match found {
                Some(Data::Scalar(scalar)) => {
                    current.insert(key.clone(), Data::Scalar(Scalar::clone(scalar)));
                }
                _ => {
                    current.remove(key);
                }
            },
            Change::Set(set_diff) => {
                if reading.missing_set_diff_target_erases && !matches!(found, Some(Data::Set(_))) {
                    current.remove(key);
                } else if let Some(set) = set_to_change(current, key, change, reading) {
                    set.extend(set_diff.added.iter().cloned());
                    set.retain(|element| !set_diff.removed.contains(element));
                }
            }
            Change::Dict(inner) => {
                let nothing = Dict::new();
                let inner_source = match found {
                    Some(Data::Dict(dict)) => dict,
                    _ if reading.missing_dict_diff_target_erases => {
                        current.remove(key);
                        continue;
                    }
                    _ => &nothing,
                };
                if let Some(dict) = dict_to_change(current, key, change, reading) {
                    apply(dict, inner, inner_source, reading);
                }
            }
        }
    }
}

/// The set at the key, or a new one; none if a value of another kind stays.
fn set_to_change<'a>(
    current: &'a mut Dict,
    key: &[u8],
    change: &Change,
    reading: &Reading,
) -> Option<&'a mut Set> {
    let slot = current
        .entry(key.to_vec())
        .or_insert_with(|| Data::Set(Set::new()));
    if !matches!(slot, Data::Set(_)) && replaces(change, reading) {
        *slot = Data::Set(Set::new());
    }
    match slot {
        Data::Set(set) => Some(set),
        _ => None,
    }
}

/// The same for a dict.
fn dict_to_change<'a>(
    current: &'a mut Dict,
    key: &[u8],
    change: &Change,
    reading: &Reading,
) -> Option<&'a mut Dict> {
    let slot = current
        .entry(key.to_vec())
        .or_insert_with(|| Data::Dict(Dict::new()));
    if !matches!(slot, Data::Dict(_)) && replaces(change, reading) {
        *slot = Data::Dict(Dict::new());
    }
    match slot {
        Data::Dict(dict) => Some(dict),
        _ => None,
    }
}

/// CM-DIFF-APPLY-TYPE-MISMATCH: whether a value of another kind is replaced.
fn replaces(change: &Change, reading: &Reading) -> bool {
    !reading.type_mismatch_removal_keeps || adds_or_assigns(change)
}

fn adds_or_assigns(change: &Change) -> bool {
    match change {
        Change::Assigned => true,
        Change::Removed => false,
        Change::Set(set) => !set.added.is_empty(),
        Change::Dict(diff) => diff.values().any(adds_or_assigns),
    }
}

#[cfg(test)]
mod tests {
    use super::super::application_data::{self, prune};
    use super::super::reading::{DOCUMENT, LIBSESSION};
    use super::*;

    fn data(text: &str) -> Dict {
        application_data::decode(text.as_bytes(), &DOCUMENT).unwrap()
    }

    fn applied(current: &str, diff: &str, source: &str, reading: &Reading) -> String {
        let mut current = data(current);
        let diff = decode(diff.as_bytes(), reading).unwrap();
        apply(&mut current, &diff, &data(source), reading);
        prune(&mut current);
        String::from_utf8(application_data::encode(&current)).unwrap()
    }

    #[test]
    fn a_diff_applied_to_the_old_data_gives_the_new() {
        let samples = [
            "de",
            "d1:ai1ee",
            "d1:a1:1e",
            "d1:ali1eee",
            "d1:ali1ei2eee",
            "d1:ad1:xi1eee",
            "d1:ad1:xli1eeee",
            "d1:ad1:xi1e1:yi2ee1:bi1ee",
        ];
        for old in samples {
            for new in samples {
                let diff = make(&data(old), &data(new));
                let mut current = data(old);
                apply(&mut current, &diff, &data(new), &DOCUMENT);
                prune(&mut current);
                assert_eq!(current, data(new), "{old} to {new}");
                assert_eq!(diff.is_empty(), old == new);
                assert!(from_value(to_value(&diff), &DOCUMENT).is_ok());
            }
        }
    }

    #[test]
    fn a_removed_dict_lists_its_leaves() {
        let diff = make(&data("d1:cd1:xd1:yi1eeee"), &Dict::new());
        assert_eq!(encode(&diff), b"d1:cd1:xd1:y1:-eee");
    }

    #[test]
    fn a_diff_that_only_removes_leaves_another_kind_alone() {
        let (diff, five) = ("d1:klleli1eeee", "d1:ki5ee");
        assert_eq!(applied(five, diff, "d1:kli2eee", &DOCUMENT), five);
        assert_eq!(applied(five, diff, "d1:kli2eee", &LIBSESSION), "de");
    }

    #[test]
    fn an_assignment_without_a_value_makes_another_kind_give_way() {
        assert_eq!(applied("d1:ki5ee", "d1:kd1:a0:ee", "de", &DOCUMENT), "de");
    }

    #[test]
    fn the_source_of_a_set_diff_matters_in_one_reading_only() {
        let diff = "d1:klleli1eeee";
        assert_eq!(
            applied("d1:kli1ei2eee", diff, "de", &DOCUMENT),
            "d1:kli2eee"
        );
        assert_eq!(applied("d1:kli1ei2eee", diff, "de", &LIBSESSION), "de");
    }

    #[test]
    fn hostile_diffs_are_refused() {
        for text in [
            "d1:ai1ee",
            "d1:a1:xe",
            "d1:alee",
            "d1:allelee",
            "d1:alleleleee",
            "d1:allleelee",
            "d1:aldelee",
            "d1:alli1eeli1eeee",
            "d1:adee",
            "le",
        ] {
            assert!(decode(text.as_bytes(), &DOCUMENT).is_err(), "{text}");
        }
    }
}
