//! The edges of a history on which the state changes. Section "Operational edges".

use super::complete_algorithm::Merger;
use super::partial_orders::{Node, Order};
use super::three_way_merge::{deletions, insertions, Set, State, StateType};
use crate::failure::Outcome;

pub struct OperationalEdge {
    /// The node at the newer end.
    pub node: Node,
    /// Whether the older end is a virtual node.
    pub is_virtual: bool,
    pub inserted: Set,
    pub deleted: Set,
}

/// The operational edges of a history of sets, by ascending node ID.
pub fn operational_edges(
    order: &Order,
    states: &[State],
    state_type: StateType,
) -> Outcome<Vec<OperationalEdge>> {
    let mut merger = Merger::new(state_type);
    let mut edges = Vec::new();
    for node in order.ascending() {
        // Parents that are not an anti-chain have no merge, so the history is refused.
        let parents = order.parents(node);
        if parents.is_empty() {
            continue;
        }
        let before = merger.merge(order, states, parents)?;
        if let (State::Set(before), State::Set(after)) = (&before, &states[node]) {
            if before != after {
                edges.push(OperationalEdge {
                    node,
                    is_virtual: parents.len() > 1,
                    inserted: insertions(before, after),
                    deleted: deletions(before, after),
                });
            }
        }
    }
    Ok(edges)
}
