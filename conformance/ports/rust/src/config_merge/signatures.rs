//! Signatures of messages. Section "Signatures".

use super::outer_metadata::Message;
use crate::crypto;

/// The signed message with these bytes before its signature.
pub fn signed(covered: &[u8], seed: &[u8; 32]) -> Vec<u8> {
    let signature = crypto::sign(seed, covered);
    [covered, b"1:~64:", &signature, b"e"].concat()
}

/// Sign a message; replaces its signature (CM-SIGN-REPLACE).
pub fn sign(message: &Message, seed: &[u8; 32]) -> Vec<u8> {
    signed(&message.plaintext[..message.signed_length], seed)
}

/// Whether the message has a signature by this key (CM-SIGN-VERIFY).
pub fn is_by(message: &Message, key: &[u8; 32]) -> bool {
    let covered = &message.plaintext[..message.signed_length];
    message
        .signature
        .is_some_and(|signature| crypto::verifies(key, covered, &signature))
}
