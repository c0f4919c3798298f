//! The three Rejoin systems in Rust, written from their specifications, as an adapter.

mod adapter;
mod bt;
mod config_merge;
mod conflict_detection;
mod crypto;
mod failure;
mod fields;
mod history_merge;
mod json;
mod json_parser;

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    match adapter::serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rejoin-rust: {error}");
            ExitCode::FAILURE
        }
    }
}
