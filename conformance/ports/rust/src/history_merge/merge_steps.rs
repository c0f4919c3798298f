//! The steps of a merge, for those who want to see it work. Section "The steps of a merge".

use super::partial_orders::Node;
use super::three_way_merge::State;

/// One step. The steps of the merge of a set stand together (HM-STEPS-FOLD).
pub enum Step {
    /// The merge of no nodes.
    Default(State),
    /// The nodes of a set in fold order.
    Order(Vec<Node>),
    /// The first node and its state.
    Start(Node, State),
    /// The next node and its lowest common ancestors with the nodes so far.
    LcaU(Node, Vec<Node>),
    /// The merge of these ancestors.
    Origin(State),
    /// The merge of the nodes so far and the next node.
    Fold(Node, State),
}

/// The clause that each step follows. given: whether the fold order is given.
pub fn clauses(steps: &[Step], given: bool) -> Vec<&'static str> {
    let mut alone = false;
    let mut shared = false;
    let mut clause = |step: &Step| match step {
        Step::Default(_) => "HM-MERGE-EMPTY",
        Step::Order(nodes) => {
            alone = nodes.len() == 1;
            match given {
                true => "HM-FOLD-RANKED",
                false => "HM-FOLD-ASCENDING",
            }
        }
        Step::Start(..) if alone => "HM-MERGE-ONE",
        Step::Start(..) => "HM-MERGE-FOLD",
        Step::LcaU(_, nodes) => {
            shared = !nodes.is_empty();
            match shared {
                true => "HM-LCAU-LOWEST",
                false => "HM-LCAU-NONE",
            }
        }
        Step::Origin(_) if shared => "HM-MERGE-ORIGIN",
        Step::Origin(_) => "HM-MERGE-NO-ORIGIN",
        Step::Fold(..) => "HM-MERGE-STEP",
    };
    steps.iter().map(&mut clause).collect()
}
