//! How a request can fail: the protocol refuses its input, or it cannot be run at all.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The protocol under test refuses the input, with a code of the spec. `about` names the input.
    Refused { code: &'static str, about: String },
    /// This program cannot run the request. This is not a refusal.
    Malformed(String),
}

pub type Outcome<T> = Result<T, Failure>;

pub fn refused<T>(code: &'static str) -> Outcome<T> {
    refused_about(code, "")
}

pub fn refused_about<T>(code: &'static str, about: impl Into<String>) -> Outcome<T> {
    let about = about.into();
    Err(Failure::Refused { code, about })
}

pub fn malformed<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Failure::Malformed(message.into()))
}
