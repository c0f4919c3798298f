//! The merge as the document writes it, without a cache. Section "Complete algorithm".
//!
//! It is for small histories: its time can grow exponentially. The port merges in another way, and
//! a law compares the two.

use rejoin_port::failure::{refused, Outcome};
use rejoin_port::history_merge::partial_orders::{Node, Order};
use rejoin_port::history_merge::three_way_merge::{State, StateType};

/// Nodes with their states, and the 3-way merge of these.
pub struct Literal<'a> {
    pub order: &'a Order,
    pub states: &'a [State],
    pub state_type: StateType,
}

impl Literal<'_> {
    /// merge[G](X), with merge_ as a loop: the nodes are folded by ascending ID.
    pub fn merge(&self, nodes: &[Node]) -> Outcome<State> {
        let mut nodes = nodes.to_vec();
        nodes.sort_by_key(|node| self.order.id(*node));
        let mut merged = self.state_type.default_state();
        for (step, b) in nodes.iter().enumerate() {
            merged = self.merge_u(&nodes[..step], merged, *b)?;
        }
        Ok(merged)
    }

    /// mergeU(G, A, as, b)
    fn merge_u(&self, a: &[Node], a_state: State, b: Node) -> Outcome<State> {
        if a.is_empty() {
            return Ok(self.states[b].clone());
        }
        let origins = self.order.lca_u(a, b)?;
        if origins
            .iter()
            .any(|origin| *origin == b || a.contains(origin))
        {
            return refused("not-an-anti-chain");
        }
        let o = self.merge(&origins)?;
        self.state_type
            .three_way_merge(&o, &a_state, &self.states[b])
    }
}
