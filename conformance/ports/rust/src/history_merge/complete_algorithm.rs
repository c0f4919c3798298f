//! The merge of any anti-chain of a history. Section "The complete algorithm".

use std::collections::BTreeMap;

use super::merge_steps::Step;
use super::partial_orders::{shown, Node, Order};
use super::three_way_merge::{State, StateType};
use crate::failure::{refused_about, Outcome};

/// The origins of the steps of a fold, with their check. The nodes
/// are in fold order; each one except the first has an origin.
pub type Origins = fn(&Order, &[Node]) -> Outcome<Vec<Vec<Node>>>;

/// Merges that share a fold order, an algorithm and the finished merges.
pub struct Merger {
    state_type: StateType,
    origins: Origins,
    /// The place of the nodes that a given fold order lists.
    listed: BTreeMap<Node, usize>,
    merged: BTreeMap<Vec<Node>, State>,
    /// The steps of the finished merges, if they are wanted.
    steps: Option<Vec<Step>>,
}

/// A merge that waits for the merges of its origins.
struct Waiting {
    nodes: Vec<Node>,
    origins: Vec<Vec<Node>>,
}

impl Merger {
    pub fn new(state_type: StateType) -> Merger {
        Merger::by(state_type, origins_by_lca_u)
    }

    pub fn by(state_type: StateType, origins: Origins) -> Merger {
        Merger {
            state_type,
            origins,
            listed: BTreeMap::new(),
            merged: BTreeMap::new(),
            steps: None,
        }
    }

    /// Keep the steps of the merges.
    pub fn keeping_steps(mut self) -> Merger {
        self.steps = Some(Vec::new());
        self
    }

    /// The steps of the finished merges: those of a set after those of its origins.
    pub fn steps(&self) -> &[Step] {
        self.steps.as_deref().unwrap_or_default()
    }

    /// Fold in the order of a list, and then by ID (HM-FOLD-RANKED).
    pub fn ranked(mut self, order: &Order, ids: &[&[u8]]) -> Outcome<Merger> {
        for (place, id) in ids.iter().enumerate() {
            let fresh = match order.find(id) {
                Some(node) => self.listed.insert(node, place).is_none(),
                None => false,
            };
            if !fresh {
                return refused_about("not-a-fold-order", shown(id));
            }
        }
        Ok(self)
    }

    pub fn state_type(&self) -> StateType {
        self.state_type
    }

    pub fn default_state(&self) -> State {
        self.state_type.default_state()
    }

    /// Nodes in fold order.
    pub fn in_fold_order(&self, order: &Order, nodes: &[Node]) -> Vec<Node> {
        let mut nodes = nodes.to_vec();
        nodes.sort_by_key(|node| {
            let place = self.listed.get(node).copied().unwrap_or(usize::MAX);
            (place, order.id(*node))
        });
        nodes
    }

    /// merge(G, X). Waiting merges are in a list instead of on the stack
    /// (HM-MERGE-DEEP), and none is done twice (HM-MERGE-WIDE).
    pub fn merge(&mut self, order: &Order, states: &[State], nodes: &[Node]) -> Outcome<State> {
        if self.steps.is_none() && self.merged.contains_key(&key(nodes)) {
            return Ok(self.known(states, nodes));
        }
        let mut waiting = vec![self.plan(order, nodes)?];
        while let Some(top) = waiting.last() {
            let unknown = top
                .origins
                .iter()
                .find(|origin| origin.len() > 1 && !self.merged.contains_key(&key(origin)));
            if let Some(origin) = unknown {
                waiting.push(self.plan(order, origin)?);
                continue;
            }
            let state = self.fold(states, top)?;
            self.merged.insert(key(&top.nodes), state);
            waiting.pop();
        }
        Ok(self.known(states, nodes))
    }

    fn plan(&self, order: &Order, nodes: &[Node]) -> Outcome<Waiting> {
        let nodes = self.in_fold_order(order, nodes);
        let origins = (self.origins)(order, &nodes)?;
        Ok(Waiting { nodes, origins })
    }

    fn fold(&mut self, states: &[State], merge: &Waiting) -> Outcome<State> {
        let mut nodes = merge.nodes.iter();
        let Some(first) = nodes.next() else {
            let state = self.state_type.default_state();
            self.note(|| Step::Default(state.clone()));
            return Ok(state);
        };
        let mut state = states[*first].clone();
        self.note(|| Step::Order(merge.nodes.clone()));
        self.note(|| Step::Start(*first, state.clone()));
        for (node, origin) in nodes.zip(&merge.origins) {
            self.note(|| Step::LcaU(*node, origin.clone()));
            let origin = self.known(states, origin);
            self.note(|| Step::Origin(origin.clone()));
            state = self
                .state_type
                .three_way_merge(&origin, &state, &states[*node])?;
            self.note(|| Step::Fold(*node, state.clone()));
        }
        Ok(state)
    }

    fn note(&mut self, step: impl FnOnce() -> Step) {
        if let Some(steps) = &mut self.steps {
            steps.push(step());
        }
    }

    /// The merge of no node, of one node, or of nodes that are already merged.
    fn known(&self, states: &[State], nodes: &[Node]) -> State {
        match nodes {
            [] => self.state_type.default_state(),
            [node] => states[*node].clone(),
            _ => match self.merged.get(&key(nodes)) {
                Some(state) => state.clone(),
                None => self.state_type.default_state(),
            },
        }
    }
}

fn key(nodes: &[Node]) -> Vec<Node> {
    let mut key = nodes.to_vec();
    key.sort_unstable();
    key
}

/// lcaU of the nodes before and the next one, checked (HM-MERGE-ORIGIN, HM-MERGE-CHECK).
fn origins_by_lca_u(order: &Order, nodes: &[Node]) -> Outcome<Vec<Vec<Node>>> {
    origins(order, nodes, |_, _, older| {
        let about = format!("{} is before another", shown(order.id(older)));
        refused_about("not-an-anti-chain", about)
    })
}

/// The same for any set: a failed check is ignored (HM-MERGE-CHECK-CONTINUES).
pub fn origins_of_any_set(order: &Order, nodes: &[Node]) -> Outcome<Vec<Vec<Node>>> {
    origins(order, nodes, |_, origin, _| Ok(origin))
}

/// The same for any set: after a failed check, the next node itself is the origin. The 3-way merge
/// then keeps the state so far (HM-MERGE-CHECK-RETURNS).
pub fn origins_that_keep_the_state(order: &Order, nodes: &[Node]) -> Outcome<Vec<Vec<Node>>> {
    origins(order, nodes, |b, _, _| Ok(vec![b]))
}

/// failed: the origin of a node b after a failed check, from b, lcaU and an older node.
fn origins(
    order: &Order,
    nodes: &[Node],
    failed: impl Fn(Node, Vec<Node>, Node) -> Outcome<Vec<Node>>,
) -> Outcome<Vec<Vec<Node>>> {
    let mut past = order.nothing();
    let mut origins = Vec::new();
    for (step, b) in nodes.iter().enumerate() {
        if step > 0 {
            let origin = order.lca_u_of_past(&past, *b);
            let older = origin.iter().find(|node| nodes[..=step].contains(node));
            origins.push(match older.copied() {
                Some(older) => failed(*b, origin, older)?,
                None => origin,
            });
        }
        order.extend(&mut past, *b);
    }
    Ok(origins)
}

#[cfg(test)]
mod tests {
    use super::super::partial_orders::tests::order;
    use super::super::simple_derivation::{recurse_fold, with_temporary_nodes};
    use super::super::three_way_merge::SetMerge;
    use super::*;

    const SETS: StateType = StateType::Set(SetMerge::IDEMPOTENT);

    fn set(elements: &str) -> State {
        State::Set(elements.bytes().map(|element| vec![element]).collect())
    }

    /// The README's history in which the fold order matters.
    fn five() -> (Order, Vec<State>) {
        let order = order("r p:r q:r s:p t:p").unwrap();
        (order, ["", "x", "x", "", "x"].map(set).to_vec())
    }

    #[test]
    fn the_fold_order_matters_where_two_add_the_same() {
        let (order, states) = five();
        let heads = order.heads();
        for (fold, expected) in [
            ("qst", "x"),
            ("qts", ""),
            ("tqs", ""),
            ("stq", "x"),
            ("", "x"),
        ] {
            let ids: Vec<&[u8]> = fold.as_bytes().chunks(1).collect();
            for origins in [origins_by_lca_u as Origins, with_temporary_nodes] {
                let merger = Merger::by(SETS, origins);
                let mut merger = merger.ranked(&order, &ids).unwrap();
                assert_eq!(
                    merger.merge(&order, &states, &heads),
                    Ok(set(expected)),
                    "{fold}"
                );
            }
        }
    }

    #[test]
    fn recurse_fold_forgets_what_two_of_three_share() {
        let order = order("o u:o a:o b:a v:a").unwrap();
        let states = ["ab", "abu", "a", "ab", "av"].map(set);
        let mut merger = Merger::new(SETS);
        let heads = order.heads();
        assert_eq!(merger.merge(&order, &states, &heads), Ok(set("abuv")));
        assert_eq!(
            recurse_fold(&merger, &order, &states, &heads),
            Ok(set("auv"))
        );
    }

    #[test]
    fn what_is_no_anti_chain_is_refused() {
        let (order, states) = five();
        let at = |id: &str| order.node(id.as_bytes()).unwrap();
        for nodes in [[at("p"), at("s")], [at("s"), at("r")], [at("q"), at("q")]] {
            for origins in [origins_by_lca_u as Origins, with_temporary_nodes] {
                let mut merger = Merger::by(SETS, origins);
                assert!(merger.merge(&order, &states, &nodes).is_err());
            }
        }
    }

    #[test]
    fn long_histories_and_wide_ones_have_merges() {
        let mut words = vec!["a0".to_string(), "b0".to_string(), "c0".to_string()];
        for row in 1..300 {
            for name in ["a", "b", "c"] {
                let above = row - 1;
                words.push(format!("{name}{row}:a{above},b{above},c{above}"));
            }
        }
        let order = order(&words.join(" ")).unwrap();
        let states = vec![set("x"); order.len()];
        let mut merger = Merger::new(SETS);
        assert_eq!(merger.merge(&order, &states, &order.heads()), Ok(set("x")));
    }
}
