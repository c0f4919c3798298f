//! How a request can fail: the protocol refuses its input, or it cannot be run at all.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The protocol under test refuses the input.
    Refused(String),
    /// This program cannot run the request. This is not a refusal.
    Malformed(String),
}

pub type Outcome<T> = Result<T, Failure>;

pub fn refused<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(Failure::Refused(reason.into()))
}

pub fn malformed<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Failure::Malformed(message.into()))
}
