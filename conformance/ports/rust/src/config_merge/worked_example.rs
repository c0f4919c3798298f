//! The beginning of the worked example: messages 118 to 123, with the hashes in the spec.

use super::application_data;
use super::diff_updates::{make, Diff};
use super::messages::{Context, DEFAULT_WINDOW};
use super::non_conflicting_updates::update;
use super::outer_metadata::{parse, write, Draft};
use super::reading::{DOCUMENT, LIBSESSION};
use crate::bt;
use crate::crypto::blake2b_32;

const BASE: &[u8] = b"d5:dictBd7:changedi-1e3:fooi123e7:removed1:x8:removed21:ye\
5:dictCd1:xd1:yi1eee4:goodli99ei456e3:bare5:greatli-42e3:omge4:int0i-9999e4:int1i100e\
7:string15:hello7:string27:goodbyee";

#[test]
fn the_hashes_are_those_of_the_specification() {
    for reading in [&DOCUMENT, &LIBSESSION] {
        let context = Context {
            reading,
            window: DEFAULT_WINDOW,
            verify_key: None,
            signing_key: None,
        };
        let data = application_data::decode(BASE, reading).unwrap();
        let draft = Draft {
            seqno: 118,
            data: &data,
            rows: &[],
            diff: &make(&Default::default(), &data),
            unknown: &bt::Dict::new(),
        };
        let mut message = write(&draft, &context);
        let mut hashes = vec![hex::encode(blake2b_32(&message))];
        assert_eq!(message.len(), 357);
        for _ in 119..=122 {
            message = update(&[message], &data, &context).unwrap();
            hashes.push(hex::encode(blake2b_32(&message)));
        }
        let changed = String::from_utf8(BASE.to_vec())
            .unwrap()
            .replace("4:int0i-9999e4:int1i100e", "4:int1i1e4:int2i2e");
        let changed = application_data::decode(changed.as_bytes(), reading).unwrap();
        message = update(&[message], &changed, &context).unwrap();
        hashes.push(hex::encode(blake2b_32(&message)));
        assert_eq!(
            hashes,
            [
                "61dcd65d0b84f56777dad6343088bc42a8c66d32aca0ee9a2e4843ff64d86a3b",
                "43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44",
                "e3a237f91014d31e4d30569c4a8bfcd72157804f99b8732c611c48bf126432b5",
                "1a7f602055124deaf21175ef3f32983dee7c9de570e5d9c9a0bbc2db71dcb97f",
                "46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a",
                "d9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c",
            ]
        );
        let parsed = parse(&message, &context).unwrap();
        assert_ne!(parsed.diff, Diff::new());
        assert_eq!(parsed.rows.len(), 4);
    }
}
