//! The part of JSON that the adapter protocol uses: no fractions. It has no dependency. If your port
//! already has a JSON library, use that library instead.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{IntErrorKind, ParseIntError};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i128),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

/// The maximum nesting depth of lists and objects.
const DEPTH: usize = 1000;

// An adapter needs some of these; its operations determine which.
#[allow(dead_code)]
impl Value {
    pub fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
        Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// Returns a field of an object, or null if there is none.
    pub fn get(&self, name: &str) -> &Value {
        match self {
            Value::Object(fields) => fields.get(name).unwrap_or(&Value::Null),
            _ => &Value::Null,
        }
    }

    /// Returns the fields of an object; none for any other value.
    pub fn fields(&self) -> impl Iterator<Item = (&String, &Value)> {
        let fields = if let Value::Object(fields) = self {
            Some(fields)
        } else {
            None
        };
        fields.into_iter().flatten()
    }

    /// Returns the items of a list; none for any other value.
    pub fn items(&self) -> &[Value] {
        if let Value::List(items) = self {
            items
        } else {
            &[]
        }
    }

    /// Returns an integer; 0 for any other value.
    pub fn integer(&self) -> i128 {
        if let Value::Integer(number) = self {
            *number
        } else {
            0
        }
    }

    /// Returns a string; empty for any other value.
    pub fn string(&self) -> &str {
        if let Value::Text(text) = self {
            text
        } else {
            ""
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Null => out.write_str("null"),
            Value::Boolean(value) => write!(out, "{value}"),
            Value::Integer(number) => write!(out, "{number}"),
            Value::Text(text) => write_text(out, text),
            Value::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if place == 0 { "[" } else { "," })?;
                }
                out.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Value::Object(fields) => {
                for (place, (name, value)) in fields.iter().enumerate() {
                    out.write_str(if place == 0 { "{" } else { "," })?;
                    write_text(out, name)?;
                    write!(out, ":{value}")?;
                }
                out.write_str(if fields.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn write_text(out: &mut fmt::Formatter, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            '\0'..='\x1f' => write!(out, "\\u{:04x}", character as u32)?,
            _ => write!(out, "{character}")?,
        }
    }
    out.write_str("\"")
}

/// Parses a text that holds exactly one value.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut parser = Parser { text, place: 0 };
    let value = parser.value(0)?;
    match parser.next() {
        None => Ok(value),
        Some(_) => Err(parser.fault("something follows the value")),
    }
}

struct Parser<'a> {
    text: &'a str,
    place: usize,
}

impl Parser<'_> {
    fn fault(&self, what: &str) -> String {
        format!("{what} at byte {}", self.place)
    }

    /// Returns the next byte that is not white space, without consuming it.
    fn next(&mut self) -> Option<u8> {
        let left = &self.text[self.place..];
        self.place += left.len() - left.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text.as_bytes().get(self.place).copied()
    }

    /// Consumes a byte if it is the next one.
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.place += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEPTH {
            return Err(self.fault("nested too deeply"));
        }
        match self.next() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Value::Text(self.string()?)),
            _ => {
                let left = &self.text[self.place..];
                let end = left
                    .find([',', ']', '}', ' ', '\t', '\r', '\n'])
                    .unwrap_or(left.len());
                let value = match &left[..end] {
                    "null" => Value::Null,
                    "true" => Value::Boolean(true),
                    "false" => Value::Boolean(false),
                    word => Value::Integer(word.parse().or_else(|fault: ParseIntError| {
                        match fault.kind() {
                            IntErrorKind::PosOverflow => Ok(i128::MAX),
                            IntErrorKind::NegOverflow => Ok(i128::MIN),
                            _ => Err(self.fault("no value")),
                        }
                    })?),
                };
                self.place += end;
                Ok(value)
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        let mut items = Vec::new();
        self.place += 1;
        if self.skip(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.skip(b']') {
                return Ok(Value::List(items));
            }
            if !self.skip(b',') {
                return Err(self.fault("no comma"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        let mut fields = BTreeMap::new();
        self.place += 1;
        if self.skip(b'}') {
            return Ok(Value::Object(fields));
        }
        loop {
            if self.next() != Some(b'"') {
                return Err(self.fault("no name of a field"));
            }
            let name = self.string()?;
            if !self.skip(b':') {
                return Err(self.fault("no colon"));
            }
            fields.insert(name, self.value(depth + 1)?);
            if self.skip(b'}') {
                return Ok(Value::Object(fields));
            }
            if !self.skip(b',') {
                return Err(self.fault("no comma"));
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        let mut units: Vec<u16> = Vec::new();
        let mut characters = self.text[self.place + 1..].char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.place += at + 2;
                    return Ok(String::from_utf16_lossy(&units));
                }
                '\\' => match characters.next().map(|(_, escape)| escape) {
                    Some('u') => {
                        let digits: String =
                            characters.by_ref().take(4).map(|pair| pair.1).collect();
                        let unit = u16::from_str_radix(&digits, 16);
                        units.push(unit.map_err(|_| self.fault("no four hex digits in the text"))?);
                    }
                    Some('b') => units.push(8),
                    Some('f') => units.push(12),
                    Some('n') => units.push(10),
                    Some('r') => units.push(13),
                    Some('t') => units.push(9),
                    Some(other @ ('"' | '\\' | '/')) => units.push(other as u16),
                    _ => return Err(self.fault("an unknown escape in the text")),
                },
                _ => units.extend(character.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        Err(self.fault("a text without end"))
    }
}
