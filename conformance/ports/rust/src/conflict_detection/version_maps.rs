//! Version maps: their comparison, join, uploads and resolutions. Sections "Version maps",
//! "Upload and download" and "Resolution with version maps".

use std::collections::BTreeMap;

use super::definitions::{classify, Classification};
use super::reading::Reading;
use crate::failure::{refused, Outcome};
use crate::json::Text;

/// Nickname -> the number of uploads of that client that a version follows or is.
pub type VersionMap = BTreeMap<Text, i64>;

/// CD-MAP-NUMBERS
pub const MAX_NUMBER: i64 = (1 << 53) - 1;

fn number(map: &VersionMap, nickname: &Text) -> i64 {
    map.get(nickname).copied().unwrap_or(0)
}

/// CD-MAP-SAME
pub fn same(one: &VersionMap, other: &VersionMap) -> bool {
    none_smaller(one, other) && none_smaller(other, one)
}

fn none_smaller(one: &VersionMap, other: &VersionMap) -> bool {
    other
        .iter()
        .all(|(name, theirs)| number(one, name) >= *theirs)
}

/// CD-MAP-FOLLOWS
pub fn follows(later: &VersionMap, earlier: &VersionMap, reading: &Reading) -> bool {
    if reading.no_entry_smaller {
        return none_smaller(later, earlier) && !same(later, earlier);
    }
    earlier.iter().all(|(name, theirs)| match later.get(name) {
        Some(ours) => ours > theirs,
        None => reading.missing_entry_is_zero && 0 > *theirs,
    })
}

/// CD-MAP-CLASSIFY
pub fn classify_version_map(
    local: Option<&VersionMap>,
    remote: &VersionMap,
    reading: &Reading,
) -> Classification {
    let Some(local) = local else {
        return Classification::Overwrite;
    };
    classify(
        reading.equal_map_is_same && same(local, remote),
        follows(remote, local, reading),
        follows(local, remote, reading),
        reading,
    )
}

/// CD-MAP-JOIN
pub fn join<'a>(maps: impl IntoIterator<Item = &'a VersionMap>) -> VersionMap {
    let mut joined = VersionMap::new();
    for (name, number) in maps.into_iter().flatten() {
        let largest = joined.entry(name.clone()).or_insert(*number);
        *largest = (*largest).max(*number);
    }
    joined
}

/// The local version map after conflict files went away (CD-MAP-RESOLVE); `removed` has, by
/// client, the maps of the versions in them.
pub fn resolved(
    local: &VersionMap,
    removed: &BTreeMap<Text, VersionMap>,
    reading: &Reading,
) -> VersionMap {
    if reading.resolves_with_whole_map {
        return join(std::iter::once(local).chain(removed.values()));
    }
    let mut resolved = local.clone();
    for (name, map) in removed {
        if let Some(own) = map.get(name) {
            resolved.insert(name.clone(), *own);
        }
    }
    resolved
}

/// The map of an upload (CD-MAP-UPLOAD).
pub fn uploaded(local: &VersionMap, nickname: &Text) -> Outcome<VersionMap> {
    let own = number(local, nickname);
    if own >= MAX_NUMBER {
        return refused("version-number");
    }
    let mut map = local.clone();
    map.insert(nickname.clone(), own + 1);
    Ok(map)
}

/// The local version map after an overwrite (CD-MAP-OVERWRITE).
pub fn overwritten(downloaded: &VersionMap, nickname: &Text, reading: &Reading) -> VersionMap {
    let mut map = downloaded.clone();
    if reading.own_entry_of_zero {
        map.entry(nickname.clone()).or_insert(0);
    }
    map
}

#[cfg(test)]
mod tests {
    use super::super::reading::{LITERAL, REPAIRED};
    use super::*;

    fn map(entries: &[(&str, i64)]) -> VersionMap {
        let entries = entries.iter();
        entries
            .map(|(name, number)| (name.as_bytes().to_vec(), *number))
            .collect()
    }

    #[test]
    fn the_example_with_three_clients() {
        let before = map(&[("A", 10), ("B", 20), ("C", 30)]);
        let a = uploaded(&before, &b"A".to_vec()).unwrap();
        let b = uploaded(&before, &b"B".to_vec()).unwrap();
        let find = |local, remote| classify_version_map(Some(local), remote, &REPAIRED);
        assert_eq!(find(&before, &a), Classification::Overwrite);
        assert_eq!(find(&a, &before), Classification::Stale);
        assert_eq!(find(&a, &b), Classification::Conflict);
        let removed = BTreeMap::from([(b"B".to_vec(), b.clone())]);
        let c = uploaded(&resolved(&a, &removed, &REPAIRED), &b"C".to_vec()).unwrap();
        assert_eq!(c, map(&[("A", 11), ("B", 21), ("C", 31)]));
        assert_eq!(find(&a, &c), Classification::Overwrite);
        assert_eq!(find(&b, &c), Classification::Overwrite);
        assert_eq!(
            classify_version_map(Some(&before), &a, &LITERAL),
            Classification::Conflict
        );
    }

    #[test]
    fn a_missing_entry_is_zero_in_one_reading() {
        let (empty, zero, one) = (map(&[]), map(&[("A", 0)]), map(&[("B", 1)]));
        assert!(same(&empty, &zero));
        assert!(follows(&one, &zero, &REPAIRED));
        assert!(!follows(&one, &zero, &LITERAL));
        assert!(follows(&one, &empty, &LITERAL));
    }

    #[test]
    fn there_is_a_largest_number() {
        let name = b"A".to_vec();
        assert!(uploaded(&map(&[("A", MAX_NUMBER - 1)]), &name).is_ok());
        assert!(uploaded(&map(&[("A", MAX_NUMBER)]), &name).is_err());
    }
}
