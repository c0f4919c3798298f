//! BLAKE2b and Ed25519, as two of the systems use them.

use blake2::digest::consts::{U24, U32};
use blake2::digest::{Digest, FixedOutput, KeyInit, Update};
use blake2::{Blake2b, Blake2bMac};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

pub type Hash = [u8; 32];

/// BLAKE2b with a digest of 32 bytes, unkeyed.
pub fn blake2b_32(bytes: &[u8]) -> Hash {
    Blake2b::<U32>::digest(bytes).into()
}

/// BLAKE2b with a digest of 24 bytes, keyed; none for a key of more than 64 bytes.
pub fn blake2b_24_keyed(key: &[u8], bytes: &[u8]) -> Option<[u8; 24]> {
    let mut state = <Blake2bMac<U24> as KeyInit>::new_from_slice(key).ok()?;
    state.update(bytes);
    Some(state.finalize_fixed().into())
}

/// The signature by the key with this seed.
pub fn sign(seed: &[u8; 32], message: &[u8]) -> [u8; 64] {
    SigningKey::from_bytes(seed).sign(message).to_bytes()
}

pub fn public_key(seed: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(seed).verifying_key().to_bytes()
}

/// Whether a signature is valid. It is not if its scalar is not below the group order, or if
/// the key is not a point of the curve.
pub fn verifies(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    match VerifyingKey::from_bytes(key) {
        Ok(key) => key
            .verify_strict(message, &Signature::from_bytes(signature))
            .is_ok(),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032, section 7.1, test 1.
    #[test]
    fn ed25519_signs_as_the_rfc_shows() {
        let seed: [u8; 32] =
            hex::decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
                .unwrap()
                .try_into()
                .unwrap();
        let signature = sign(&seed, b"");
        assert_eq!(
            hex::encode(public_key(&seed)),
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        );
        assert!(hex::encode(signature).starts_with("e5564300c360ac729086e2cc806e828a"));
        assert!(verifies(&public_key(&seed), b"", &signature));
        assert!(!verifies(&public_key(&seed), b"x", &signature));
    }

    #[test]
    fn digests_have_their_length_as_a_parameter() {
        assert_eq!(
            hex::encode(blake2b_32(b"")),
            "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
        );
        let keyed = blake2b_24_keyed(b"k", b"").unwrap();
        assert_ne!(keyed[..], blake2b_32(b"")[..24]);
        assert_eq!(blake2b_24_keyed(&[0; 65], b""), None);
    }
}
