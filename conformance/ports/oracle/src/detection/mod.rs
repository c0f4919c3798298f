//! A history of conflict detection that runs in both designs, with the laws checked after each step.
//!
//! It is `examine` of the suite's `systems/conflict_detection/examine.py`, over the port. It says
//! whether the laws hold, not why. The suite asks the reference for that.

mod beside;
mod coverage;
mod files;
mod found;
mod laws;
mod ledger;
mod links;
mod run;
mod truth;
mod walks;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::caught;
use crate::memory::in_block;
use crate::text::json_of;
use coverage::{cover_end, cover_step};
use files::local_files;
use laws::{check_agreement, check_end, check_settled, check_step, check_uploads};
use ledger::Ledger;
use links::LinkChecks;
use rejoin_port::conflict_detection::folder::{Design, Folder};
use rejoin_port::conflict_detection::reading;
use rejoin_port::json::{Json, Text};
use run::{Run, Taken};
use truth::Held;
use walks::SnapshotChecks;

/// Larger than any text of a history.
const FIRST_TEXT: usize = 1_000_000;

/// The nickname of a client by its number.
fn nickname(number: usize) -> Text {
    vec![b'A' + number as u8]
}

struct Session<'a> {
    runs: [Run; 2],
    ledger: Ledger,
    walks: SnapshotChecks,
    links: [LinkChecks; 2],
    covers: &'a BTreeMap<String, Vec<String>>,
}

impl Session<'_> {
    /// Carry out an event in both designs.
    fn take(&mut self, event: &Json) -> Held<()> {
        let Json::Object(event) = event else {
            return Err("no event".to_string());
        };
        let mut take = |run: &mut Run| -> Held<Taken> {
            let taken = run.take(event)?;
            check_step(&mut self.ledger, run, &taken, event)?;
            Ok(taken)
        };
        let ours = take(&mut self.runs[0])?;
        let theirs = take(&mut self.runs[1])?;
        let ledger = &mut self.ledger;
        self.walks.check(ledger, &mut self.runs[0], &ours, event)?;
        self.links[0].check(ledger, &mut self.runs[0], &ours, event)?;
        self.links[1].check(ledger, &mut self.runs[1], &theirs, event)?;
        check_uploads(ledger, &self.runs[1], &theirs);
        let taken = [ours, theirs];
        check_agreement(ledger, &self.runs, &taken);
        let keys = event
            .keys()
            .find_map(|key| self.covers.get(std::str::from_utf8(key).ok()?));
        let stops = event.contains_key(&b"stops"[..]);
        let stopping = self.covers.get("stops").filter(|_| stops);
        let keys = stopping.or(keys).ok_or("an unknown event")?;
        cover_step(ledger, &self.runs[0], &taken[0], event, keys)?;
        taken
            .iter()
            .for_each(|each| observe(&mut ledger.observed, each));
        Ok(())
    }

    /// Let one client resolve everything, if the premises of the law hold.
    fn settle(&mut self) -> Held<()> {
        for event in returns(&self.runs[0].folder) {
            self.take(&event)?;
        }
        let can = self.runs.iter().all(can_settle);
        if !can || !self.runs[0].set_back.is_empty() {
            self.ledger.check("one-resolver-is-enough", false);
            return Ok(());
        }
        for event in settling(&self.runs[0].folder) {
            self.take(&event)?;
        }
        self.runs
            .iter()
            .for_each(|run| check_settled(&mut self.ledger, run));
        Ok(())
    }
}

/// Write what the client of an event observed: the refusal, the polls, the uploads.
fn observe(observed: &mut Vec<u8>, taken: &Taken) {
    if !observed.is_empty() {
        observed.push(b'\n');
    }
    observed.extend_from_slice(taken.refused.as_deref().unwrap_or("").as_bytes());
    observed.push(b';');
    for (place, each) in taken.polled.iter().enumerate() {
        if place > 0 {
            observed.push(b',');
        }
        observed.extend_from_slice(&each.path);
        observed.push(b'=');
        observed.extend_from_slice(each.found.name().as_bytes());
    }
    observed.extend_from_slice(format!(";{}", taken.uploaded.len()).as_bytes());
}

/// Write the files of all clients, as Python shows a list of names and bytes.
fn write_files(out: &mut Vec<u8>, run: &Run) -> Held<()> {
    let plain = |text: &[u8]| {
        let fits = |byte: &u8| (b' '..=b'~').contains(byte) && !b"'\"\\".contains(byte);
        text.iter()
            .all(fits)
            .then_some(())
            .ok_or("not a plain text")
    };
    for (nickname, client) in &run.folder.clients {
        out.push(b'\n');
        out.extend_from_slice(nickname);
        out.extend_from_slice(b":[");
        for (place, (name, content)) in local_files(&run.folder, client).iter().enumerate() {
            plain(name)?;
            plain(content)?;
            out.extend_from_slice(if place > 0 { b", ('" } else { b"('" });
            out.extend_from_slice(name);
            out.extend_from_slice(b"', b'");
            out.extend_from_slice(content);
            out.extend_from_slice(b"')");
        }
        out.push(b']');
    }
    Ok(())
}

fn event<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::object(fields)
}

/// The events by which all offline clients come back, and all changes are uploaded.
fn returns(folder: &Folder) -> Vec<Json> {
    let event_of = |client: &rejoin_port::conflict_detection::folder::Client| {
        let name = Json::Text(client.nickname.clone());
        let waits = client.files.values().any(|file| file.waiting.is_some());
        match (client.online, waits) {
            (false, _) => Some(event([("client", name), ("online", Json::Bool(true))])),
            (true, true) => Some(event([("client", name), ("upload", Json::Bool(true))])),
            _ => None,
        }
    };
    folder.clients.values().filter_map(event_of).collect()
}

/// The events of the settlement: the resolver polls and resolves, all others poll it.
fn settling(folder: &Folder) -> Vec<Json> {
    let resolver = || Json::Text(nickname(0));
    let others = || (1..folder.clients.len()).map(|number| Json::Text(nickname(number)));
    let files = folder
        .clients
        .values()
        .flat_map(|client| client.files.keys());
    let paths: BTreeSet<&Text> = files.collect();
    let polls = others().map(|other| event([("client", resolver()), ("poll_all", other)]));
    let resolutions = paths.into_iter().enumerate().map(|(number, path)| {
        event([
            ("client", resolver()),
            ("file", Json::Text(path.clone())),
            ("resolve_held", Json::Bool(true)),
            ("pick", Json::Int(0)),
            ("text", Json::text(&(FIRST_TEXT + number).to_string())),
        ])
    });
    let back = others().map(|other| event([("client", other), ("poll_all", resolver())]));
    polls.chain(resolutions).chain(back).collect()
}

/// Whether all clients poll each other and link every version that they have.
fn can_settle(run: &Run) -> bool {
    let clients = &run.folder.clients;
    clients.values().all(|client| {
        let mut files = client
            .files
            .iter()
            .filter(|(_, file)| file.version.is_some());
        client.subscriptions.len() == clients.len() - 1
            && files.all(|(path, _)| run.is_linked(client, path))
    })
}

fn examined(
    covers: &BTreeMap<String, Vec<String>>,
    reading: &str,
    clients: usize,
    events: &[Json],
    settles: bool,
) -> Held<Ledger> {
    let reading = reading::named(Some(reading.as_bytes())).map_err(|_| "an unknown reading")?;
    let names: Vec<Text> = (0..clients).map(nickname).collect();
    let run = |design| Run::new(design, reading, &names);
    let mut session = Session {
        runs: [run(Design::Snapshots)?, run(Design::VersionMaps)?],
        ledger: Ledger::default(),
        walks: SnapshotChecks::default(),
        links: Default::default(),
        covers,
    };
    for event in events {
        session.take(event)?;
    }
    if settles {
        session.settle()?;
    }
    let Session {
        runs, mut ledger, ..
    } = session;
    for run in &runs {
        check_end(&mut ledger, run)?;
    }
    cover_end(&mut ledger, &runs[0]);
    for run in &runs {
        write_files(&mut ledger.observed, run)?;
    }
    Ok(ledger)
}

/// Examines histories under a reading.
///
/// covers: the field that names an event -> what the event covers.
#[pyclass]
pub struct Detection {
    reading: String,
    covers: BTreeMap<String, Vec<String>>,
}

type Counts<'p> = Bound<'p, PyDict>;
type Examined<'p> = (
    Bound<'p, PyBytes>,
    Counts<'p>,
    Counts<'p>,
    Counts<'p>,
    Vec<(&'static str, String)>,
);

#[pymethods]
impl Detection {
    #[new]
    fn new(reading: String, covers: BTreeMap<String, Vec<String>>) -> Detection {
        Detection { reading, covers }
    }

    /// All observations as text, the counts of what was checked, vacuous and covered, and the law
    /// and the kind of each violation. ValueError if the port cannot hold the history.
    fn examine<'p>(
        &self,
        py: Python<'p>,
        clients: usize,
        events: Vec<Bound<'p, PyAny>>,
        settles: bool,
    ) -> PyResult<Examined<'p>> {
        let examined = in_block(|| {
            let events = events.iter().map(|event| json_of(event, 0));
            let events = events.collect::<Result<Vec<Json>, String>>()?;
            let examine = || examined(&self.covers, &self.reading, clients, &events, settles);
            caught(AssertUnwindSafe(examine))?
        });
        let ledger = examined.map_err(PyValueError::new_err)?;
        let counts = |listed: &BTreeMap<&'static str, i64>| -> PyResult<Counts<'p>> {
            let found = PyDict::new(py);
            listed
                .iter()
                .try_for_each(|(name, count)| found.set_item(name, count))?;
            Ok(found)
        };
        let coverage = PyDict::new(py);
        for (key, count) in &ledger.coverage {
            coverage.set_item(key, count)?;
        }
        Ok((
            PyBytes::new(py, &ledger.observed),
            counts(&ledger.checked)?,
            counts(&ledger.vacuous)?,
            coverage,
            ledger.broken.clone(),
        ))
    }
}
