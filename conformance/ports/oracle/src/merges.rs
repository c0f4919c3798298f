//! The messages of a history as an object of Python, which merges them in any way.
//!
//! It has the methods of `Merges` in the suite's `systems/history_merge/merges.py`.

use std::collections::BTreeSet;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyString};

use crate::caught;
use crate::literal::Literal;
use crate::memory::in_block;
use rejoin_port::failure::{Failure, Outcome};
use rejoin_port::history_merge::acceptance::Session;
use rejoin_port::history_merge::complete_algorithm::Merger;
use rejoin_port::history_merge::integers::Integer;
use rejoin_port::history_merge::operational_edges::operational_edges;
use rejoin_port::history_merge::partial_orders::{Id, Node, Order};
use rejoin_port::history_merge::simple_derivation::{recurse_fold, with_temporary_nodes};
use rejoin_port::history_merge::three_way_merge::{apply, Set, SetMerge, State, StateType};

type Frozen<'p> = Bound<'p, PyFrozenSet>;

/// The texts of any iterable.
#[derive(Default)]
struct Ids(Vec<PyBackedStr>);

impl<'a, 'p> FromPyObject<'a, 'p> for Ids {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'p, PyAny>) -> PyResult<Ids> {
        let texts = given.try_iter()?.map(|each| each?.extract());
        Ok(Ids(texts.collect::<PyResult<_>>()?))
    }
}

/// The most messages: the search for ancestors is made for small histories.
const MOST: usize = 5_000;

#[pyclass(unsendable)]
pub struct Merges {
    session: Session,
    state_type: StateType,
}

/// The same messages, with one element of their states and a counter.
#[pyclass(unsendable)]
pub struct Alone {
    order: Order,
    inside: Vec<State>,
    counts: Vec<State>,
    state_type: StateType,
}

#[pymethods]
impl Merges {
    #[new]
    fn new(reading: &str) -> PyResult<Merges> {
        let merge = SetMerge::of_reading(Some(reading.as_bytes()));
        let state_type = StateType::Set(merge.ok_or_else(|| PyValueError::new_err("reading"))?);
        let session = Session::new(state_type);
        Ok(Merges {
            session,
            state_type,
        })
    }

    /// The port's cache has no bound.
    #[pyo3(signature = (_capacity=None))]
    fn fresh(&self, _capacity: Option<usize>) -> Merges {
        Merges {
            session: Session::new(self.state_type),
            state_type: self.state_type,
        }
    }

    fn of(&self, nodes: Vec<Bound<'_, PyAny>>) -> PyResult<Merges> {
        let (mut listed, mut states) = (Vec::new(), Vec::new());
        for node in &nodes {
            let (id, parents, state) = message(node)?;
            listed.push((id, parents));
            states.push(state);
        }
        let order = run(nodes[0].py(), || Order::of(&listed))?.0;
        Ok(self.with(order, states))
    }

    fn also(&self, node: &Bound<'_, PyAny>) -> PyResult<Merges> {
        let (id, parents, state) = message(node)?;
        let mut order = self.session.order().clone();
        let parents = parents.iter().map(|parent| order.node(parent));
        let parents = run(node.py(), || parents.collect::<Outcome<_>>())?;
        order.add(id, parents);
        let mut states = self.session.states().to_vec();
        states.push(state);
        Ok(self.with(order, states))
    }

    fn __len__(&self) -> usize {
        self.session.order().len()
    }

    fn accept<'p>(&mut self, node: &Bound<'p, PyAny>) -> PyResult<Frozen<'p>> {
        let (py, (id, parents, state)) = (node.py(), message(node)?);
        if self.__len__() == MOST {
            return Err(PyValueError::new_err("too many messages"));
        }
        let session = &mut self.session;
        let accepted = run_once(|| session.accept(&id, &parents, &state))?;
        if let Err(Failure::Refused { code, .. }) = &accepted {
            let order = self.session.order();
            let named = match *code {
                "duplicate-node" => vec![id],
                "unknown-parent" => {
                    let unknown = parents
                        .into_iter()
                        .filter(|each| order.find(each).is_none());
                    [id].into_iter().chain(unknown).collect()
                }
                _ => {
                    let parents = parents.iter().filter_map(|each| order.find(each)).collect();
                    dependent(order, parents)
                }
            };
            return Err(refusal(py, code, &named));
        }
        frozen(py, &accepted.map_err(|failure| failed(py, failure))?)
    }

    fn members<'p>(&mut self, py: Python<'p>) -> PyResult<Frozen<'p>> {
        let session = &mut self.session;
        frozen(py, &run(py, || session.members())?)
    }

    fn merge<'p>(&mut self, py: Python<'p>, ids: Ids) -> PyResult<Frozen<'p>> {
        let nodes = self.nodes(py, &ids)?;
        let session = &mut self.session;
        frozen(py, &run(py, || session.merge(&nodes))?)
    }

    #[pyo3(signature = (ids, order=Ids::default(), *, reduced=false))]
    fn merge_anew<'p>(
        &self,
        py: Python<'p>,
        ids: Ids,
        order: Ids,
        reduced: bool,
    ) -> PyResult<Frozen<'p>> {
        let (all, states) = (self.session.order(), self.session.states());
        let mut nodes = self.nodes(py, &ids)?;
        if reduced {
            nodes = all.maximal(&nodes);
        }
        let merged = in_block(|| {
            run_once(|| {
                let merger = Merger::new(self.state_type).ranked(all, &bytes(&order));
                merger?.merge(all, states, &nodes)
            })
        })?;
        match merged {
            Err(Failure::Refused { code, .. }) if code == "not-an-anti-chain" => {
                Err(refusal(py, code, &dependent(all, nodes)))
            }
            merged => frozen(py, &merged.map_err(|failure| failed(py, failure))?),
        }
    }

    /// The literal evaluation, which needs no other messages than those of the past.
    fn literally<'p>(
        &self,
        py: Python<'p>,
        ids: Ids,
        _past: &Bound<'p, PyAny>,
    ) -> PyResult<Frozen<'p>> {
        let nodes = self.nodes(py, &ids)?;
        let literal = Literal {
            order: self.session.order(),
            states: self.session.states(),
            state_type: self.state_type,
        };
        frozen(py, &run_aside(py, || literal.merge(&nodes))?)
    }

    fn with_temporary_nodes<'p>(&self, py: Python<'p>, ids: Ids) -> PyResult<Frozen<'p>> {
        let (nodes, states) = (self.nodes(py, &ids)?, self.session.states());
        let merger = || Merger::by(self.state_type, with_temporary_nodes);
        let merged = || merger().merge(self.session.order(), states, &nodes);
        frozen(py, &run_aside(py, merged)?)
    }

    fn by_recurse_fold<'p>(&self, py: Python<'p>, ids: Ids) -> PyResult<Frozen<'p>> {
        let (nodes, order) = (self.nodes(py, &ids)?, self.session.order());
        let merger = Merger::new(self.state_type);
        let merged = || recurse_fold(&merger, order, self.session.states(), &nodes);
        frozen(py, &run_aside(py, merged)?)
    }

    fn heads<'p>(&self, py: Python<'p>) -> PyResult<Frozen<'p>> {
        self.named(py, &self.session.order().heads())
    }

    fn maximal<'p>(&self, py: Python<'p>, ids: Ids) -> PyResult<Frozen<'p>> {
        self.named(py, &self.session.order().maximal(&self.nodes(py, &ids)?))
    }

    fn lca_u<'p>(&self, py: Python<'p>, ids: Ids, other: &str) -> PyResult<Frozen<'p>> {
        let (nodes, order) = (self.nodes(py, &ids)?, self.session.order());
        let found = run(py, || order.lca_u(&nodes, order.node(other.as_bytes())?))?;
        self.named(py, &found)
    }

    /// ID -> the parents that no other parent follows.
    fn reduction<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyDict>> {
        let (order, found) = (self.session.order(), PyDict::new(py));
        for node in order.ascending() {
            let parents = self.named(py, &order.needed_parents(node))?;
            found.set_item(text(py, order.id(node))?, parents)?;
        }
        Ok(found)
    }

    /// ID -> whether the older end of the edge is virtual, and the states at both ends.
    fn edges<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyDict>> {
        let (order, states) = (self.session.order(), self.session.states());
        let found = PyDict::new(py);
        for edge in run(py, || operational_edges(order, states, self.state_type))? {
            let after = &states[edge.node];
            let before = match after {
                State::Set(after) => State::Set(apply(after, &edge.deleted, &edge.inserted)),
                other => other.clone(),
            };
            let shown = (edge.is_virtual, frozen(py, &before)?, frozen(py, after)?);
            found.set_item(text(py, order.id(edge.node))?, shown)?;
        }
        Ok(found)
    }

    fn alone(&self, element: &str, counts: Vec<Bound<'_, PyInt>>) -> PyResult<Alone> {
        let inside = self.session.states().iter().map(|state| {
            let element = element.as_bytes();
            let is_in = matches!(state, State::Set(state) if state.contains(element));
            State::Set(is_in.then(|| element.to_vec()).into_iter().collect())
        });
        let count = |number: &Bound<'_, PyInt>| {
            let number = Integer::parse(number.str()?.to_str()?.as_bytes());
            Ok(State::Counter(number.unwrap_or_default()))
        };
        Ok(Alone {
            order: self.session.order().clone(),
            inside: inside.collect(),
            counts: counts.iter().map(count).collect::<PyResult<_>>()?,
            state_type: self.state_type,
        })
    }
}

#[pymethods]
impl Alone {
    /// Whether the merge has the element, and the merged counter.
    #[pyo3(signature = (ids, order=Ids::default()))]
    fn merge<'p>(
        &self,
        py: Python<'p>,
        ids: Ids,
        order: Ids,
    ) -> PyResult<(bool, Bound<'p, PyAny>)> {
        let merged = |state_type: StateType, states: &[State]| {
            let nodes = self.order.nodes(&bytes(&ids))?;
            let merger = Merger::new(state_type).ranked(&self.order, &bytes(&order));
            merger?.merge(&self.order, states, &nodes)
        };
        let inside = run_aside(py, || merged(self.state_type, &self.inside))?;
        let count = match run(py, || merged(StateType::Counter, &self.counts))? {
            State::Counter(number) => number.to_text(),
            _ => String::new(),
        };
        let number = py.get_type::<PyInt>().call1((count,))?;
        Ok((matches!(inside, State::Set(set) if !set.is_empty()), number))
    }
}

impl Merges {
    fn with(&self, order: Order, states: Vec<State>) -> Merges {
        Merges {
            session: Session::of(order, states, self.state_type),
            state_type: self.state_type,
        }
    }

    fn nodes(&self, py: Python<'_>, ids: &Ids) -> PyResult<Vec<Node>> {
        run(py, || self.session.order().nodes(&bytes(ids)))
    }

    fn named<'p>(&self, py: Python<'p>, nodes: &[Node]) -> PyResult<Frozen<'p>> {
        let order = self.session.order();
        let names = nodes.iter().map(|node| text(py, order.id(*node)));
        PyFrozenSet::new(py, names.collect::<PyResult<Vec<_>>>()?)
    }
}

/// Two nodes of which the first is before the second, as the reference names them.
fn dependent(order: &Order, nodes: Vec<Node>) -> Vec<Id> {
    let named = |older: Node, newer: Node| vec![order.id(older).clone(), order.id(newer).clone()];
    let nodes = Merger::new(StateType::Counter).in_fold_order(order, &nodes);
    let mut past = order.nothing();
    for (step, b) in nodes.iter().enumerate() {
        let origins = order.lca_u_of_past(&past, *b);
        let mut earlier = nodes[..step].iter();
        if origins.contains(b) {
            if let Some(newer) = earlier.find(|newer| order.before(*b, **newer)) {
                return named(*b, *newer);
            }
        } else if let Some(older) = earlier.find(|older| origins.contains(older)) {
            return named(*older, *b);
        }
        order.extend(&mut past, *b);
    }
    Vec::new()
}

/// The ID, the parents and the state of a node of Python.
fn message(node: &Bound<'_, PyAny>) -> PyResult<(Id, BTreeSet<Id>, State)> {
    let py = node.py();
    let id = node.getattr(pyo3::intern!(py, "id"))?;
    let parents = node.getattr(pyo3::intern!(py, "parents"))?;
    let state = node.getattr(pyo3::intern!(py, "state"))?;
    Ok((id_of(&id)?, set_of(&parents)?, State::Set(set_of(&state)?)))
}

fn id_of(name: &Bound<'_, PyAny>) -> PyResult<Id> {
    Ok(name.cast::<PyString>()?.to_str()?.as_bytes().to_vec())
}

fn set_of(names: &Bound<'_, PyAny>) -> PyResult<Set> {
    let names = names.cast::<PyFrozenSet>()?;
    names.iter().map(|name| id_of(&name)).collect()
}

fn bytes(ids: &Ids) -> Vec<&[u8]> {
    ids.0.iter().map(|id| id.as_bytes()).collect()
}

fn text<'p>(py: Python<'p>, id: &Id) -> PyResult<Bound<'p, PyString>> {
    PyString::from_bytes(py, id)
}

fn frozen<'p>(py: Python<'p>, state: &State) -> PyResult<Frozen<'p>> {
    let State::Set(names) = state else {
        return Err(PyValueError::new_err("not a set"));
    };
    let names = names.iter().map(|name| text(py, name));
    PyFrozenSet::new(py, names.collect::<PyResult<Vec<_>>>()?)
}

/// What the port answers. A panic is an error.
fn run_once<T>(work: impl FnOnce() -> Outcome<T>) -> PyResult<Outcome<T>> {
    caught(std::panic::AssertUnwindSafe(work)).map_err(PyValueError::new_err)
}

fn run<T>(py: Python<'_>, work: impl FnOnce() -> Outcome<T>) -> PyResult<T> {
    run_once(work)?.map_err(|failure| failed(py, failure))
}

/// What the port answers, with memory that the next such answer uses again.
fn run_aside<T>(py: Python<'_>, work: impl FnOnce() -> Outcome<T>) -> PyResult<T> {
    in_block(|| run_once(work))?.map_err(|failure| failed(py, failure))
}

fn failed(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Refused { code, about } => refusal(py, code, &[about.into_bytes()]),
        Failure::Malformed(message) => PyValueError::new_err(message),
    }
}

/// A refusal as the error of the reference.
fn refusal(py: Python<'_>, code: &str, nodes: &[Id]) -> PyErr {
    let error = py.import("rejoin.history_merge.errors").and_then(|module| {
        let names = nodes.iter().map(|id| text(py, id));
        let names = names.collect::<PyResult<Vec<_>>>()?;
        module
            .getattr("HistoryMergeError")?
            .call1((code, code, names))
    });
    error.map_or_else(|error| error, PyErr::from_value)
}
