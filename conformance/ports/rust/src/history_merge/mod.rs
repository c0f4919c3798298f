//! History merge: the state of a forked session history.

mod acceptance;
mod answer_size;
mod complete_algorithm;
mod heads_fold;
mod integers;
mod lines;
mod merge_steps;
mod operational_edges;
pub mod operations;
mod partial_orders;
mod simple_derivation;
mod three_way_merge;
