//! Nodes, parents and the order that they generate. Section "Partial orders"; "lcaU".

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::{refused, refused_about, Outcome};

pub type Id = Vec<u8>;

/// A node by its place in the order in which nodes were added.
pub type Node = usize;

/// A history without states. Every query takes time in proportion to its size, and none recurses.
#[derive(Debug, Clone, Default)]
pub struct Order {
    ids: Vec<Id>,
    by_id: BTreeMap<Id, Node>,
    parents: Vec<Vec<Node>>,
}

/// The ancestors of some nodes: for each node of the history, whether it is one of them.
type Past = Vec<bool>;

impl Order {
    /// A history from nodes in any order: IDs and parents. The second value lists the nodes with
    /// parents ahead of their children.
    pub fn of(listed: &[(Id, BTreeSet<Id>)]) -> Outcome<(Order, Vec<Node>)> {
        let mut order = Order::default();
        for (id, _) in listed {
            let node = order.ids.len();
            if order.by_id.insert(id.clone(), node).is_some() {
                return refused_about("duplicate-node", shown(id));
            }
            order.ids.push(id.clone());
        }
        for (_, parents) in listed {
            let known = |id: &Id| match order.by_id.get(id) {
                Some(node) => Ok(*node),
                None => refused_about("unknown-parent", shown(id)),
            };
            let parents = parents.iter().map(known).collect::<Outcome<_>>()?;
            order.parents.push(parents);
        }
        let sorted = order.parents_first();
        match sorted.len() == order.len() {
            true => Ok((order, sorted)),
            false => refused("cycle"),
        }
    }

    /// The nodes that neither are on a cycle nor follow one, parents first.
    fn parents_first(&self) -> Vec<Node> {
        let mut children: Vec<Vec<Node>> = vec![Vec::new(); self.len()];
        let mut missing: Vec<usize> = Vec::new();
        for (node, parents) in self.parents.iter().enumerate() {
            missing.push(parents.len());
            for parent in parents {
                children[*parent].push(node);
            }
        }
        let mut sorted: Vec<Node> = (0..self.len()).filter(|node| missing[*node] == 0).collect();
        let mut next = 0;
        while let Some(node) = sorted.get(next).copied() {
            next += 1;
            for child in &children[node] {
                missing[*child] -= 1;
                if missing[*child] == 0 {
                    sorted.push(*child);
                }
            }
        }
        sorted
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Add a node with a new ID.
    pub fn add(&mut self, id: Id, parents: Vec<Node>) -> Node {
        let node = self.ids.len();
        self.by_id.insert(id.clone(), node);
        self.ids.push(id);
        self.parents.push(parents);
        node
    }

    /// Add a temporary node, which no query by ID finds.
    pub fn add_temporary(&mut self, parents: Vec<Node>) -> Node {
        self.ids.push(Id::new());
        self.parents.push(parents);
        self.ids.len() - 1
    }

    pub fn id(&self, node: Node) -> &Id {
        &self.ids[node]
    }

    pub fn find(&self, id: &[u8]) -> Option<Node> {
        self.by_id.get(id).copied()
    }

    pub fn node(&self, id: &[u8]) -> Outcome<Node> {
        match self.find(id) {
            Some(node) => Ok(node),
            None => refused_about("unknown-node", shown(id)),
        }
    }

    pub fn nodes(&self, ids: &[&[u8]]) -> Outcome<Vec<Node>> {
        ids.iter().map(|id| self.node(id)).collect()
    }

    /// All nodes by ascending ID.
    pub fn ascending(&self) -> Vec<Node> {
        self.by_id.values().copied().collect()
    }

    pub fn nothing(&self) -> Past {
        vec![false; self.len()]
    }

    /// Add a node and its ancestors to a past.
    pub fn extend(&self, past: &mut Past, node: Node) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if !past[node] {
                past[node] = true;
                waiting.extend(&self.parents[node]);
            }
        }
    }

    /// anc*(V)
    pub fn past_of(&self, nodes: &[Node]) -> Past {
        let mut past = self.nothing();
        for node in nodes {
            self.extend(&mut past, *node);
        }
        past
    }

    pub fn ancestors(&self, nodes: &[Node]) -> Vec<Node> {
        members(&self.past_of(nodes))
    }

    /// u <= v
    pub fn before(&self, u: Node, v: Node) -> bool {
        self.past_of(&[v])[u]
    }

    /// The maximal nodes of a past: those that are not a parent of another node of it.
    fn heads_of(&self, past: &Past) -> Vec<Node> {
        let mut is_head = past.clone();
        for node in members(past) {
            for parent in &self.parents[node] {
                is_head[*parent] = false;
            }
        }
        members(&is_head)
    }

    /// The heads of the history.
    pub fn heads(&self) -> Vec<Node> {
        self.heads_of(&vec![true; self.len()])
    }

    /// max(V)
    pub fn maximal(&self, nodes: &[Node]) -> Vec<Node> {
        self.heads_of(&self.past_of(nodes))
    }

    /// HM-ORDER-ANTI-CHAIN: a list with a node twice is not an anti-chain.
    pub fn is_anti_chain(&self, nodes: &[Node]) -> bool {
        self.maximal(nodes).len() == nodes.len()
    }

    pub fn check_anti_chain(&self, nodes: &[Node]) -> Outcome<()> {
        match self.is_anti_chain(nodes) {
            true => Ok(()),
            false => refused("not-an-anti-chain"),
        }
    }

    pub fn parents(&self, node: Node) -> &[Node] {
        &self.parents[node]
    }

    /// The parents of a node that are before no other parent of it.
    pub fn needed_parents(&self, node: Node) -> Vec<Node> {
        self.maximal(&self.parents[node])
    }

    /// The lowest common ancestors of all nodes of X; the heads if X is empty.
    pub fn lca(&self, nodes: &[Node]) -> Vec<Node> {
        let mut common = vec![true; self.len()];
        for node in nodes {
            common = both(&common, &self.past_of(&[*node]));
        }
        self.heads_of(&common)
    }

    /// lcaU(A, b), from the past of A.
    pub fn lca_u_of_past(&self, past: &Past, b: Node) -> Vec<Node> {
        self.heads_of(&both(past, &self.past_of(&[b])))
    }

    pub fn lca_u(&self, a: &[Node], b: Node) -> Outcome<Vec<Node>> {
        if a.is_empty() {
            return refused("empty-set");
        }
        Ok(self.lca_u_of_past(&self.past_of(a), b))
    }
}

fn members(past: &Past) -> Vec<Node> {
    (0..past.len()).filter(|node| past[*node]).collect()
}

fn both(one: &Past, other: &Past) -> Past {
    one.iter().zip(other).map(|(a, b)| *a && *b).collect()
}

pub fn shown(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A history from words such as `v:a,b`: node v with the parents a and b.
    pub fn order(words: &str) -> Outcome<Order> {
        let listed: Vec<(Id, BTreeSet<Id>)> = words
            .split(' ')
            .map(|word| {
                let (id, parents) = word.split_once(':').unwrap_or((word, ""));
                let parents = parents.split(',').filter(|parent| !parent.is_empty());
                (
                    id.as_bytes().to_vec(),
                    parents.map(|parent| parent.as_bytes().to_vec()).collect(),
                )
            })
            .collect();
        Ok(Order::of(&listed)?.0)
    }

    fn named(order: &Order, nodes: &[Node]) -> String {
        let mut names: Vec<String> = nodes.iter().map(|node| shown(order.id(*node))).collect();
        names.sort();
        names.join("")
    }

    #[test]
    fn what_is_no_history_is_refused() {
        for words in ["a a", "a:b", "a:a", "a:b b:a", "r a:r,b b:a"] {
            assert!(order(words).is_err(), "{words}");
        }
        assert!(order("b:a a").is_ok());
    }

    #[test]
    fn criss_crossed_heads_have_two_lowest_common_ancestors() {
        let order = order("r a:r b:r c:a,b d:a,b").unwrap();
        let at = |id: &str| order.node(id.as_bytes()).unwrap();
        assert_eq!(named(&order, &order.lca(&[at("c"), at("d")])), "ab");
        assert_eq!(
            named(&order, &order.lca_u(&[at("c")], at("d")).unwrap()),
            "ab"
        );
        assert_eq!(named(&order, &order.lca(&[])), "cd");
        assert_eq!(
            named(&order, &order.maximal(&[at("r"), at("a"), at("b")])),
            "ab"
        );
        assert!(!order.is_anti_chain(&[at("a"), at("a")]));
        assert!(order.lca_u(&[], at("a")).is_err());
    }

    #[test]
    fn one_of_the_merged_nodes_is_enough_for_lcau() {
        let order = order("o u:o a:o b:a v:a").unwrap();
        let at = |id: &str| order.node(id.as_bytes()).unwrap();
        assert_eq!(
            named(&order, &order.lca_u(&[at("u"), at("b")], at("v")).unwrap()),
            "a"
        );
        assert_eq!(named(&order, &order.lca(&[at("u"), at("b"), at("v")])), "o");
    }

    #[test]
    fn redundant_parents_are_not_needed() {
        let order = order("r a:r b:a,r").unwrap();
        let b = order.node(b"b").unwrap();
        assert_eq!(named(&order, &order.needed_parents(b)), "a");
    }
}
