//! The parser of JSON: without recursion, with a limit of nesting, and strict.

use crate::json::{code_point, Json, Object, Text};

/// A typed tree of 100 containers takes about 300 levels.
const MAX_DEPTH: usize = 2000;

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
