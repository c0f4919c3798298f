//! Values of Python: as JSON of the port, and as canonical text, which has sorted keys, no white
//! space and only ASCII. The values are objects, lists, texts, integers, `True`, `False` and `None`.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};
use rejoin_port::json::Json;

/// The deepest value that is read.
const DEEPEST: usize = 500;

/// A value as JSON of the port.
pub fn json_of(value: &Bound<'_, PyAny>, depth: usize) -> Result<Json, String> {
    if let Ok(text) = value.cast_exact::<PyString>() {
        return Ok(Json::text(text_of(text)?));
    }
    if let Ok(list) = value.cast_exact::<PyList>() {
        check_depth(depth)?;
        let items = list.iter().map(|each| json_of(&each, depth + 1));
        return Ok(Json::List(items.collect::<Result<_, _>>()?));
    }
    if let Ok(object) = value.cast_exact::<PyDict>() {
        check_depth(depth)?;
        let mut fields = Vec::with_capacity(object.len());
        for (name, value) in object {
            let name = name.cast_exact::<PyString>().map_err(unfit)?;
            fields.push((text_of(name)?.into(), json_of(&value, depth + 1)?));
        }
        return Ok(Json::Object(fields.into_iter().collect()));
    }
    if value.is_none() {
        return Ok(Json::Null);
    }
    if let Ok(known) = value.cast_exact::<PyBool>() {
        return Ok(Json::Bool(known.is_true()));
    }
    Ok(Json::Int(number_of(value)?.into()))
}

/// Write the canonical text of a value that is JSON of the port.
pub fn write_value(
    out: &mut Vec<u8>,
    value: &Bound<'_, PyAny>,
    depth: usize,
) -> Result<(), String> {
    check_depth(depth)?;
    if let Ok(text) = value.cast_exact::<PyString>() {
        write_text(out, text_of(text)?);
    } else if let Ok(list) = value.cast_exact::<PyList>() {
        out.push(b'[');
        for (place, each) in list.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            write_value(out, &each, depth + 1)?;
        }
        out.push(b']');
    } else if let Ok(object) = value.cast_exact::<PyDict>() {
        write_object(out, object, depth)?;
    } else if value.is_none() {
        out.extend_from_slice(b"null");
    } else if let Ok(known) = value.cast_exact::<PyBool>() {
        out.extend_from_slice(if known.is_true() { b"true" } else { b"false" });
    } else {
        out.extend_from_slice(number_of(value)?.to_string().as_bytes());
    }
    Ok(())
}

fn check_depth(depth: usize) -> Result<(), String> {
    match depth > DEEPEST {
        true => Err("nested too deeply".to_string()),
        false => Ok(()),
    }
}

fn text_of<'a>(text: &'a Bound<'_, PyString>) -> Result<&'a str, String> {
    text.to_str().map_err(unfit)
}

fn number_of(value: &Bound<'_, PyAny>) -> Result<i64, String> {
    let number = value.cast_exact::<PyInt>().map_err(unfit)?;
    number.extract().map_err(unfit)
}

fn unfit<E>(_: E) -> String {
    "not JSON that the port can hold".to_string()
}

/// Write an object with its keys in the order of their code points, as those of Python are.
fn write_object(out: &mut Vec<u8>, object: &Bound<'_, PyDict>, depth: usize) -> Result<(), String> {
    let mut fields = Vec::with_capacity(object.len());
    for (name, value) in object {
        fields.push((name.cast_into_exact::<PyString>().map_err(unfit)?, value));
    }
    let mut sorted = Vec::with_capacity(fields.len());
    for (name, value) in &fields {
        sorted.push((text_of(name)?, value));
    }
    sorted.sort_unstable_by_key(|(name, _)| *name);
    out.push(b'{');
    for (place, (name, value)) in sorted.into_iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_text(out, name);
        out.push(b':');
        write_value(out, value, depth + 1)?;
    }
    out.push(b'}');
    Ok(())
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    out.push(b'"');
    if text.bytes().all(plain) {
        out.extend_from_slice(text.as_bytes());
    } else {
        for each in text.chars() {
            match each {
                '"' => out.extend_from_slice(b"\\\""),
                '\\' => out.extend_from_slice(b"\\\\"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\u{8}' => out.extend_from_slice(b"\\b"),
                '\u{c}' => out.extend_from_slice(b"\\f"),
                ' '..='~' => out.push(each as u8),
                _ => {
                    for unit in each.encode_utf16(&mut [0; 2]) {
                        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                    }
                }
            }
        }
    }
    out.push(b'"');
}
