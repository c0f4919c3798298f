//! Signatures of messages. Section "Signatures".

use super::outer_metadata::Message;
use crate::crypto;

/// The message whose bytes up to the signature are these, with its signature and end.
pub fn signed(covered: &[u8], seed: &[u8; 32]) -> Vec<u8> {
    let signature = crypto::sign(seed, covered);
    [covered, b"1:~64:", &signature, b"e"].concat()
}

/// Sign a message; a signature that it carries is replaced (CM-SIGN-REPLACE).
pub fn sign(message: &Message, seed: &[u8; 32]) -> Vec<u8> {
    signed(&message.plaintext[..message.signed_length], seed)
}

/// Whether the message carries a signature by this key (CM-SIGN-VERIFY).
pub fn is_by(message: &Message, key: &[u8; 32]) -> bool {
    let covered = &message.plaintext[..message.signed_length];
    message
        .signature
        .is_some_and(|signature| crypto::verifies(key, covered, &signature))
}
