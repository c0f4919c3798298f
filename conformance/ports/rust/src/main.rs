//! The three Rejoin systems as an adapter.

use std::io;
use std::process::ExitCode;

use rejoin_port::adapter;

fn main() -> ExitCode {
    match adapter::serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rejoin-rust: {error}");
            ExitCode::FAILURE
        }
    }
}
