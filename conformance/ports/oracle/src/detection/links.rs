//! The law on links to deletions: `laws_links.py` of the suite. It records what each client saw from
//! the steps alone, and uses nothing that the port records for the same purpose.

use std::collections::{BTreeMap, BTreeSet};

use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::json::{Object, Text};

use super::files::keeps_version;
use super::ledger::Ledger;
use super::run::{has, polled_by, text, Run, Taken};
use super::truth::{key_of, Held, Key};

/// What one client saw of one file.
#[derive(Default)]
struct Sight {
    last: BTreeMap<Text, Key>,
    missing: BTreeSet<Text>,
    since: Option<BTreeSet<Text>>,
}

impl Sight {
    fn has(&self, other: &Text, deletion: &Key) -> bool {
        let since = self.since.as_ref();
        self.last.get(other) == Some(deletion)
            || (self.missing.contains(other) && since.is_none_or(|since| since.contains(other)))
    }

    fn see(&mut self, other: &Text, version: Key, certain: bool) {
        self.last.insert(other.clone(), version);
        self.missing.remove(other);
        if let (true, Some(since)) = (certain, &mut self.since) {
            since.insert(other.clone());
        }
    }

    fn forget(&mut self, other: &Text) {
        self.last.remove(other);
        self.missing.remove(other);
        if let Some(since) = &mut self.since {
            since.remove(other);
        }
    }
}

/// The checks of one run. sights: (client, path) -> what the client saw of the file.
#[derive(Default)]
pub struct LinkChecks {
    sights: BTreeMap<(Text, Text), Sight>,
}

impl LinkChecks {
    /// Record what the client of a step saw, and check the links that the step removed.
    pub fn check(
        &mut self,
        ledger: &mut Ledger,
        run: &mut Run,
        taken: &Taken,
        event: &Object,
    ) -> Held<()> {
        if taken.refused.is_some() || !taken.is_there || !taken.is_step {
            return Ok(());
        }
        if run.numbers_repeat || run.set_back.contains(&taken.client) {
            ledger.check("links-dropped-exactly", false);
            return Ok(());
        }
        if let Ok(other) = text(event, "unsubscribe") {
            for ((nickname, _), sight) in &mut self.sights {
                if *nickname == taken.client {
                    sight.forget(other);
                }
            }
        }
        for path in &taken.changed {
            let Some(before) = taken.old(path) else {
                continue;
            };
            let after = run.file(&taken.client, path)?.clone();
            if !keeps_version(before, &after) && is_deletion(run, path, before)? {
                self.sight(taken, path).since = Some(BTreeSet::new());
            }
            if let Some(version) = taken.finished(run, path) {
                self.finish(run, taken, path, before, key_of(version))?;
            }
        }
        let looked = looked_at(taken, event);
        self.look(run, taken, event, &looked)?;
        for path in looked.union(&taken.changed) {
            if taken.linked.contains(path) {
                self.check_link(ledger, run, taken, path, looked.contains(path))?;
            }
        }
        Ok(())
    }

    fn sight(&mut self, taken: &Taken, path: &Text) -> &mut Sight {
        self.sights
            .entry((taken.client.clone(), path.clone()))
            .or_default()
    }

    fn look(
        &mut self,
        run: &mut Run,
        taken: &Taken,
        event: &Object,
        looked: &BTreeSet<Text>,
    ) -> Held<()> {
        let Some(other) = polled_by(event) else {
            return Ok(());
        };
        for path in looked {
            let Some(polled) = taken.polled.iter().find(|each| each.path == *path) else {
                let sight = self.sight(taken, path);
                if sight.last.contains_key(other) {
                    sight.missing.insert(other.clone());
                }
                continue;
            };
            let version = run.file(&taken.client, path)?.version.as_ref();
            let ours = version.is_some_and(|version| key_of(version) == polled.key);
            let certain = ours || !run.truth(path).is_deletion(&polled.key)?;
            self.sight(taken, path)
                .see(other, polled.key.clone(), certain);
        }
        Ok(())
    }

    /// Record the version of an interrupted overwrite as seen, when the client finishes it.
    fn finish(
        &mut self,
        run: &mut Run,
        taken: &Taken,
        path: &Text,
        before: &LocalFile,
        key: Key,
    ) -> Held<()> {
        let begun = before.begun.as_ref().ok_or("no overwrite")?;
        let subscribed = run.folder.clients[&taken.client]
            .subscriptions
            .contains(&begun.other);
        let deletion = run.truth(path).is_deletion(&key)?;
        let sight = self.sight(taken, path);
        if subscribed {
            sight.see(&begun.other, key, true);
        }
        if before.waiting.is_some() && deletion {
            sight.since = Some(BTreeSet::new());
        }
        Ok(())
    }

    /// Check one link of a client after a step.
    fn check_link(
        &mut self,
        ledger: &mut Ledger,
        run: &mut Run,
        taken: &Taken,
        path: &Text,
        polled_now: bool,
    ) -> Held<()> {
        let file = run.file(&taken.client, path)?.clone();
        ledger.check("links-dropped-exactly", true);
        let before = taken.old(path).ok_or("no file")?;
        let mut due = polled_now && keeps_version(before, &file) && is_deletion(run, path, &file)?;
        let client = &run.folder.clients[&taken.client];
        if let (true, Some(version)) = (due, &file.version) {
            let this = key_of(version);
            let sight = self.sight(taken, path);
            due = client
                .subscriptions
                .iter()
                .all(|other| sight.has(other, &this));
        }
        if due == run.is_linked(client, path) {
            let what = if due {
                "keeps its link to"
            } else {
                "removes its link to"
            };
            ledger.broken_in(run, "links-dropped-exactly", what);
        }
        Ok(())
    }
}

/// Whether the file's version is a deletion, by the ground truth.
fn is_deletion(run: &mut Run, path: &Text, file: &LocalFile) -> Held<bool> {
    match &file.version {
        Some(version) => run.truth(path).is_deletion(&key_of(version)),
        None => Ok(false),
    }
}

/// The paths that a poll looked at. A client that stops during an overwrite records what it saw when
/// it finishes the overwrite.
fn looked_at(taken: &Taken, event: &Object) -> BTreeSet<Text> {
    let stopped = taken.polled.iter().any(|each| each.after.begun.is_some());
    let before = taken
        .before
        .as_ref()
        .filter(|before| before.online && !stopped);
    let Some(before) = before else {
        return BTreeSet::new();
    };
    if let (true, Ok(path)) = (has(event, "poll"), text(event, "file")) {
        return BTreeSet::from([path.clone()]);
    }
    if has(event, "poll_all") {
        let polled = taken.polled.iter().map(|each| &each.path);
        return before.files.keys().chain(polled).cloned().collect();
    }
    BTreeSet::new()
}
