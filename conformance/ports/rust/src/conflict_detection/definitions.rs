//! Paths, nicknames and classifications. Section "Definitions".

use super::reading::Reading;
use crate::failure::{refused, Outcome};
use crate::json::code_point;

/// The mark between a file's path and the nicknames in a conflict file's name.
pub const MARK: &[u8] = b".conflict-";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classification {
    Overwrite,
    Conflict,
    Stale,
    Same,
}

impl Classification {
    pub fn name(self) -> &'static str {
        match self {
            Classification::Overwrite => "overwrite",
            Classification::Conflict => "conflict",
            Classification::Stale => "stale",
            Classification::Same => "same",
        }
    }
}

/// The finding of a poll, from the relation of the two versions.
pub fn classify(
    same: bool,
    theirs_follows_ours: bool,
    ours_follows_theirs: bool,
    reading: &Reading,
) -> Classification {
    if same {
        Classification::Same
    } else if theirs_follows_ours {
        Classification::Overwrite
    } else if ours_follows_theirs && reading.followed_is_stale {
        Classification::Stale
    } else {
        Classification::Conflict
    }
}

/// CD-PATH
pub fn check_path(path: &[u8]) -> Outcome<()> {
    let bad_component = path
        .split(|byte| *byte == b'/')
        .any(|component| matches!(component, b"" | b"." | b".."));
    let has_mark = path.windows(MARK.len()).any(|window| window == MARK);
    if bad_component || has_mark || path.contains(&0) || has_surrogate(path) {
        return refused("bad-path");
    }
    Ok(())
}

/// CD-NICKNAME
pub fn check_nickname(nickname: &[u8]) -> Outcome<()> {
    let bad = nickname.iter().any(|byte| matches!(byte, b',' | b'/' | 0));
    if nickname.is_empty() || bad || has_surrogate(nickname) {
        return refused("bad-nickname");
    }
    Ok(())
}

fn has_surrogate(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some((code, length)) = code_point(&text[at..]) {
        if (0xd800..=0xdfff).contains(&code) {
            return true;
        }
        at += length;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_in_normal_form_and_no_conflict_files() {
        for path in ["foo", "a/b", "...", ".a", "foo.conflict", "\u{e9}"] {
            assert!(check_path(path.as_bytes()).is_ok(), "{path}");
        }
        for path in [
            "",
            "/a",
            "a/",
            "a//b",
            ".",
            "a/../b",
            "a\0",
            "foo.conflict-B",
        ] {
            assert!(check_path(path.as_bytes()).is_err(), "{path}");
        }
        assert!(check_path(b"a\xed\xa0\x80").is_err());
    }

    #[test]
    fn nicknames_can_stand_in_names_of_conflict_files() {
        assert!(check_nickname(b"B.C").is_ok());
        for nickname in [&b""[..], b"B,C", b"B/C", b"\0", b"\xed\xb0\x80"] {
            assert!(check_nickname(nickname).is_err());
        }
    }
}
