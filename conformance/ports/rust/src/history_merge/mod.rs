//! History merge: the state of a forked session history.

pub mod acceptance;
mod answer_size;
pub mod complete_algorithm;
mod heads_fold;
pub mod integers;
mod lines;
mod merge_steps;
pub mod operational_edges;
pub mod operations;
pub mod partial_orders;
pub mod simple_derivation;
pub mod three_way_merge;
