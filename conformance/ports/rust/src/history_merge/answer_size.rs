//! The size of an answer, which is limited where an answer can grow with the square of its question.

use crate::failure::{refused, Outcome};
use crate::json::Json;

/// The largest size of a session, of operational edges or of the steps of a merge, in bytes.
const LARGEST_ANSWER: usize = 1 << 20;

/// What is left of the largest answer.
pub struct Room(usize);

impl Room {
    pub fn new() -> Room {
        Room(LARGEST_ANSWER)
    }

    /// Take the place of a part of the answer. HM-ANSWER-SIZE
    pub fn take(&mut self, part: &Json) -> Outcome<()> {
        match self.0.checked_sub(size_of(part)) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => refused("answer-too-large"),
        }
    }

    /// An answer that is a list, unless it is too large.
    pub fn list(mut self, name: &str, items: Vec<Json>) -> Outcome<Json> {
        items.iter().try_for_each(|item| self.take(item))?;
        Ok(Json::object([(name, Json::List(items))]))
    }
}

/// The bytes of all texts in a part of an answer, and one for each.
fn size_of(part: &Json) -> usize {
    match part {
        Json::Text(text) => text.len() + 1,
        Json::List(items) => items.iter().map(size_of).sum(),
        Json::Object(members) => members.iter().map(|(_, each)| size_of(each)).sum(),
        _ => 0,
    }
}
