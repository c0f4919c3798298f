//! Snapshots: their fields, encoding, identity and signatures. Sections "Snapshots" and "Signed
//! snapshots".

use std::collections::BTreeSet;

use crate::bt::{encode, encode_dict, Dict, Value};
use crate::crypto::{blake2b_32, public_key, sign, verifies, Hash};
use crate::failure::{refused, Outcome};

/// The identity of a content or a snapshot.
pub type Capability = Hash;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// None in a deletion.
    pub content: Option<Capability>,
    pub parents: Vec<Capability>,
    pub author: Option<Vec<u8>>,
    pub signature: Option<Vec<u8>>,
}

/// CD-SNAPSHOT-CONTENT-ID
pub fn content_capability(content: &[u8]) -> Capability {
    blake2b_32(&encode(&Value::Str(content.to_vec())))
}

impl Snapshot {
    /// An unsigned snapshot.
    pub fn new(content: Option<Capability>, parents: Vec<Capability>) -> Outcome<Snapshot> {
        if content.is_none() && parents.is_empty() {
            return refused("empty-snapshot");
        }
        if parents.iter().collect::<BTreeSet<_>>().len() != parents.len() {
            return refused("duplicate-parent");
        }
        Ok(Snapshot {
            content,
            parents,
            author: None,
            signature: None,
        })
    }

    /// CD-SNAPSHOT-ENCODING
    pub fn encoded(&self) -> Vec<u8> {
        let mut dict = Dict::new();
        for (number, parent) in self.parents.iter().enumerate() {
            let key = format!("parent{number}").into_bytes();
            dict.insert(key, Value::Str(parent.to_vec()));
        }
        let content = self.content.map(|content| content.to_vec());
        let others = [
            ("content", &content),
            ("author", &self.author),
            ("signature", &self.signature),
        ];
        for (key, value) in others {
            if let Some(value) = value {
                dict.insert(key.as_bytes().to_vec(), Value::Str(value.clone()));
            }
        }
        encode_dict(&dict)
    }

    /// CD-SNAPSHOT-ID
    pub fn capability(&self) -> Capability {
        blake2b_32(&self.encoded())
    }

    pub fn signed(mut self, seed: &[u8; 32]) -> Snapshot {
        self.author = Some(public_key(seed).to_vec());
        self.signature = None;
        self.signature = Some(sign(seed, &self.encoded()).to_vec());
        self
    }

    /// Whether the author signed it. Refuses if only one of author and signature is given.
    pub fn is_signature_valid(&self) -> Outcome<bool> {
        let (author, signature) = match (&self.author, &self.signature) {
            (Some(author), Some(signature)) => (author, signature),
            (None, None) => return Ok(false),
            _ => return refused("half-signed"),
        };
        let Ok(key) = <[u8; 32]>::try_from(author.as_slice()) else {
            return refused("bad-key");
        };
        let Ok(signature) = <[u8; 64]>::try_from(signature.as_slice()) else {
            return Ok(false);
        };
        let mut covered = self.clone();
        covered.signature = None;
        Ok(verifies(&key, &covered.encoded(), &signature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_byte_order() {
        let parents = (0..11).map(|number| [number; 32]).collect();
        let encoded = Snapshot::new(Some([9; 32]), parents).unwrap().encoded();
        let text = String::from_utf8(encoded).unwrap();
        assert!(text.starts_with("d7:content32:"));
        assert!(text.find("parent10") < text.find("parent2"));
    }

    #[test]
    fn a_signature_covers_the_author_and_all_else() {
        let snapshot = Snapshot::new(None, vec![[1; 32]]).unwrap();
        let signed = snapshot.clone().signed(&[7; 32]);
        assert_eq!(signed.is_signature_valid(), Ok(true));
        assert_ne!(signed.capability(), snapshot.capability());
        let mut other = signed.clone();
        other.parents = vec![[2; 32]];
        assert_eq!(other.is_signature_valid(), Ok(false));
        other.signature = None;
        assert!(other.is_signature_valid().is_err());
        assert_eq!(snapshot.is_signature_valid(), Ok(false));
    }

    #[test]
    fn neither_content_nor_parents_is_no_snapshot() {
        assert!(Snapshot::new(None, vec![]).is_err());
        assert!(Snapshot::new(None, vec![[1; 32], [1; 32]]).is_err());
    }
}
