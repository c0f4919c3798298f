//! JSON as the adapter protocol has it: integers without fractions, objects that name a field
//! once. Text is kept as generalised UTF-8, in which a half of a surrogate pair has a place too:
//! JSON can hold one, the specification speaks of it, and a Rust string cannot.

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

/// Control characters and their short escapes.
const SHORT: [(u32, &str); 5] = [
    (0x08, "\\b"),
    (0x09, "\\t"),
    (0x0a, "\\n"),
    (0x0c, "\\f"),
    (0x0d, "\\r"),
];

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

/// One line of JSON: ASCII, with the short escapes, as the suite writes its canonical text.
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
            0..=0xffff => match SHORT.iter().find(|(short, _)| *short == code) {
                Some((_, escape)) => out.push_str(escape),
                None => out.push_str(&format!("\\u{code:04x}")),
            },
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
    use crate::json_parser::parse;

    fn again(text: &str) -> String {
        write(&parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn what_is_read_is_written_again() {
        let text = r#"{"a":[1,-2,null,true,{}],"b":"x\"\\\u0001"}"#;
        assert_eq!(again(text), text);
        let escapes = r#""\b\t\n\u000b\f\r\u007f\u0080""#;
        assert_eq!(again(escapes), escapes);
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
