//! JSON as the adapter protocol has it: integers without fractions, objects that name a field
//! once. Text is kept as generalised UTF-8, in which a half of a surrogate pair has a place too:
//! some vectors hold one, and a Rust string cannot. Nesting is limited and parsed without
//! recursion.

use std::collections::BTreeMap;

/// Text in generalised UTF-8. Its byte order is the order of code points.
pub type Text = Vec<u8>;

pub type Object = BTreeMap<Text, Json>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    Null,
    Bool(bool),
    /// Integers beyond 128 bits become the nearest one within: nothing that a request can say
    /// tells the two apart, as every limit is far below.
    Int(i128),
    Text(Text),
    List(Vec<Json>),
    Object(Object),
}

/// A typed tree of 100 containers takes about 300 levels.
const MAX_DEPTH: usize = 2000;

impl Json {
    pub fn text(text: &str) -> Json {
        Json::Text(text.as_bytes().to_vec())
    }

    pub fn hex(bytes: &[u8]) -> Json {
        Json::text(&hex::encode(bytes))
    }

    /// An object with these fields.
    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name.as_bytes().to_vec(), value))
                .collect(),
        )
    }
}

type Parsed<T> = Result<T, String>;

enum Open {
    List(Vec<Json>),
    /// The members so far, and the name whose value comes next.
    Object(Object, Option<Text>),
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Parse one JSON value that fills the whole input.
pub fn parse(bytes: &[u8]) -> Parsed<Json> {
    let mut parser = Parser { bytes, at: 0 };
    let value = parser.value()?;
    parser.skip_space();
    if parser.at == bytes.len() {
        Ok(value)
    } else {
        Err(format!("something follows the value at byte {}", parser.at))
    }
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Parsed<u8> {
        self.skip_space();
        self.next_raw()
    }

    fn next_raw(&self) -> Parsed<u8> {
        match self.bytes.get(self.at) {
            Some(byte) => Ok(*byte),
            None => Err("the input ends too early".to_string()),
        }
    }

    fn wrong<T>(&self) -> Parsed<T> {
        Err(format!("not JSON at byte {}", self.at))
    }

    fn expect(&mut self, wanted: u8) -> Parsed<()> {
        if self.peek()? != wanted {
            return self.wrong();
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Parsed<Json> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut done = match self.peek()? {
                b'[' => {
                    self.at += 1;
                    if self.peek()? == b']' {
                        self.at += 1;
                        Json::List(Vec::new())
                    } else {
                        open.push(Open::List(Vec::new()));
                        self.check_depth(open.len())?;
                        continue;
                    }
                }
                b'{' => {
                    self.at += 1;
                    if self.peek()? == b'}' {
                        self.at += 1;
                        Json::Object(Object::new())
                    } else {
                        let name = self.name()?;
                        open.push(Open::Object(Object::new(), Some(name)));
                        self.check_depth(open.len())?;
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // Put the value where it belongs, and close what ends behind it.
            loop {
                match open.pop() {
                    None => return Ok(done),
                    Some(Open::List(mut items)) => {
                        items.push(done);
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                open.push(Open::List(items));
                                break;
                            }
                            b']' => {
                                self.at += 1;
                                done = Json::List(items);
                            }
                            _ => return self.wrong(),
                        }
                    }
                    Some(Open::Object(mut members, name)) => {
                        let name = name.unwrap_or_default();
                        if members.insert(name, done).is_some() {
                            return Err("an object names a field twice".to_string());
                        }
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                let next = self.name()?;
                                open.push(Open::Object(members, Some(next)));
                                break;
                            }
                            b'}' => {
                                self.at += 1;
                                done = Json::Object(members);
                            }
                            _ => return self.wrong(),
                        }
                    }
                }
            }
        }
    }

    fn check_depth(&self, depth: usize) -> Parsed<()> {
        if depth > MAX_DEPTH {
            return Err("nested too deep".to_string());
        }
        Ok(())
    }

    fn name(&mut self) -> Parsed<Text> {
        self.skip_space();
        let name = self.string()?;
        self.expect(b':')?;
        Ok(name)
    }

    fn scalar(&mut self) -> Parsed<Json> {
        match self.peek()? {
            b'"' => Ok(Json::Text(self.string()?)),
            b'-' | b'0'..=b'9' => self.integer(),
            _ => {
                let literals = [
                    ("null", Json::Null),
                    ("true", Json::Bool(true)),
                    ("false", Json::Bool(false)),
                ];
                for (word, value) in literals {
                    if self.bytes[self.at..].starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                self.wrong()
            }
        }
    }

    fn integer(&mut self) -> Parsed<Json> {
        let negative = self.next_raw()? == b'-';
        if negative {
            self.at += 1;
        }
        let start = self.at;
        let mut value: i128 = 0;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            let digit = i128::from(digit - b'0');
            let signed = if negative { -digit } else { digit };
            value = value.saturating_mul(10).saturating_add(signed);
            self.at += 1;
        }
        let digits = &self.bytes[start..self.at];
        if digits.is_empty() || (digits.len() > 1 && digits[0] == b'0') {
            return self.wrong();
        }
        if matches!(self.bytes.get(self.at), Some(b'.' | b'e' | b'E')) {
            return self.wrong();
        }
        Ok(Json::Int(value))
    }

    fn string(&mut self) -> Parsed<Text> {
        if self.next_raw()? != b'"' {
            return self.wrong();
        }
        self.at += 1;
        let mut text = Text::new();
        loop {
            let byte = self.next_raw()?;
            match byte {
                b'"' => {
                    self.at += 1;
                    return match checked_utf8(text) {
                        Some(text) => Ok(text),
                        None => Err("text that is not UTF-8".to_string()),
                    };
                }
                b'\\' => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                0..=0x1f => return self.wrong(),
                _ => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self, text: &mut Text) -> Parsed<()> {
        let byte = self.next_raw()?;
        self.at += 1;
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let first = self.four_digits()?;
                let code = match first {
                    0xd800..=0xdbff => self.low_half(first)?,
                    _ => first,
                };
                push_code_point(text, code);
                return Ok(());
            }
            _ => return self.wrong(),
        };
        text.push(plain);
        Ok(())
    }

    /// The code point of a surrogate pair, where the other half follows; else the half alone.
    fn low_half(&mut self, high: u32) -> Parsed<u32> {
        if !self.bytes[self.at..].starts_with(b"\\u") {
            return Ok(high);
        }
        let before = self.at;
        self.at += 2;
        let low = self.four_digits()?;
        if (0xdc00..=0xdfff).contains(&low) {
            return Ok(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        }
        self.at = before;
        Ok(high)
    }

    fn four_digits(&mut self) -> Parsed<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = char::from(self.next_raw()?).to_digit(16) else {
                return self.wrong();
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

fn push_code_point(text: &mut Text, code: u32) {
    let low = |shift: u32| 0x80 | ((code >> shift) & 0x3f) as u8;
    match code {
        0..=0x7f => text.push(code as u8),
        0x80..=0x7ff => text.extend([0xc0 | (code >> 6) as u8, low(0)]),
        0x800..=0xffff => text.extend([0xe0 | (code >> 12) as u8, low(6), low(0)]),
        _ => text.extend([0xf0 | (code >> 18) as u8, low(12), low(6), low(0)]),
    }
}

/// Whether bytes are generalised UTF-8, checked code point by code point.
fn checked_utf8(text: Text) -> Option<Text> {
    let mut at = 0;
    while at < text.len() {
        at += code_point(&text[at..])?.1;
    }
    Some(text)
}

/// The first code point of generalised UTF-8 and the number of its bytes.
pub fn code_point(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = u32::from(*bytes.first()?);
    let (length, start, least) = match first {
        0..=0x7f => return Some((first, 1)),
        0xc2..=0xdf => (2, first & 0x1f, 0x80),
        0xe0..=0xef => (3, first & 0x0f, 0x800),
        0xf0..=0xf4 => (4, first & 0x07, 0x10000),
        _ => return None,
    };
    let mut code = start;
    for byte in bytes.get(1..length)? {
        if byte & 0xc0 != 0x80 {
            return None;
        }
        code = (code << 6) | u32::from(byte & 0x3f);
    }
    (code >= least && code <= 0x10ffff).then_some((code, length))
}

/// One line of JSON, in ASCII.
pub fn write(value: &Json) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Int(value) => out.push_str(&value.to_string()),
        Json::Text(text) => write_text(text, out),
        Json::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(name, out);
                out.push(':');
                write_value(member, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &[u8], out: &mut String) {
    out.push('"');
    let mut at = 0;
    // Text that this program made is generalised UTF-8; a byte that is not is shown as such.
    while at < text.len() {
        let (code, length) = code_point(&text[at..]).unwrap_or((0xfffd, 1));
        at += length;
        match code {
            0x22 => out.push_str("\\\""),
            0x5c => out.push_str("\\\\"),
            0x20..=0x7e => out.push(code as u8 as char),
            0..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            _ => {
                let above = code - 0x10000;
                let (high, low) = (0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
                out.push_str(&format!("\\u{high:04x}\\u{low:04x}"));
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> String {
        write(&parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn what_is_read_is_written_again() {
        let text = r#"{"a":[1,-2,null,true,{}],"b":"x\"\\\u0001"}"#;
        assert_eq!(again(text), text);
    }

    #[test]
    fn surrogate_pairs_are_joined_and_halves_are_kept() {
        assert_eq!(again(r#""\ud83d\ude00""#), r#""\ud83d\ude00""#);
        assert_eq!(again("\"\u{1f600}\u{e9}\""), r#""\ud83d\ude00\u00e9""#);
        assert_eq!(again(r#""\ud83d\u0041\udc00""#), r#""\ud83dA\udc00""#);
    }

    #[test]
    fn what_is_no_json_of_the_protocol_is_refused() {
        for text in [
            "",
            "1.0",
            "1e3",
            "01",
            "-",
            "[1,]",
            "{\"a\":1,\"a\":2}",
            "\"\u{1}\"",
            "[1",
            "1 2",
            "nul",
            "{\"a\" 1}",
            "[1}",
            "\"\\ud8\"",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn deep_nesting_is_refused_without_recursion() {
        assert!(parse(&b"[".repeat(1_000_000)).is_err());
        assert!(parse(&[b"[".repeat(2000), b"]".repeat(2000)].concat()).is_ok());
    }
}
