//! The operations of the history merge: from JSON and back.

use std::collections::{BTreeMap, BTreeSet};

use super::acceptance::Session;
use super::answer_size::Room;
use super::complete_algorithm::{origins_of_any_set, origins_that_keep_the_state, Merger};
use super::integers::Integer;
use super::merge_steps::{clauses, Step};
use super::operational_edges::operational_edges;
use super::partial_orders::{Id, Node, Order};
use super::simple_derivation::{recurse_fold, with_temporary_nodes};
use super::three_way_merge::{apply, deletions, insertions, Set, SetMerge, State, StateType};
use crate::failure::{malformed, Failure, Outcome};
use crate::fields::{list, text, Input};
use crate::json::Json;

pub const NAMES: [&str; 23] = [
    "history-merge/before",
    "history-merge/ancestors",
    "history-merge/maximal",
    "history-merge/is-anti-chain",
    "history-merge/transitive-reduction",
    "history-merge/common-ancestors",
    "history-merge/common-to-all",
    "history-merge/three-way-merge",
    "history-merge/diff",
    "history-merge/apply-diff",
    "history-merge/union-of-events",
    "history-merge/merge",
    "history-merge/merge-temporary-nodes",
    "history-merge/merge-recurse-fold",
    "history-merge/merge-reduced",
    "history-merge/merge-check-continues",
    "history-merge/merge-check-returns",
    "history-merge/merge-steps",
    "history-merge/members",
    "history-merge/operational-edges",
    "history-merge/accept",
    "history-merge/session",
    "history-merge/without-merges",
];

pub fn run(operation: &str, reading: Option<&[u8]>, input: &Json) -> Outcome<Json> {
    let Some(merge) = SetMerge::of_reading(reading) else {
        return malformed("unknown reading");
    };
    match operation {
        "history-merge/before" => run_before(input),
        "history-merge/ancestors" => run_query(input, "of", |order, nodes| {
            Ok(sorted_ids(order, &order.ancestors(nodes)))
        }),
        "history-merge/maximal" => run_query(input, "among", |order, nodes| {
            Ok(sorted_ids(order, &order.maximal(nodes)))
        }),
        "history-merge/common-to-all" => run_query(input, "of", |order, nodes| {
            Ok(sorted_ids(order, &order.lca(nodes)))
        }),
        "history-merge/is-anti-chain" => run_is_anti_chain(input),
        "history-merge/transitive-reduction" => run_transitive_reduction(input),
        "history-merge/common-ancestors" => run_common_ancestors(input),
        "history-merge/three-way-merge" => run_three_way_merge(input, merge),
        "history-merge/diff" => run_diff(input),
        "history-merge/apply-diff" => run_apply_diff(input),
        "history-merge/union-of-events" => run_union_of_events(input),
        "history-merge/merge"
        | "history-merge/merge-temporary-nodes"
        | "history-merge/merge-recurse-fold"
        | "history-merge/merge-reduced"
        | "history-merge/merge-check-continues"
        | "history-merge/merge-check-returns" => run_merge(operation, input, merge),
        "history-merge/merge-steps" => run_merge_steps(input, merge),
        "history-merge/members" => run_members(input, merge),
        "history-merge/operational-edges" => run_operational_edges(input, merge),
        "history-merge/accept" => run_accept(input, merge),
        "history-merge/session" => run_session(input, merge),
        "history-merge/without-merges" => run_without_merges(input, merge),
        _ => malformed(format!("unsupported operation {operation}")),
    }
}

/// Sets whose merge does not matter.
const SETS: StateType = StateType::Set(SetMerge::IDEMPOTENT);

/// A node as it is listed.
struct Listed {
    id: Id,
    parents: BTreeSet<Id>,
    state: State,
}

/// A history with states.
struct History {
    order: Order,
    states: Vec<State>,
}

fn run_before(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "earlier", "later"])?;
    let order = order(&input)?;
    let earlier = order.node(input.text("earlier")?)?;
    let later = order.node(input.text("later")?)?;
    Ok(Json::object([(
        "before",
        Json::Bool(order.before(earlier, later)),
    )]))
}

fn run_query(
    input: &Json,
    field: &str,
    query: impl Fn(&Order, &[Node]) -> Outcome<Json>,
) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", field])?;
    let order = order(&input)?;
    let nodes = order.nodes(&input.texts(field)?)?;
    Ok(Json::object([("nodes", query(&order, &nodes)?)]))
}

fn run_is_anti_chain(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "among"])?;
    let order = order(&input)?;
    let nodes = order.nodes(&input.texts("among")?)?;
    Ok(Json::object([(
        "anti_chain",
        Json::Bool(order.is_anti_chain(&nodes)),
    )]))
}

fn run_transitive_reduction(input: &Json) -> Outcome<Json> {
    let order = order(&Input::of(input, &["nodes"])?)?;
    let nodes = order
        .ascending()
        .into_iter()
        .map(|node| {
            Json::object([
                ("id", Json::Text(order.id(node).clone())),
                ("parents", sorted_ids(&order, &order.needed_parents(node))),
            ])
        })
        .collect();
    Ok(Json::object([("nodes", Json::List(nodes))]))
}

fn run_common_ancestors(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "of", "with"])?;
    let order = order(&input)?;
    let merged = order.nodes(&input.texts("of")?)?;
    let common = order.lca_u(&merged, order.node(input.text("with")?)?)?;
    Ok(Json::object([("nodes", sorted_ids(&order, &common))]))
}

fn run_three_way_merge(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["origin", "left", "right", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let state = |field| read_state(input.get(field)?, state_type);
    let (origin, left, right) = (state("origin")?, state("left")?, state("right")?);
    let merged = state_type.three_way_merge(&origin, &left, &right)?;
    Ok(state_output(&merged))
}

fn run_diff(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["origin", "changed"])?;
    let (origin, changed) = (set(input.get("origin")?)?, set(input.get("changed")?)?);
    Ok(Json::object([
        ("inserted", set_json(&insertions(&origin, &changed))),
        ("deleted", set_json(&deletions(&origin, &changed))),
    ]))
}

fn run_apply_diff(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["state", "inserted", "deleted"])?;
    let set = |field| set(input.get(field)?);
    let applied = apply(&set("state")?, &set("inserted")?, &set("deleted")?);
    Ok(Json::object([("state", set_json(&applied))]))
}

fn run_union_of_events(input: &Json) -> Outcome<Json> {
    let history = history(&Input::of(input, &["nodes"])?, SETS)?;
    let mut union = Set::new();
    for state in history.states {
        if let State::Set(set) = state {
            union.extend(set);
        }
    }
    Ok(Json::object([("union", set_json(&union))]))
}

fn run_merge(operation: &str, input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "merge", "order", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let History { order, states } = history(&input, state_type)?;
    let nodes = order.nodes(&input.texts("merge")?)?;
    let merger = match operation {
        "history-merge/merge-temporary-nodes" => Merger::by(state_type, with_temporary_nodes),
        "history-merge/merge-check-continues" => Merger::by(state_type, origins_of_any_set),
        "history-merge/merge-check-returns" => Merger::by(state_type, origins_that_keep_the_state),
        _ => Merger::new(state_type),
    };
    let mut merger = ranked(merger, &order, &input)?;
    let state = match operation {
        "history-merge/merge-recurse-fold" => recurse_fold(&merger, &order, &states, &nodes)?,
        // HM-MERGE-REDUCED
        "history-merge/merge-reduced" => merger.merge(&order, &states, &order.maximal(&nodes))?,
        _ => merger.merge(&order, &states, &nodes)?,
    };
    Ok(state_output(&state))
}

/// HM-STEPS-LIST
fn run_merge_steps(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "merge", "order", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let History { order, states } = history(&input, state_type)?;
    let nodes = order.nodes(&input.texts("merge")?)?;
    let mut merger = ranked(Merger::new(state_type), &order, &input)?.keeping_steps();
    merger.merge(&order, &states, &nodes)?;
    let clauses = clauses(merger.steps(), input.has("order"));
    let steps = merger.steps().iter().zip(clauses);
    let steps = steps.map(|(step, clause)| step_json(&order, step, clause));
    Room::new().list("steps", steps.collect())
}

fn step_json(order: &Order, step: &Step, clause: &str) -> Json {
    let id = |node: &Node| Json::Text(order.id(*node).clone());
    let (name, fields) = match step {
        Step::Default(state) => ("default", vec![("state", state_json(state))]),
        Step::Order(nodes) => {
            let nodes = Json::List(nodes.iter().map(id).collect());
            ("order", vec![("nodes", nodes)])
        }
        Step::Start(node, state) => {
            let fields = vec![("node", id(node)), ("state", state_json(state))];
            ("start", fields)
        }
        Step::LcaU(node, nodes) => {
            let fields = vec![("node", id(node)), ("nodes", sorted_ids(order, nodes))];
            ("lca-u", fields)
        }
        Step::Origin(state) => ("origin", vec![("state", state_json(state))]),
        Step::Fold(node, state) => {
            let fields = vec![("node", id(node)), ("state", state_json(state))];
            ("fold", fields)
        }
    };
    let named = [("step", Json::text(name)), ("clause", Json::text(clause))];
    let fields = named.into_iter().chain(fields);
    Json::Object(fields.map(|(name, value)| (name.into(), value)).collect())
}

fn run_members(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "order", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let History { order, states } = history(&input, state_type)?;
    let mut merger = ranked(Merger::new(state_type), &order, &input)?;
    let state = merger.merge(&order, &states, &order.heads())?;
    Ok(state_output(&state))
}

fn run_operational_edges(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let state_type = StateType::Set(merge);
    let history = history(&Input::of(input, &["nodes"])?, state_type)?;
    let edges = operational_edges(&history.order, &history.states, state_type)?
        .into_iter()
        .map(|edge| {
            Json::object([
                ("node", Json::Text(history.order.id(edge.node).clone())),
                ("virtual", Json::Bool(edge.is_virtual)),
                ("inserted", set_json(&edge.inserted)),
                ("deleted", set_json(&edge.deleted)),
            ])
        })
        .collect();
    Room::new().list("edges", edges)
}

fn run_accept(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "message", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let nodes = listed(&input, "nodes", Some(state_type))?;
    let message = node(input.get("message")?, Some(state_type))?;
    let parents_first = order_of(&nodes)?.1;
    let mut session = Session::new(state_type);
    for place in parents_first {
        let Listed { id, parents, state } = &nodes[place];
        session.accept(id, parents, state)?;
    }
    session.accept(&message.id, &message.parents, &message.state)?;
    Ok(Json::object([("accepted", Json::Bool(true))]))
}

fn run_session(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["messages", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let mut session = Session::new(state_type);
    let (mut steps, mut room) = (Vec::new(), Room::new());
    for message in listed(&input, "messages", Some(state_type))? {
        let accepted = match session.accept(&message.id, &message.parents, &message.state) {
            Ok(_) => true,
            Err(Failure::Refused { .. }) => false,
            Err(failure) => return Err(failure),
        };
        // HM-MEMBERS-CONFLICT
        let state = match session.members() {
            Ok(state) => state_json(&state),
            Err(Failure::Refused { .. }) => Json::Null,
            Err(failure) => return Err(failure),
        };
        room.take(&state)?;
        steps.push(Json::object([
            ("accepted", Json::Bool(accepted)),
            ("state", state),
        ]));
    }
    Ok(Json::object([("steps", Json::List(steps))]))
}

fn run_without_merges(input: &Json, merge: SetMerge) -> Outcome<Json> {
    let input = Input::of(input, &["nodes", "state_type"])?;
    let state_type = state_type(&input, merge)?;
    let nodes = listed(&input, "nodes", Some(state_type))?;
    let (order, parents_first) = order_of(&nodes)?;
    let copies = copies(&order, &parents_first);
    let nothing = Integer::default();
    let written = copies.values().fold(nothing, |sum, each| sum.plus(each));
    let mut heads = order.heads();
    heads.sort_by_key(|node| order.id(*node));
    let sessions = heads.into_iter().map(|head| {
        Json::object([
            ("head", Json::Text(order.id(head).clone())),
            ("copies", Json::text(&copies[&head].to_text())),
            ("state", state_json(&nodes[head].state)),
        ])
    });
    Ok(Json::object([
        ("written", Json::text(&written.to_text())),
        ("sessions", Json::List(sessions.collect())),
    ]))
}

/// How often each message has to be written (HM-UNMERGED-COPIES).
fn copies(order: &Order, parents_first: &[Node]) -> BTreeMap<Node, Integer> {
    let one = Integer::parse(b"1").unwrap_or_default();
    let mut copies: BTreeMap<Node, Integer> = BTreeMap::new();
    for node in parents_first {
        let parents = order.needed_parents(*node);
        let chains = parents.iter().map(|parent| copies[parent].clone());
        let all = chains.reduce(|sum, each| sum.plus(&each));
        copies.insert(*node, all.unwrap_or_else(|| one.clone()));
    }
    copies
}

fn ranked(merger: Merger, order: &Order, input: &Input) -> Outcome<Merger> {
    match input.has("order") {
        true => merger.ranked(order, &input.texts("order")?),
        false => Ok(merger),
    }
}

fn state_type(input: &Input, merge: SetMerge) -> Outcome<StateType> {
    if !input.has("state_type") {
        return Ok(StateType::Set(merge));
    }
    match input.text("state_type")? {
        b"set" => Ok(StateType::Set(merge)),
        b"counter" => Ok(StateType::Counter),
        b"register" => Ok(StateType::Register),
        b"lines" => Ok(StateType::Lines),
        _ => malformed("unknown state_type"),
    }
}

fn read_state(json: &Json, state_type: StateType) -> Outcome<State> {
    match state_type {
        StateType::Set(_) => Ok(State::Set(set(json)?)),
        StateType::Register => Ok(State::Register(text(json)?.to_vec())),
        StateType::Lines => {
            let lines = list(json)?.iter();
            let lines = lines.map(|line| Ok(text(line)?.to_vec()));
            Ok(State::Lines(lines.collect::<Outcome<_>>()?))
        }
        StateType::Counter => match Integer::parse(text(json)?) {
            Some(integer) => Ok(State::Counter(integer)),
            None => malformed("not a decimal integer"),
        },
    }
}

fn set(json: &Json) -> Outcome<Set> {
    list(json)?
        .iter()
        .map(|each| Ok(text(each)?.to_vec()))
        .collect()
}

fn set_json(set: &Set) -> Json {
    Json::List(set.iter().cloned().map(Json::Text).collect())
}

fn state_json(state: &State) -> Json {
    match state {
        State::Set(set) => set_json(set),
        State::Counter(integer) => Json::text(&integer.to_text()),
        State::Register(text) => Json::Text(text.clone()),
        State::Lines(lines) => Json::List(lines.iter().cloned().map(Json::Text).collect()),
    }
}

fn state_output(state: &State) -> Json {
    Json::object([("state", state_json(state))])
}

fn sorted_ids(order: &Order, nodes: &[Node]) -> Json {
    set_json(&nodes.iter().map(|node| order.id(*node).clone()).collect())
}

/// Without a type of state, the states of nodes are ignored.
fn node(json: &Json, state_type: Option<StateType>) -> Outcome<Listed> {
    let input = Input::of(json, &["id", "parents", "state"])?;
    Ok(Listed {
        id: input.text("id")?.to_vec(),
        parents: set(input.get("parents")?)?,
        state: match state_type {
            Some(state_type) => read_state(input.get("state")?, state_type)?,
            None => SETS.default_state(),
        },
    })
}

fn listed(input: &Input, field: &str, state_type: Option<StateType>) -> Outcome<Vec<Listed>> {
    let nodes = input.list(field)?.iter();
    nodes.map(|json| node(json, state_type)).collect()
}

fn order_of(nodes: &[Listed]) -> Outcome<(Order, Vec<Node>)> {
    let pairs: Vec<_> = nodes
        .iter()
        .map(|node| (node.id.clone(), node.parents.clone()))
        .collect();
    Order::of(&pairs)
}

fn order(input: &Input) -> Outcome<Order> {
    Ok(order_of(&listed(input, "nodes", None)?)?.0)
}

fn history(input: &Input, state_type: StateType) -> Outcome<History> {
    let nodes = listed(input, "nodes", Some(state_type))?;
    let order = order_of(&nodes)?.0;
    Ok(History {
        order,
        states: nodes.into_iter().map(|node| node.state).collect(),
    })
}
