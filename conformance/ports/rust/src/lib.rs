//! The three Rejoin systems in Rust, written from their specifications.

pub mod adapter;
mod bt;
mod config_merge;
pub mod conflict_detection;
mod crypto;
pub mod failure;
pub mod fields;
pub mod history_merge;
pub mod json;
pub mod json_parser;
