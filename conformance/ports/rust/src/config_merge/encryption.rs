//! The stored form of a message. Section "Encryption".

use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use super::reading::Reading;
use crate::crypto::{blake2b_24_keyed, blake2b_32};
use crate::failure::{refused, Outcome};

const NONCE_KEY: &[u8] = b"libsession-config-nonce-hash-key";
const NONCE_KEY_PREFIX: &[u8] = b"libsessionutil-config-encrypted-";
const NONCE: usize = 24;
const TAG: usize = 16;

/// The keys for messages of one kind of config.
#[derive(Debug)]
pub struct Cipher {
    key: [u8; 32],
    /// None if the reading ignores domains.
    domain: Option<Vec<u8>>,
}

impl Cipher {
    pub fn new(key: &[u8], domain: Option<&[u8]>, reading: &Reading) -> Outcome<Cipher> {
        let Ok(key) = key.try_into() else {
            return refused("bad-key-length");
        };
        let domain = match (reading.nonce_domain_separated, domain) {
            (false, _) => None,
            (true, Some(domain)) if (1..=24).contains(&domain.len()) => Some(domain.to_vec()),
            (true, _) => return refused("bad-domain"),
        };
        Ok(Cipher { key, domain })
    }

    fn cipher_for(&self, plaintext_length: usize) -> XChaCha20Poly1305 {
        let key = match &self.domain {
            None => self.key,
            Some(domain) => {
                let length = (plaintext_length as u64).to_be_bytes();
                blake2b_32(&[&self.key[..], &length, domain].concat())
            }
        };
        XChaCha20Poly1305::new(Key::from_slice(&key))
    }

    fn nonce_of(&self, plaintext: &[u8]) -> Outcome<[u8; NONCE]> {
        let nonce = match &self.domain {
            None => blake2b_24_keyed(NONCE_KEY, plaintext),
            Some(domain) => blake2b_24_keyed(&[NONCE_KEY_PREFIX, domain].concat(), plaintext),
        };
        match nonce {
            Some(nonce) => Ok(nonce),
            None => refused("bad-domain"),
        }
    }

    pub fn encrypt(&self, plaintext: &[u8]) -> Outcome<Vec<u8>> {
        let nonce = self.nonce_of(plaintext)?;
        let cipher = self.cipher_for(plaintext.len());
        match cipher.encrypt(XNonce::from_slice(&nonce), plaintext) {
            Ok(mut stored) => {
                stored.extend(nonce);
                Ok(stored)
            }
            Err(_) => refused("input"),
        }
    }

    pub fn decrypt(&self, stored: &[u8]) -> Outcome<Vec<u8>> {
        if stored.len() < TAG + NONCE {
            return refused("ciphertext-too-short");
        }
        let (ciphertext, nonce) = stored.split_at(stored.len() - NONCE);
        let cipher = self.cipher_for(ciphertext.len() - TAG);
        match cipher.decrypt(XNonce::from_slice(nonce), ciphertext) {
            Ok(plaintext) => Ok(plaintext),
            Err(_) => refused("decryption-failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reading::{DOCUMENT, LIBSESSION};
    use super::*;

    #[test]
    fn what_is_encrypted_can_be_decrypted_until_it_is_changed() {
        for (domain, reading) in [(None, &DOCUMENT), (Some(&b"group"[..]), &LIBSESSION)] {
            let cipher = Cipher::new(&[7; 32], domain, reading).unwrap();
            let mut stored = cipher.encrypt(b"text").unwrap();
            assert_eq!(stored.len(), 44);
            assert_eq!(cipher.decrypt(&stored).unwrap(), b"text");
            for at in 0..stored.len() {
                stored[at] ^= 1;
                assert!(cipher.decrypt(&stored).is_err());
                stored[at] ^= 1;
            }
            assert!(cipher.decrypt(&stored[..39]).is_err());
        }
    }

    #[test]
    fn keys_and_domains_have_their_lengths() {
        assert!(Cipher::new(&[0; 31], None, &DOCUMENT).is_err());
        for (domain, fits) in [(0, false), (1, true), (24, true), (25, false)] {
            let domain = vec![b'd'; domain];
            assert_eq!(
                Cipher::new(&[0; 32], Some(&domain), &LIBSESSION).is_ok(),
                fits
            );
        }
    }
}
