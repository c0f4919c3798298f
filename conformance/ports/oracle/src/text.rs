//! Values of Python: as JSON of the port, and as canonical text, which has sorted keys, no white
//! space and only ASCII. The values are objects, lists, texts, integers, `True`, `False` and `None`.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};
use rejoin_port::json::{write, Json};

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

/// Write the canonical text of JSON of the port.
pub fn write_value(out: &mut Vec<u8>, value: &Json) {
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Bool(true) => out.extend_from_slice(b"true"),
        Json::Bool(false) => out.extend_from_slice(b"false"),
        Json::Int(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Json::Text(text) => write_text(out, text),
        Json::List(items) => {
            out.push(b'[');
            for (place, each) in items.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_value(out, each);
            }
            out.push(b']');
        }
        Json::Object(fields) => {
            out.push(b'{');
            for (place, (name, each)) in fields.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_text(out, name);
                out.push(b':');
                write_value(out, each);
            }
            out.push(b'}');
        }
    }
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

fn write_text(out: &mut Vec<u8>, text: &[u8]) {
    let plain = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'"' && *byte != b'\\';
    if text.iter().all(plain) {
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
    } else {
        out.extend_from_slice(write(&Json::Text(text.to_vec())).as_bytes());
    }
}
