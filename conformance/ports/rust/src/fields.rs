//! Reading the fields of a request's input.

use crate::failure::{malformed, Outcome};
use crate::json::{Json, Object};

/// The input of an operation: an object whose fields are read by name.
pub struct Input<'a> {
    fields: &'a Object,
}

impl<'a> Input<'a> {
    /// An object with the named fields only.
    pub fn of(json: &'a Json, known: &[&str]) -> Outcome<Input<'a>> {
        let Json::Object(fields) = json else {
            return malformed("not an object");
        };
        for name in fields.keys() {
            if !known.iter().any(|known| known.as_bytes() == name) {
                return malformed(format!("unknown field {}", String::from_utf8_lossy(name)));
            }
        }
        Ok(Input { fields })
    }

    pub fn has(&self, name: &str) -> bool {
        self.optional(name).is_some()
    }

    pub fn optional(&self, name: &str) -> Option<&'a Json> {
        self.fields.get(name.as_bytes())
    }

    pub fn get(&self, name: &str) -> Outcome<&'a Json> {
        match self.optional(name) {
            Some(value) => Ok(value),
            None => malformed(format!("the field {name} is missing")),
        }
    }

    pub fn text(&self, name: &str) -> Outcome<&'a [u8]> {
        text(self.get(name)?)
    }

    pub fn list(&self, name: &str) -> Outcome<&'a [Json]> {
        list(self.get(name)?)
    }

    pub fn texts(&self, name: &str) -> Outcome<Vec<&'a [u8]>> {
        self.list(name)?.iter().map(text).collect()
    }

    pub fn bytes(&self, name: &str) -> Outcome<Vec<u8>> {
        bytes(self.get(name)?)
    }

    pub fn optional_bytes(&self, name: &str) -> Outcome<Option<Vec<u8>>> {
        self.optional(name).map(bytes).transpose()
    }

    pub fn int(&self, name: &str) -> Outcome<i128> {
        int(self.get(name)?)
    }
}

pub fn text(json: &Json) -> Outcome<&[u8]> {
    match json {
        Json::Text(text) => Ok(text),
        _ => malformed("not a text"),
    }
}

pub fn list(json: &Json) -> Outcome<&[Json]> {
    match json {
        Json::List(items) => Ok(items),
        _ => malformed("not a list"),
    }
}

pub fn object(json: &Json) -> Outcome<&Object> {
    match json {
        Json::Object(fields) => Ok(fields),
        _ => malformed("not an object"),
    }
}

pub fn int(json: &Json) -> Outcome<i128> {
    match json {
        Json::Int(value) => Ok(*value),
        _ => malformed("not an integer"),
    }
}

pub fn bytes(json: &Json) -> Outcome<Vec<u8>> {
    match hex::decode(text(json)?) {
        Ok(bytes) => Ok(bytes),
        Err(_) => malformed("not hex"),
    }
}
