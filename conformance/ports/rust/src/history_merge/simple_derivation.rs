//! The two variants of the simple derivation. Section "The simple derivation".

use super::complete_algorithm::Merger;
use super::partial_orders::{Node, Order};
use super::three_way_merge::State;
use crate::failure::Outcome;

/// merge-fold-recurse: a temporary node holds the nodes merged so far (HM-TEMP-FOLD).
pub fn with_temporary_nodes(order: &Order, nodes: &[Node]) -> Outcome<Vec<Vec<Node>>> {
    order.check_anti_chain(nodes)?;
    let mut order = order.clone();
    let mut so_far: Option<Node> = None;
    let mut origins = Vec::new();
    for node in nodes {
        so_far = Some(match so_far {
            None => *node,
            Some(merged) => {
                origins.push(order.lca(&[merged, *node]));
                order.add_temporary(vec![merged, *node])
            }
        });
    }
    Ok(origins)
}

/// merge-recurse-fold, which is not the merge of a history (HM-RECURSE-FOLD).
pub fn recurse_fold(
    merger: &Merger,
    order: &Order,
    states: &[State],
    nodes: &[Node],
) -> Outcome<State> {
    order.check_anti_chain(nodes)?;
    // Each set of lowest common ancestors of the previous set, down to one node or none.
    let mut sets = vec![nodes.to_vec()];
    while let Some(set) = sets.last().filter(|set| set.len() > 1) {
        sets.push(order.lca(set));
    }
    let mut state = merger.default_state();
    while let Some(set) = sets.pop() {
        let origin = state;
        let mut folded: Option<State> = None;
        for node in merger.in_fold_order(order, &set) {
            folded = Some(match folded {
                None => states[node].clone(),
                Some(so_far) => {
                    let state_type = merger.state_type();
                    state_type.three_way_merge(&origin, &so_far, &states[node])?
                }
            });
        }
        state = folded.unwrap_or(origin);
    }
    Ok(state)
}
