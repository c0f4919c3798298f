//! The 3-way merge of lists of lines. Section "Lists of lines".

use std::collections::BTreeMap;

use crate::failure::{refused, Outcome};

pub type Line = Vec<u8>;

/// Place of a line of the origin -> place of the same line in a side.
type Matching = BTreeMap<usize, usize>;

/// For places in both lists, the length of the longest matching from there on.
fn lengths(origin: &[Line], side: &[Line]) -> Vec<Vec<usize>> {
    let mut lengths = vec![vec![0; side.len() + 1]; origin.len() + 1];
    for i in (0..origin.len()).rev() {
        for j in (0..side.len()).rev() {
            lengths[i][j] = match origin[i] == side[j] {
                true => lengths[i + 1][j + 1] + 1,
                false => lengths[i + 1][j].max(lengths[i][j + 1]),
            };
        }
    }
    lengths
}

/// The longest matching; of several, the one with the earliest pairs (HM-3WAY-LINES-MATCHING).
fn matching(origin: &[Line], side: &[Line]) -> Matching {
    let lengths = lengths(origin, side);
    let mut pairs = Matching::new();
    let mut from = 0;
    for (i, line) in origin.iter().enumerate() {
        let Some(offset) = side[from..].iter().position(|other| other == line) else {
            continue;
        };
        let place = from + offset;
        if lengths[i + 1][place + 1] + 1 == lengths[i][from] {
            pairs.insert(i, place);
            from = place + 1;
        }
    }
    pairs
}

/// HM-3WAY-LINES-PARTS
fn merge_parts<'a>(o: &'a [Line], a: &'a [Line], b: &'a [Line]) -> Outcome<&'a [Line]> {
    if a == o || a == b {
        Ok(b)
    } else if b == o {
        Ok(a)
    } else {
        refused("conflict")
    }
}

/// Kept lines, and the merged parts between them (HM-3WAY-LINES-KEPT).
pub fn merge_lines(o: &[Line], a: &[Line], b: &[Line]) -> Outcome<Vec<Line>> {
    let (in_a, in_b) = (matching(o, a), matching(o, b));
    let mut merged = Vec::new();
    let mut start = (0, 0, 0);
    for (&i, &j) in &in_a {
        let Some(&k) = in_b.get(&i) else { continue };
        let part = merge_parts(&o[start.0..i], &a[start.1..j], &b[start.2..k])?;
        merged.extend_from_slice(part);
        merged.push(o[i].clone());
        start = (i + 1, j + 1, k + 1);
    }
    merged.extend_from_slice(merge_parts(&o[start.0..], &a[start.1..], &b[start.2..])?);
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        text.bytes().map(|byte| vec![byte]).collect()
    }

    /// The lists of at most two lines x and y.
    fn lists() -> Vec<Vec<Line>> {
        ["", "x", "y", "xx", "xy", "yx", "yy"].map(lines).to_vec()
    }

    #[test]
    fn lists_of_lines_obey_the_laws_and_are_idempotent() {
        for o in lists() {
            for a in lists() {
                for (left, right) in [(&o, &a), (&a, &o), (&a, &a)] {
                    assert_eq!(merge_lines(&o, left, right).ok().as_ref(), Some(&a));
                }
                for b in lists() {
                    let swapped = merge_lines(&o, &b, &a).ok();
                    assert_eq!(merge_lines(&o, &a, &b).ok(), swapped);
                }
            }
        }
    }

    #[test]
    fn of_the_longest_matchings_the_one_with_the_earliest_pairs_counts() {
        let of = |o, side| {
            matching(&lines(o), &lines(side))
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(of("cab", "abc"), [(1, 0), (2, 1)]);
        assert_eq!(of("ab", "ba"), [(0, 1)]);
        assert_eq!(of("xx", "x"), [(0, 0)]);
        assert_eq!(of("x", "xyx"), [(0, 0)]);
    }
}
