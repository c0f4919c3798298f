//! The laws on walks and caches: `laws_snapshots.py` of the suite. They keep the whole history of a
//! file: for each snapshot its ancestors, computed from its parents and nothing that a client does.

use std::collections::{BTreeMap, BTreeSet};

use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::Version;
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::snapshots::Capability;
use rejoin_port::json::{Object, Text};

use super::beside::currents;
use super::found::with_local_changes;
use super::ledger::Ledger;
use super::run::{has, Polled, Run, Taken};
use super::truth::{classify_by_closure, numbers_in, Bits, Held, Key};

/// All snapshots of one file, with the numbers of the ground truth. See `WholeHistory`.
#[derive(Default)]
struct WholeHistory {
    numbers: BTreeMap<Capability, usize>,
    parents: BTreeMap<Capability, Vec<Capability>>,
    ancestors: Vec<Bits>,
    cached: BTreeMap<Text, Bits>,
    purged: BTreeMap<Text, Bits>,
}

impl WholeHistory {
    fn number(&self, snapshot: &Capability) -> Held<usize> {
        let known = self.numbers.get(snapshot).copied();
        known.ok_or_else(|| "a snapshot that nobody uploaded".to_string())
    }

    fn add(&mut self, number: usize, capability: Capability, parents: &[Capability]) -> Held<()> {
        if !self.parents.contains_key(&capability) {
            let ancestors = self.with_ancestors(parents)?;
            self.parents.insert(capability, parents.to_vec());
            self.numbers.insert(capability, number);
            self.ancestors.push(ancestors);
        }
        Ok(())
    }

    fn purge<'a>(
        &mut self,
        client: &Text,
        cache: impl IntoIterator<Item = &'a Capability>,
    ) -> Held<(Bits, Bits)> {
        let of = |bits: &BTreeMap<Text, Bits>| bits.get(client).copied().unwrap_or(0);
        let (cached, purged) = (self.bits(cache)?, of(&self.purged));
        let gone = (purged | of(&self.cached)) & !cached;
        self.purged.insert(client.clone(), gone);
        self.cached.insert(client.clone(), cached);
        Ok((cached, purged))
    }

    fn with_ancestors<'a>(
        &self,
        snapshots: impl IntoIterator<Item = &'a Capability>,
    ) -> Held<Bits> {
        let mut bits = 0;
        for each in snapshots {
            let number = self.number(each)?;
            bits |= self.ancestors[number] | 1 << number;
        }
        Ok(bits)
    }

    fn bits<'a>(&self, snapshots: impl IntoIterator<Item = &'a Capability>) -> Held<Bits> {
        let mut bits = 0;
        for each in snapshots {
            bits |= 1 << self.number(each)?;
        }
        Ok(bits)
    }
}

/// The checks of one run. histories: path -> the whole history of the file.
#[derive(Default)]
pub struct SnapshotChecks {
    histories: BTreeMap<Text, WholeHistory>,
}

impl SnapshotChecks {
    /// Check the classifications and the walks of a step, and the caches after it.
    pub fn check(
        &mut self,
        ledger: &mut Ledger,
        run: &mut Run,
        taken: &Taken,
        event: &Object,
    ) -> Held<()> {
        for uploaded in &taken.uploaded {
            let Key::Snapshot(version) = &uploaded.version else {
                return Err("not a snapshot".to_string());
            };
            let number = run.truth(&uploaded.path).number(&uploaded.version)?;
            let parents = run
                .folder
                .grid
                .snapshots
                .get(version)
                .ok_or("no snapshot")?;
            let history = self.histories.entry(uploaded.path.clone()).or_default();
            history.add(number, *version, parents)?;
        }
        if taken.is_there && has(event, "set_back") {
            let files = &run.folder.clients[&taken.client].files;
            for (path, history) in &mut self.histories {
                let cache = files
                    .get(path)
                    .into_iter()
                    .flat_map(|file| file.cache.keys());
                history.purge(&taken.client, cache)?;
            }
        }
        let sure = !run.met_collected;
        ledger.checks("purging-harmless", sure, taken.polled.len());
        for polled in taken.polled.iter().filter(|_| sure) {
            self.check_classification(ledger, run, polled)?;
        }
        if !taken.polled.is_empty() {
            self.check_walks(ledger, run, taken)?;
        }
        for path in taken.paths() {
            if taken.is_there && taken.changed.contains(path) {
                let file = run.file(&taken.client, path)?;
                self.check_cache(ledger, run, &taken.client, path, file)?;
            }
        }
        Ok(())
    }

    fn check_classification(
        &mut self,
        ledger: &mut Ledger,
        run: &Run,
        polled: &Polled,
    ) -> Held<()> {
        let history = self.histories.entry(polled.path.clone()).or_default();
        let ours = match &polled.before.version {
            Some(Version::Snapshot(ours)) => Some(history.number(ours)?),
            _ => None,
        };
        let theirs = history.number(snapshot(&polled.theirs)?)?;
        let found = match classify_by_closure(&history.ancestors, ours, theirs) {
            Classification::Stale if !run.folder.reading.followed_is_stale => {
                Classification::Conflict
            }
            other => other,
        };
        let due = with_local_changes(found, &polled.before);
        if polled.found != due {
            let kind = format!("{} taken for {}", due.name(), polled.found.name());
            ledger.broken("purging-harmless", kind);
        }
        Ok(())
    }

    /// Repeat the walks of a step, check them, and compare the number of downloads.
    fn check_walks(&mut self, ledger: &mut Ledger, run: &Run, taken: &Taken) -> Held<()> {
        let mut downloads = 0;
        for polled in &taken.polled {
            let theirs = snapshot(&polled.theirs)?;
            let cached = polled.before.cache.contains_key(theirs);
            let fetched = match !cached || run.met_collected {
                true => run.requested(polled),
                false => Vec::new(),
            };
            let history = self.histories.entry(polled.path.clone()).or_default();
            downloads += fetched.len() as i128;
            if !ledger.check("walk-once", !cached) {
                continue;
            }
            let exists = fetched.iter().filter(|each| run.is_stored(each));
            let bits = history.bits(exists)?;
            *history.cached.entry(taken.client.clone()).or_default() |= bits;
            ledger.cover(&format!("shape:walk:{}", fetched.len()));
            if history.bits(&fetched)? & !history.with_ancestors([theirs])? != 0 {
                ledger.cover("clause:CD-WALK-COMPLETE");
            }
            if let Some(fault) = fault(history, polled, theirs, &fetched)? {
                ledger.broken("walk-once", fault);
            }
            if let ([parent], Some(Version::Snapshot(ours))) =
                (history.parents[theirs].as_slice(), &polled.before.version)
            {
                if parent == ours && fetched.len() > 1 {
                    ledger.broken("costs", "direct child");
                }
            }
        }
        if downloads != taken.operations.snapshot_downloads {
            ledger.broken("costs", "snapshot downloads");
        }
        Ok(())
    }

    /// Compare a client's cache of a file with the snapshots that the policy demands.
    fn check_cache(
        &mut self,
        ledger: &mut Ledger,
        run: &Run,
        client: &Text,
        path: &Text,
        file: &LocalFile,
    ) -> Held<()> {
        if file.begun.is_some() {
            return Ok(());
        }
        let history = self.histories.entry(path.clone()).or_default();
        let (cached, purged) = history.purge(client, file.cache.keys())?;
        let mut currents = currents(file);
        let (common, demanded) = match &file.version {
            Some(Version::Snapshot(own)) => {
                currents.insert(*own);
                demanded(history, &currents)?
            }
            _ => (0, history.with_ancestors(&currents)?),
        };
        let sure = common & purged == 0 && !run.met_collected;
        if !ledger.check("cache-as-demanded", sure) {
            return Ok(());
        }
        ledger.cover(&format!("shape:cached:{}", cached.count_ones()));
        ledger.cover(&format!("shape:common:{}", common.count_ones()));
        ledger.cover(match (common, currents.len()) {
            (0, _) => "clause:CD-PURGE-NO-COMMON",
            (_, 1) => "clause:CD-PURGE-SYNCHRONIZED",
            _ => "clause:CD-PURGE-INTERMEDIATE",
        });
        if cached != demanded {
            let is_missing = demanded & !cached != 0;
            let kind = if is_missing { "too little" } else { "too much" };
            ledger.broken("cache-as-demanded", kind);
        }
        Ok(())
    }
}

fn snapshot(version: &Version) -> Held<&Capability> {
    match version {
        Version::Snapshot(capability) => Ok(capability),
        Version::Map(_) => Err("not a snapshot".to_string()),
    }
}

fn fault(
    history: &WholeHistory,
    polled: &Polled,
    theirs: &Capability,
    fetched: &[Capability],
) -> Held<Option<&'static str>> {
    let cache = &polled.before.cache;
    let known = history.with_ancestors(cache.keys().chain([theirs]))?;
    Ok(
        if fetched.iter().collect::<BTreeSet<_>>().len() != fetched.len() {
            Some("fetched twice")
        } else if fetched.iter().any(|each| cache.contains_key(each)) {
            Some("fetched what is cached")
        } else if history.bits(fetched)? & !known != 0 {
            Some("fetched what is not needed")
        } else {
            None
        },
    )
}

/// The most recent common ancestors, and the snapshots that the policy keeps.
fn demanded(history: &WholeHistory, currents: &BTreeSet<Capability>) -> Held<(Bits, Bits)> {
    if currents.len() == 1 {
        let current = history.bits(currents)?;
        return Ok((current, current));
    }
    let (mut shared, mut every) = (Bits::MAX, 0);
    for each in currents {
        let ancestry = history.with_ancestors([each])?;
        shared &= ancestry;
        every |= ancestry;
    }
    let superseded = numbers_in(shared).fold(0, |bits, number| bits | history.ancestors[number]);
    let common = shared & !superseded;
    if common == 0 {
        return Ok((0, every));
    }
    let is_after = |number: &usize| (history.ancestors[*number] | 1 << number) & common != 0;
    let demanded = numbers_in(every).filter(is_after);
    Ok((common, demanded.fold(0, |bits, number| bits | 1 << number)))
}
