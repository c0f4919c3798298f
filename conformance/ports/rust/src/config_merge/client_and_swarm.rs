//! Clients that fetch, resolve, edit and push, and the swarm between them. Section "Client and
//! swarm".

use std::collections::{BTreeMap, BTreeSet};

use super::application_data::{prune, Dict};
use super::conflict_resolution::resolve;
use super::diff_updates;
use super::encryption::Cipher;
use super::messages::{Context, Rank};
use super::non_conflicting_updates::update;
use super::outer_metadata::parse;
use crate::failure::{refused, Outcome};

/// The stored forms on the servers, each once.
#[derive(Default)]
pub struct Swarm {
    in_order: Vec<Vec<u8>>,
    all: BTreeSet<Vec<u8>>,
}

impl Swarm {
    /// CM-SWARM-DEDUPLICATE
    pub fn store(&mut self, form: Vec<u8>) {
        if self.all.insert(form.clone()) {
            self.in_order.push(form);
        }
    }

    fn delete(&mut self, form: &Vec<u8>) {
        if self.all.remove(form) {
            self.in_order.retain(|each| each != form);
        }
    }

    /// The stored forms in the order of their bytes.
    pub fn forms(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.all.iter()
    }
}

pub struct Client {
    context: Context,
    /// Stored form -> plaintext of the messages that the client knows.
    known: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Whether the client has fetched something, readable or not.
    has_fetched: bool,
    pub head: Option<Head>,
    /// The edited data. The edit was made on the data of the head.
    edit: Option<Dict>,
    /// The forms that were decrypted since the last resolve, in order of arrival (CM-E69).
    arrived: Vec<Vec<u8>>,
    /// The forms that the client took for those of its heads since its last push.
    taken_for_head: Vec<Vec<u8>>,
}

pub struct Head {
    pub plaintext: Vec<u8>,
    pub rank: Rank,
    data: Dict,
    /// The messages that the head merges, if the head has not been pushed.
    merge_of: Option<Vec<Vec<u8>>>,
}

impl Client {
    pub fn new(context: Context) -> Client {
        Client {
            context,
            known: BTreeMap::new(),
            has_fetched: false,
            head: None,
            edit: None,
            arrived: Vec::new(),
            taken_for_head: Vec::new(),
        }
    }

    fn head_data(&self) -> Dict {
        self.head
            .as_ref()
            .map(|head| head.data.clone())
            .unwrap_or_default()
    }

    /// The data that the client's application sees.
    pub fn data(&self) -> Dict {
        self.edit.clone().unwrap_or_else(|| self.head_data())
    }

    fn set_head(&mut self, plaintext: Vec<u8>, merge_of: Option<Vec<Vec<u8>>>) -> Outcome<()> {
        let message = parse(&plaintext, &self.context)?;
        self.head = Some(Head {
            plaintext,
            rank: message.rank,
            data: message.data,
            merge_of,
        });
        Ok(())
    }

    /// CM-CLIENT-EDIT-KEPT: an edit back to the data of the head is not an edit.
    pub fn edit(&mut self, data: Dict) {
        self.edit = (data != self.head_data()).then_some(data);
    }

    /// CM-CLIENT-FETCH
    pub fn fetch(&mut self, swarm: &Swarm, cipher: &Cipher) {
        self.has_fetched |= !swarm.in_order.is_empty();
        for stored in &swarm.in_order {
            if let Ok(plaintext) = cipher.decrypt(stored) {
                if self.known.insert(stored.clone(), plaintext).is_none() {
                    self.arrived.push(stored.clone());
                }
            }
        }
    }

    fn known_plaintexts(&self) -> Vec<Vec<u8>> {
        self.known.values().cloned().collect()
    }

    fn knows_a_valid_message(&self) -> bool {
        let mut known = self.known.values();
        known.any(|plaintext| parse(plaintext, &self.context).is_ok())
    }

    /// CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT
    pub fn resolve(&mut self) -> Outcome<()> {
        let arrived = std::mem::take(&mut self.arrived);
        if !self.knows_a_valid_message() {
            return Ok(());
        }
        let own = self.unpushed_merge_added();
        let mut messages = self.known_plaintexts();
        messages.extend(own.iter().map(|(plaintext, _)| plaintext.clone()));
        let resolved = resolve(&messages, &self.context)?;
        let before = self.head_data();
        if self.context.reading.head_form_by_place && !resolved.merged {
            let taken = self.form_at_place_of(&resolved.plaintext, arrived)?;
            self.taken_for_head.extend(taken);
        }
        let merge_of = match own {
            Some((plaintext, merge_of)) if plaintext == resolved.plaintext => Some(merge_of),
            _ => resolved.merged.then_some(messages),
        };
        self.set_head(resolved.plaintext, merge_of)?;
        if let Some(edited) = self.edit.take() {
            let mut data = self.head_data();
            let diff = diff_updates::make(&before, &edited);
            diff_updates::apply(&mut data, &diff, &edited, self.context.reading);
            prune(&mut data);
            self.edit(data);
        }
        Ok(())
    }

    /// The unpushed merge and the messages that it merges, if a resolve takes it (CM-E72).
    fn unpushed_merge_added(&self) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let head = self.head.as_ref()?;
        let merge_of = head.merge_of.clone()?;
        let added = self.context.reading.unpushed_merge_added;
        added.then(|| (head.plaintext.clone(), merge_of))
    }

    /// The stored form at the place of a survivor, in a list that begins with the head. The place
    /// counts only valid messages (CM-E69).
    fn form_at_place_of(&self, survivor: &[u8], arrived: Vec<Vec<u8>>) -> Outcome<Option<Vec<u8>>> {
        let survivor = parse(survivor, &self.context)?.rank;
        let mut listed: Vec<(Option<Rank>, Option<Vec<u8>>)> = Vec::new();
        if let Some(head) = &self.head {
            listed.push((Some(head.rank), None));
        }
        for form in arrived {
            let message = parse(&self.known[&form], &self.context);
            listed.push((message.ok().map(|message| message.rank), Some(form)));
        }
        let mut valid = listed.iter().filter_map(|(rank, _)| rank.as_ref());
        let place = valid.position(|rank| *rank == survivor);
        Ok(place.and_then(|place| listed[place].1.clone()))
    }

    /// CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE
    pub fn push(&mut self, swarm: &mut Swarm, cipher: &Cipher, deletes: bool) -> Outcome<()> {
        let pushed = match (&self.edit, &self.head) {
            (None, Some(head)) if head.merge_of.is_some() => head.plaintext.clone(),
            (None, _) => return Ok(()),
            (Some(_), _) if self.context.cannot_sign() => return refused("signing-key-missing"),
            // CM-CLIENT-UNREADABLE
            (Some(_), None) if self.has_fetched && !self.knows_a_valid_message() => return Ok(()),
            (Some(data), head) => {
                let onto = match head {
                    None => Vec::new(),
                    Some(head) => match &head.merge_of {
                        Some(messages) => messages.clone(),
                        None => vec![head.plaintext.clone()],
                    },
                };
                update(&onto, data, &self.context)?
            }
        };
        let stored = cipher.encrypt(&pushed)?;
        if deletes {
            for obsolete in self.obsoleted_by(&pushed)? {
                swarm.delete(&obsolete);
            }
            for taken in &self.taken_for_head {
                swarm.delete(taken);
            }
        }
        self.taken_for_head.clear();
        swarm.store(stored.clone());
        self.known.insert(stored, pushed.clone());
        self.set_head(pushed, None)?;
        self.edit = None;
        Ok(())
    }

    /// The stored forms that a batch with this message deletes (CM-CLIENT-BATCH).
    fn obsoleted_by(&self, pushed: &[u8]) -> Outcome<Vec<Vec<u8>>> {
        let new = parse(pushed, &self.context)?;
        let named: BTreeSet<Rank> = new.rows.iter().map(|row| row.rank).collect();
        let is_obsolete = |plaintext: &[u8]| match parse(plaintext, &self.context) {
            Ok(known) => {
                !self.context.within(known.rank.seqno, new.rank.seqno)
                    || named.contains(&known.rank)
            }
            Err(_) => false,
        };
        Ok(self
            .known
            .iter()
            .filter(|(_, plaintext)| is_obsolete(plaintext))
            .map(|(stored, _)| stored.clone())
            .collect())
    }
}
