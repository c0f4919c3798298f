//! What a history covers: `coverage.py` of the suite.

use std::collections::BTreeSet;

use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::json::Object;

use super::files::groups;
use super::ledger::Ledger;
use super::run::{has, Polled, Run, Taken};
use super::truth::{Held, Key};

const OVERWRITE: [&str; 6] = [
    "poll:overwrite",
    "clause:CD-CLASSIFY-OVERWRITE",
    "clause:CD-OVERWRITE-APPLY",
    "clause:CD-LINK-DOWNLOAD",
    "clause:CD-COST-OVERWRITE",
    "clause:CD-MAP-OVERWRITE",
];
const CONFLICT: [&str; 5] = [
    "poll:conflict",
    "clause:CD-CLASSIFY-CONFLICT",
    "clause:CD-CONFLICT-APPLY",
    "clause:CD-COST-CONFLICT",
    "clause:CD-MAP-CONFLICT",
];
const STALE: [&str; 3] = [
    "poll:stale",
    "clause:CD-CLASSIFY-STALE",
    "clause:CD-COST-NOTHING",
];
const SAME: [&str; 4] = [
    "poll:same",
    "clause:CD-CLASSIFY-SAME",
    "clause:CD-MAP-SAME",
    "clause:CD-COST-NOTHING",
];

/// Count what one event covered in the design of snapshots. keys: those of the event itself.
pub fn cover_step(
    ledger: &mut Ledger,
    run: &Run,
    taken: &Taken,
    event: &Object,
    keys: &[String],
) -> Held<()> {
    if let Some(refused) = &taken.refused {
        ledger.cover(&format!("ignored:{refused}"));
        if refused == "offline" {
            ledger.cover("clause:CD-OFFLINE-SEES-NOTHING");
        }
        return Ok(());
    }
    keys.iter().for_each(|key| ledger.cover(key));
    if !taken.uploaded.is_empty() {
        if has(event, "online") {
            ledger.cover("clause:CD-OFFLINE-ONE-UPLOAD");
        }
        cover_uploads(ledger, run, taken, event)?;
    }
    cover_mishaps(ledger, run, taken, event);
    for polled in &taken.polled {
        cover_poll(ledger, run, polled);
    }
    if !has(event, "set_back") {
        for path in &taken.dropped {
            ledger.cover("clause:CD-DELETE-DROP-LINK");
            cover_drop(ledger, run, taken, path)?;
        }
    }
    Ok(())
}

fn cover_mishaps(ledger: &mut Ledger, run: &Run, taken: &Taken, event: &Object) {
    for polled in &taken.polled {
        if polled.before.waiting.is_some() && polled.found == Classification::Conflict {
            ledger.cover("clause:CD-OVERWRITE-UNSAVED");
            if polled.before.version.is_none() {
                ledger.cover("unsaved:before-the-first-version");
            }
        }
        if polled.after.begun.is_some() {
            ledger.cover("stopped:during-an-overwrite");
        }
    }
    for path in &taken.changed {
        if taken.finished(run, path).is_some() {
            ledger.cover("clause:CD-OVERWRITE-INTERRUPTED");
            let changed = taken
                .old(path)
                .is_some_and(|before| before.waiting.is_some());
            ledger.cover(match changed {
                true => "finished:and-uploads",
                false => "finished:unchanged",
            });
        }
    }
    if has(event, "set_back") {
        ledger.cover("clause:CD-SET-BACK");
        ledger.cover(match taken.changed.is_empty() {
            true => "set-back:to-the-same-files",
            false => "set-back:to-other-files",
        });
    }
}

fn cover_drop(ledger: &mut Ledger, run: &Run, taken: &Taken, path: &Vec<u8>) -> Held<()> {
    let client = &run.folder.clients[&taken.client];
    let file = run.file(&taken.client, path)?;
    let is_missing = |other: &Vec<u8>| file.seen.get(other).is_some_and(|seen| !seen.linked);
    let missing = client.subscriptions.iter().any(is_missing);
    ledger.cover(match missing {
        true => "drop:a-link-is-missing",
        false => "drop:all-links-are-seen",
    });
    let beside = run
        .beside
        .get(&taken.client)
        .and_then(|files| files.get(path));
    if beside.is_some_and(|beside| beside.certain.is_some()) {
        ledger.cover("drop:after-an-earlier-deletion");
        if missing {
            ledger.cover("drop:after-an-earlier-deletion-and-a-link-is-missing");
        }
    }
    if client.subscriptions.is_empty() {
        ledger.cover("drop:nobody-is-polled");
    } else if client.subscriptions.len() < run.folder.clients.len() - 1 {
        ledger.cover("drop:not-everyone-is-polled");
    }
    Ok(())
}

fn cover_poll(ledger: &mut Ledger, run: &Run, polled: &Polled) {
    let keys: &[&str] = match polled.found {
        Classification::Overwrite => &OVERWRITE,
        Classification::Conflict => &CONFLICT,
        Classification::Stale => &STALE,
        Classification::Same => &SAME,
    };
    keys.iter().for_each(|key| ledger.cover(key));
    if polled.before.version.is_none() {
        ledger.cover("clause:CD-CLASSIFY-FIRST");
        ledger.cover("clause:CD-WALK-FIRST");
    }
    let before = groups(&run.folder, &polled.before);
    let after = groups(&run.folder, &polled.after);
    if after.len() < before.len() {
        ledger.cover("clause:CD-CONFLICT-FILE-GONE");
        if before
            .iter()
            .any(|each| !each.clients.contains(&&polled.other))
        {
            ledger.cover("clause:CD-RESOLVE-THIRD-PARTY");
        }
    } else if after.len() == before.len() {
        let is_same = after.iter().zip(&before).all(|(one, other)| one.is(other));
        if !is_same {
            ledger.cover("clause:CD-CONFLICT-FILE-UPDATED");
        }
    }
    if !after.is_empty() {
        if after.iter().any(|each| each.content.is_none()) {
            ledger.cover("clause:CD-CONFLICT-FILE-DELETION");
        }
        ledger.cover(&format!("shape:held:{}", after.len()));
        ledger.cover("clause:CD-CONFLICT-FILE-PER-CLIENT");
    }
    if run.truths[&polled.path].doubled {
        ledger.cover("shape:doubled:yes");
    }
}

fn cover_uploads(ledger: &mut Ledger, run: &Run, taken: &Taken, event: &Object) -> Held<()> {
    for uploaded in &taken.uploaded {
        let Key::Snapshot(version) = &uploaded.version else {
            return Err("not a snapshot".to_string());
        };
        let cache = &run.file(&taken.client, &uploaded.path)?.cache;
        let parents = cache.get(version).ok_or("not cached")?.len();
        ledger.cover(&format!("shape:parents:{parents}"));
        if parents > 2 {
            ledger.cover("clause:CD-RESOLVE-SEVERAL");
        }
        if has(event, "join") {
            let versions = run.truths[&uploaded.path].follows.len();
            ledger.covers("clause:CD-LOCAL-MERGE-CONFLICT", i64::from(versions > 1));
        }
    }
    Ok(())
}

/// Count the shape of the whole history.
pub fn cover_end(ledger: &mut Ledger, run: &Run) {
    ledger.cover(&format!("shape:clients:{}", run.folder.clients.len()));
    for truth in run.truths.values() {
        ledger.cover(&format!("shape:versions:{}", rounded(truth.follows.len())));
        let heads = truth.current.values().collect::<BTreeSet<_>>().len();
        ledger.cover(&format!("shape:heads:{heads}"));
    }
}

/// A number below 10 unchanged, and a larger one rounded down to its first two bits.
fn rounded(number: usize) -> usize {
    match number {
        0..10 => number,
        _ => {
            let step = 1 << (number.ilog2() - 1);
            number / step * step
        }
    }
}
