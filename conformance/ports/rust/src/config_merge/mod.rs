//! Config merge: resolves a list of competing config messages to one message.

mod application_data;
mod client_and_swarm;
mod conflict_resolution;
mod diff_updates;
mod encryption;
mod expired_rows;
mod ignored_updates;
mod messages;
mod non_conflicting_updates;
pub mod operations;
mod outer_metadata;
mod reading;
mod resolve_steps;
mod signatures;
mod typed_tree;

#[cfg(test)]
mod worked_example;
