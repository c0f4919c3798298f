//! Sessions and the messages that they accept. Section "Acceptance of messages"; "Membership".

use std::collections::BTreeSet;

use super::complete_algorithm::Merger;
use super::heads_fold::HeadsFold;
use super::partial_orders::{shown, Id, Node, Order};
use super::three_way_merge::{State, StateType};
use crate::failure::{refused_about, Outcome};

/// The messages that one member has accepted.
pub struct Session {
    order: Order,
    states: Vec<State>,
    merger: Merger,
    heads: HeadsFold,
}

impl Session {
    pub fn new(state_type: StateType) -> Session {
        Session {
            order: Order::default(),
            states: Vec::new(),
            merger: Merger::new(state_type),
            heads: HeadsFold::default(),
        }
    }

    /// The messages of a history, whose parents need not be anti-chains.
    pub fn of(order: Order, states: Vec<State>, state_type: StateType) -> Session {
        Session {
            order,
            states,
            ..Session::new(state_type)
        }
    }

    pub fn order(&self) -> &Order {
        &self.order
    }

    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The merge of some messages. The session keeps it.
    pub fn merge(&mut self, nodes: &[Node]) -> Outcome<State> {
        self.merger.merge(&self.order, &self.states, nodes)
    }

    /// Accept a message, or refuse it and stay unchanged. The state is the merge of its parents.
    pub fn accept(&mut self, id: &Id, parents: &BTreeSet<Id>, state: &State) -> Outcome<State> {
        if self.order.find(id).is_some() {
            return refused_about("duplicate-node", shown(id));
        }
        let accepted = |parent: &Id| match self.order.find(parent) {
            Some(node) => Ok(node),
            None => refused_about("unknown-parent", shown(parent)),
        };
        let parents = parents
            .iter()
            .map(accepted)
            .collect::<Outcome<Vec<Node>>>()?;
        let departed = self.merge(&parents)?;
        let node = self.order.add(id.clone(), parents);
        self.states.push(state.clone());
        self.heads.add(&self.order, node);
        Ok(departed)
    }

    /// The state of the session: the merge of the heads.
    pub fn members(&mut self) -> Outcome<State> {
        self.heads
            .merged(&self.order, &self.states, &mut self.merger)
    }
}

#[cfg(test)]
mod tests {
    use super::super::three_way_merge::SetMerge;
    use super::*;

    #[test]
    fn a_session_refuses_and_goes_on() {
        let mut session = Session::new(StateType::Set(SetMerge::IDEMPOTENT));
        let mut offer = |id: &str, parents: &[&str], state: &str| {
            let state = State::Set(state.bytes().map(|element| vec![element]).collect());
            let parents = parents
                .iter()
                .map(|parent| parent.as_bytes().to_vec())
                .collect();
            session
                .accept(&id.as_bytes().to_vec(), &parents, &state)
                .is_ok()
        };
        assert!(!offer("b", &["a"], "x"));
        assert!(offer("a", &[], "x"));
        assert!(!offer("a", &[], "y"));
        assert!(offer("b", &["a"], "xy"));
        assert!(!offer("c", &["a", "b"], "z"));
        assert!(!offer("c", &["c"], "z"));
        assert!(offer("c", &["a"], "xz"));
        assert!(offer("d", &[], "w"));
        let members = ["w", "x", "y", "z"].map(|element| element.as_bytes().to_vec());
        assert_eq!(session.members(), Ok(State::Set(members.into())));
    }
}
