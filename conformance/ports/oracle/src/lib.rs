//! The port as a Python module: its answer to a request, and whether a reply agrees with it.
//!
//! `Merges` merges the messages of a history. The suite asks the reference instead of this module if
//! a function raises ValueError.

mod detection;
mod literal;
mod memory;
mod merges;
mod text;

use std::panic::{self, UnwindSafe};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use memory::{close_block, in_block};
use rejoin_port::adapter;
use rejoin_port::json::{write, Json};
use rejoin_port::json_parser::parse;
use text::{json_of, write_value};

#[global_allocator]
static MEMORY: memory::Memory = memory::Memory;

/// The most bytes of a reply: it then has fewer values than the suite allows.
const LONGEST: usize = 500_000;

/// The most digits of an integer that the port is sure to hold: 2^127 has 39.
const DIGITS: usize = 38;

/// Operation -> the digest of the vectors with which this module was built, as JSON.
const VECTORS: Option<&str> = option_env!("REJOIN_ORACLE_VECTORS");

/// The reply to a request, without its line feed.
#[pyfunction]
fn answer<'p>(py: Python<'p>, line: &[u8]) -> PyResult<Bound<'p, PyBytes>> {
    let said = py.detach(|| reply(line)).map_err(PyValueError::new_err)?;
    Ok(PyBytes::new(py, said.as_bytes()))
}

/// A request after its ID, and the answer: the reply after its ID; `None` if that is an error.
/// ValueError if the port cannot hold the input.
#[pyfunction]
fn ask<'p>(
    py: Python<'p>,
    operation: &str,
    reading: &str,
    input: &Bound<'p, PyAny>,
) -> PyResult<(Bound<'p, PyBytes>, Option<Bound<'p, PyBytes>>)> {
    let (request, reply) = in_block(|| {
        let input = json_of(input, 0)?;
        let mut request = Vec::with_capacity(2048);
        request.extend_from_slice(b",\"input\":");
        write_value(&mut request, &input);
        let named = format!(r#","operation":"{operation}","reading":"{reading}","type":"run"}}"#);
        request.extend_from_slice(named.as_bytes());
        request.push(b'\n');
        let asked = Json::object([
            ("type", Json::text("run")),
            ("id", Json::Int(0)),
            ("operation", Json::text(operation)),
            ("reading", Json::text(reading)),
            ("input", input),
        ]);
        let reply = caught(|| adapter::answer(&asked).map(|reply| write(&reply)));
        Ok((request, reply.ok().flatten()))
    })
    .map_err(|error: String| PyValueError::new_err(error))?;
    let answer = reply
        .as_ref()
        .and_then(|reply| reply.strip_prefix(r#"{"id":0"#));
    let answer = answer.map(|answer| PyBytes::new(py, answer.as_bytes()));
    Ok((PyBytes::new(py, &request), answer))
}

/// Whether a reply agrees with an answer: the same bytes, the same value in another spelling, or
/// two rejections. It is never `True` for a reply that the suite refuses to read.
#[pyfunction]
fn agree(py: Python<'_>, said: &[u8], reply: &[u8]) -> bool {
    let equal = || caught(|| same(said, reply)).ok().flatten() == Some(true);
    reply.len() <= LONGEST && (said == reply || py.detach(equal))
}

/// Panic as the port would, to show that this build catches it.
#[pyfunction]
fn panic_in_port() -> PyResult<()> {
    caught(|| panic!("asked to panic")).map_err(PyValueError::new_err)
}

/// The hello of the port, and the digests of the vectors with which this module was built.
#[pyfunction]
fn hello() -> PyResult<(String, &'static str)> {
    let said = reply(br#"{"type":"hello","protocol":1}"#).map_err(PyValueError::new_err)?;
    Ok((said, VECTORS.unwrap_or("{}")))
}

fn reply(line: &[u8]) -> Result<String, String> {
    if has_long_integer(line) {
        return Err("an integer beyond 128 bits".to_string());
    }
    in_block(|| caught(|| adapter::reply(line)))??.ok_or_else(|| "no request".to_string())
}

fn caught<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    panic::catch_unwind(work).map_err(|_| {
        close_block();
        "the port panicked".to_string()
    })
}

fn same(said: &[u8], reply: &[u8]) -> Option<bool> {
    std::str::from_utf8(reply).ok()?;
    if has_long_integer(reply) {
        return None;
    }
    let theirs = parse(reply).ok()?;
    let Json::Object(fields) = &theirs else {
        return None;
    };
    if fields.len() != 2 || !matches!(fields.get(&b"id"[..])?, Json::Int(_)) {
        return None;
    }
    let Some(rejected) = fields.get(&b"rejected"[..]) else {
        return Some(write(&theirs).as_bytes() == said);
    };
    let Json::Object(body) = rejected else {
        return None;
    };
    let plain = body.iter().all(|(name, value)| {
        matches!(&name[..], b"code" | b"reason") && matches!(value, Json::Text(_))
    });
    let begins = format!("{{\"id\":{},\"rejected\":{{", write(&fields[&b"id"[..]]));
    Some(plain && said.starts_with(begins.as_bytes()))
}

/// Whether a line has an integer of so many digits that the port may change it.
fn has_long_integer(line: &[u8]) -> bool {
    let (mut digits, mut in_text, mut escaped) = (0, false, false);
    for byte in line {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        in_text = *byte == b'"';
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        if digits > DIGITS {
            return true;
        }
    }
    false
}

#[pymodule]
fn rejoin_oracle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    panic::set_hook(Box::new(|_| {}));
    module.add_class::<detection::Detection>()?;
    module.add_class::<merges::Merges>()?;
    module.add_function(wrap_pyfunction!(answer, module)?)?;
    module.add_function(wrap_pyfunction!(ask, module)?)?;
    module.add_function(wrap_pyfunction!(agree, module)?)?;
    module.add_function(wrap_pyfunction!(hello, module)?)?;
    module.add_function(wrap_pyfunction!(panic_in_port, module)?)?;
    Ok(())
}
