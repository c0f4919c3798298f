//! The merge of the heads of a growing history, continued from message to message.
//!
//! The fold takes the heads by ascending ID. A new message replaces some heads by itself, and the
//! heads before the first difference merge to the same state as before.

use super::complete_algorithm::Merger;
use super::partial_orders::{Node, Order};
use super::three_way_merge::State;
use crate::failure::Outcome;

/// The heads, and how far they are folded.
#[derive(Default)]
pub struct HeadsFold {
    /// By ascending ID.
    heads: Vec<Node>,
    /// One step for each of the first heads.
    folded: Vec<Step>,
    /// Whether a node is in the past of the folded heads.
    past: Vec<bool>,
}

/// The merged state after a head, and the nodes that the head adds to the past.
struct Step {
    state: State,
    reached: Vec<Node>,
}

impl HeadsFold {
    /// Add a new head, which replaces its parents.
    pub fn add(&mut self, order: &Order, node: Node) {
        self.past.resize(order.len(), false);
        for parent in order.parents(node) {
            let place = self.place(order, *parent);
            if self.heads.get(place) == Some(parent) {
                self.heads.remove(place);
                self.forget_from(place);
            }
        }
        let place = self.place(order, node);
        self.heads.insert(place, node);
        self.forget_from(place);
    }

    /// The state to which the heads merge.
    pub fn merged(
        &mut self,
        order: &Order,
        states: &[State],
        merger: &mut Merger,
    ) -> Outcome<State> {
        while let Some(node) = self.heads.get(self.folded.len()).copied() {
            let (reached, met) = self.walk(order, node);
            let state = match self.folded.last() {
                None => states[node].clone(),
                Some(before) => {
                    let origins = match met.len() {
                        0 | 1 => met,
                        _ => order.maximal(&met),
                    };
                    let origin = merger.merge(order, states, &origins)?;
                    let state_type = merger.state_type();
                    state_type.three_way_merge(&origin, &before.state, &states[node])?
                }
            };
            for each in &reached {
                self.past[*each] = true;
            }
            self.folded.push(Step { state, reached });
        }
        Ok(match self.folded.last() {
            Some(step) => step.state.clone(),
            None => merger.default_state(),
        })
    }

    /// What the past lacks of a node's ancestors, and the first nodes of the past on each way up.
    fn walk(&self, order: &Order, node: Node) -> (Vec<Node>, Vec<Node>) {
        let (mut reached, mut met) = (vec![node], Vec::new());
        let mut seen = std::collections::BTreeSet::from([node]);
        let mut next = 0;
        while let Some(node) = reached.get(next).copied() {
            next += 1;
            for parent in order.parents(node) {
                if !seen.insert(*parent) {
                    continue;
                }
                if self.past[*parent] {
                    met.push(*parent);
                } else {
                    reached.push(*parent);
                }
            }
        }
        (reached, met)
    }

    fn forget_from(&mut self, place: usize) {
        while self.folded.len() > place {
            if let Some(step) = self.folded.pop() {
                for node in step.reached {
                    self.past[node] = false;
                }
            }
        }
    }

    /// The place of the first head whose ID is not smaller.
    fn place(&self, order: &Order, node: Node) -> usize {
        self.heads
            .partition_point(|head| order.id(*head) < order.id(node))
    }
}
