//! The laws on polls, clients and costs: `laws_polls.py`, `laws_clients.py` and `laws_costs.py` of
//! the suite. They say whether a law holds. The suite says how it is broken.

use std::collections::BTreeSet;

use rejoin_port::conflict_detection::definitions::Classification;
use rejoin_port::conflict_detection::folder::{Client, Design, Operations};
use rejoin_port::conflict_detection::local_file::LocalFile;
use rejoin_port::conflict_detection::snapshots::content_capability;
use rejoin_port::json::{Object, Text};

use super::files::{groups, keeps_version, local_files};
use super::ledger::Ledger;
use super::run::{has, Polled, Run, Taken};
use super::truth::{key_of, Bits, Held};

/// Check one step of one design.
pub fn check_step(ledger: &mut Ledger, run: &mut Run, taken: &Taken, event: &Object) -> Held<()> {
    if !taken.polled.is_empty() {
        check_polls(ledger, run, taken)?;
    }
    if !taken.changed.is_empty() {
        check_client(ledger, run, taken)?;
    }
    check_costs(ledger, run, taken, event)?;
    if run.collections > 0 {
        let harmless = ledger.check("garbage-harmless", !run.misses_objects);
        if harmless && taken.refused.as_deref() == Some("missing-object") {
            ledger.broken("garbage-harmless", run.design());
        }
    }
    Ok(())
}

fn check_polls(ledger: &mut Ledger, run: &mut Run, taken: &Taken) -> Held<()> {
    let (polls, sure) = (taken.polled.len(), !run.is_unsure());
    for law in ["no-false-conflict", "no-news-missed", "polls-are-acted-on"] {
        ledger.checks(law, sure, polls);
    }
    let with_version = taken
        .polled
        .iter()
        .filter(|each| each.before.version.is_some())
        .count();
    ledger.checks(
        "no-false-overwrite",
        sure,
        if sure { with_version } else { polls },
    );
    for polled in taken.polled.iter().filter(|_| sure) {
        let (found, expected) = (polled.found, polled.expected);
        if !is_acted_on(run, polled)? {
            ledger.broken_in(run, "polls-are-acted-on", found.name());
        }
        if found == expected {
            continue;
        }
        let is_news = matches!(
            expected,
            Classification::Overwrite | Classification::Conflict
        );
        let law = match found {
            Classification::Overwrite => "no-false-overwrite",
            Classification::Conflict => "no-false-conflict",
            _ if !is_news => "no-false-conflict",
            _ => "no-news-missed",
        };
        let kind = format!("{} taken for {}", expected.name(), found.name());
        ledger.broken_in(run, law, &kind);
    }
    Ok(())
}

fn is_acted_on(run: &mut Run, polled: &Polled) -> Held<bool> {
    let (before, after) = (&polled.before, &polled.after);
    let mut due = match polled.found {
        Classification::Overwrite => {
            let truth = run.truth(&polled.path);
            let version = match &after.begun {
                None => after.version.as_ref(),
                Some(begun) => Some(&begun.link.version),
            };
            version.is_some_and(|version| key_of(version) == polled.key)
                && after.content == truth.contents[truth.number(&polled.key)?]
        }
        _ => keeps_version(before, after) && after.content == before.content,
    };
    if polled.found == Classification::Conflict {
        let held = after.conflicts.get(&polled.other);
        due &= held.is_some_and(|held| key_of(&held.version) == polled.key);
    }
    Ok(due)
}

/// Check every file that the step changed at its client.
fn check_client(ledger: &mut Ledger, run: &mut Run, taken: &Taken) -> Held<()> {
    let looked_at = taken.paths();
    for path in &taken.changed {
        let file = run.file(&taken.client, path)?.clone();
        check_held(ledger, run, path, &file)?;
        if let (Some(before), true) = (taken.old(path), looked_at.contains(&path)) {
            check_gone(ledger, run, taken, path, before, &file)?;
        }
    }
    for path in &taken.dropped {
        if ledger.check("deletions-known", run.set_back.is_empty()) {
            check_dropped(ledger, run, &taken.client, path)?;
        }
    }
    Ok(())
}

/// The client's own version neither is nor follows a version in conflict.
fn check_held(ledger: &mut Ledger, run: &mut Run, path: &Text, file: &LocalFile) -> Held<()> {
    let premise = file.version.is_some() && !file.conflicts.is_empty() && !run.is_unsure();
    if !ledger.check("settled-conflicts-go", premise) {
        return Ok(());
    }
    let current = run.number(path, &file.version)?;
    for held in groups(&run.folder, file) {
        let truth = &run.truths[path];
        if truth.is_behind(truth.number(&key_of(held.version))?, current) {
            ledger.broken("settled-conflicts-go", run.design());
        }
    }
    Ok(())
}

/// The client's own version is or follows every version that it no longer holds.
fn check_gone(
    ledger: &mut Ledger,
    run: &mut Run,
    taken: &Taken,
    path: &Text,
    before: &LocalFile,
    file: &LocalFile,
) -> Held<()> {
    let premise = file.version.is_some() && !run.numbers_repeat;
    if !ledger.check("only-settled-conflicts-go", premise) || before.conflicts.is_empty() {
        return Ok(());
    }
    let current = run.number(path, &file.version)?;
    let in_conflict = |name: &Text| {
        let mut polled = taken.polled.iter();
        polled.any(|each| {
            each.path == *path && each.found == Classification::Conflict && each.other == *name
        })
    };
    for each in groups(&run.folder, before) {
        let key = key_of(each.version);
        let is_held = |name: &Text| {
            let held = file.conflicts.get(name);
            held.is_some_and(|held| key_of(&held.version) == key)
        };
        let is_gone = each
            .clients
            .iter()
            .any(|name| !is_held(name) && !in_conflict(name));
        let truth = &run.truths[path];
        if is_gone && !truth.is_behind(truth.number(&key)?, current) {
            ledger.broken("only-settled-conflicts-go", run.design());
        }
    }
    Ok(())
}

/// All clients that this client polls have had the deletion whose link it removed.
fn check_dropped(ledger: &mut Ledger, run: &mut Run, client: &Text, path: &Text) -> Held<()> {
    let version = run.file(client, path)?.version.clone();
    let this = run.number(path, &version)?;
    let truth = &run.truths[path];
    for other in &run.folder.clients[client].subscriptions {
        let ended = run.ended.contains(&(other.clone(), client.clone()));
        let deletions = if ended { truth.deletions() } else { 1 << this };
        if truth.had(other) & deletions == 0 {
            ledger.broken("deletions-known", run.design());
        }
    }
    Ok(())
}

fn check_costs(ledger: &mut Ledger, run: &Run, taken: &Taken, event: &Object) -> Held<()> {
    if taken.refused.is_some() || !taken.is_there {
        return Ok(());
    }
    ledger.check("costs", true);
    let operations = &taken.operations;
    let mut due = Operations {
        directory_reads: operations.directory_reads,
        ..Operations::default()
    };
    if !taken.uploaded.is_empty() {
        let snapshots = match run.folder.design {
            Design::Snapshots => taken.uploaded.len() as i128,
            Design::VersionMaps => 0,
        };
        due = Operations {
            snapshot_uploads: snapshots,
            directory_updates: 1,
            ..Operations::default()
        };
        for each in &taken.uploaded {
            let content = &run.file(&taken.client, &each.path)?.content;
            due.content_uploads += i128::from(content.is_some());
        }
        if !equal(operations, &due) {
            ledger.broken_in(run, "costs", "local change");
        }
    } else if !taken.polled.is_empty() {
        if polls_cost_more(taken) {
            let found: BTreeSet<&str> = taken.polled.iter().map(|each| each.found.name()).collect();
            let found: Vec<&str> = found.into_iter().collect();
            ledger.broken_in(run, "costs", &found.join(" and "));
        }
    } else {
        due.directory_updates = i128::from(finishes_or_drops(run, taken, event));
        if !equal(operations, &due) {
            ledger.broken_in(run, "costs", "nothing");
        }
    }
    Ok(())
}

fn equal(one: &Operations, other: &Operations) -> bool {
    let all = |each: &Operations| {
        [
            each.content_uploads,
            each.snapshot_uploads,
            each.directory_updates,
            each.snapshot_downloads,
            each.content_downloads,
            each.directory_reads,
        ]
    };
    all(one) == all(other)
}

fn polls_cost_more(taken: &Taken) -> bool {
    let count = |found| {
        taken
            .polled
            .iter()
            .filter(|each| each.found == found)
            .count() as i128
    };
    let overwrites = count(Classification::Overwrite);
    let stopped = taken.polled.iter().any(|each| each.after.begun.is_some());
    let operations = &taken.operations;
    let updates = !taken.dropped.is_empty() || (overwrites > 0 && !stopped);
    operations.content_downloads > overwrites + count(Classification::Conflict)
        || operations.directory_updates != i128::from(updates)
        || operations.directory_reads != 1
        || operations.content_uploads + operations.snapshot_uploads > 0
}

fn finishes_or_drops(run: &Run, taken: &Taken, event: &Object) -> bool {
    if !has(event, "set_back") {
        return taken.finishes_any(run) || !taken.dropped.is_empty();
    }
    let online = run
        .folder
        .clients
        .get(&taken.client)
        .is_some_and(|client| client.online);
    let backup = taken
        .before
        .as_ref()
        .and_then(|before| before.backup.as_ref());
    let mut files = backup.into_iter().flat_map(|files| files.values());
    online && files.any(|file| file.begun.is_some())
}

/// Check that every upload in the design of version maps makes a new map.
pub fn check_uploads(ledger: &mut Ledger, run: &Run, taken: &Taken) {
    for uploaded in &taken.uploaded {
        let premise = !run.numbers_repeat;
        if ledger.check("uploads-differ", premise) && run.truths[&uploaded.path].doubled {
            ledger.broken("uploads-differ", "made twice");
        }
    }
}

/// Compare the results of an event in the two designs.
pub fn check_agreement(ledger: &mut Ledger, runs: &[Run; 2], taken: &[Taken; 2]) {
    let ([run, _], [ours, theirs]) = (runs, taken);
    let unlike = run.doubled || !run.set_back.is_empty() || run.misses_objects || run.met_collected;
    if !ledger.check("designs-agree", !unlike) {
        return;
    }
    if ours.refused != theirs.refused {
        return ledger.broken("designs-agree", "refusal");
    }
    for (one, two) in ours.polled.iter().zip(&theirs.polled) {
        if one.found != two.found {
            let (one, two) = (one.found.name(), two.found.name());
            let kind = format!("{one} in snapshots, {two} in version maps");
            return ledger.broken("designs-agree", kind);
        }
    }
    let files = |run: &Run, taken: &Taken| {
        let client = run.folder.clients.get(&taken.client);
        client
            .map(|client| local_files(&run.folder, client))
            .unwrap_or_default()
    };
    let changed = !(ours.changed.is_empty() && theirs.changed.is_empty());
    if changed && files(run, ours) != files(&runs[1], theirs) {
        ledger.broken("designs-agree", "files");
    }
}

/// Check the files and the directories of all clients at the end of the history.
pub fn check_end(ledger: &mut Ledger, run: &Run) -> Held<()> {
    for (path, truth) in &run.truths {
        let mut kept = 0;
        for (nickname, client) in &run.folder.clients {
            if let Some(file) = client.files.get(path) {
                kept |= kept_by(ledger, run, path, nickname, file)?;
            }
        }
        let all = (0..truth.follows.len()).fold(0, |bits: Bits, number| bits | 1 << number);
        if ledger.check("content-kept", run.set_back.is_empty()) && all & !kept != 0 {
            ledger.broken("content-kept", run.design());
        }
    }
    for client in run.folder.clients.values().filter(|client| client.online) {
        check_links(ledger, run, client);
    }
    Ok(())
}

/// The versions that a client has, or follows, or holds in conflict.
fn kept_by(
    ledger: &mut Ledger,
    run: &Run,
    path: &Text,
    nickname: &Text,
    file: &LocalFile,
) -> Held<Bits> {
    let truth = &run.truths[path];
    let Some(version) = &file.version else {
        return Ok(0);
    };
    let current = truth.number(&key_of(version))?;
    let behind = truth.follows[current] | 1 << current;
    if !ledger.check("nothing-unlearned", !run.numbers_repeat) {
        return Ok(behind);
    }
    if truth.had.get(nickname).ok_or("no version was had")? & !behind != 0 {
        ledger.broken("nothing-unlearned", run.design());
    }
    let mut kept = behind;
    for held in groups(&run.folder, file) {
        let number = truth.number(&key_of(held.version))?;
        if held.content.is_none() == truth.contents[number].is_none() {
            kept |= 1 << number;
        }
    }
    Ok(kept)
}

/// The client's directory links the content of each local file.
fn check_links(ledger: &mut Ledger, run: &Run, client: &Client) {
    let none = LocalFile::default();
    for (path, link) in &run.folder.grid.directories[&client.nickname] {
        let file = client.files.get(path).unwrap_or(&none);
        let told = run.set_back.is_empty() || (run.is_linked(client, path) && !run.numbers_repeat);
        let premise = client.files.contains_key(path) && file.waiting.is_none() && told;
        if ledger.check("link-says-file", premise) {
            let held = file
                .content
                .as_ref()
                .map(|content| content_capability(content));
            if link.content != held {
                ledger.broken("link-says-file", run.design());
            }
        }
    }
}

/// All users see the same files and no conflict file.
pub fn check_settled(ledger: &mut Ledger, run: &Run) {
    if !ledger.check("one-resolver-is-enough", !run.met_collected) {
        return;
    }
    let clients = || run.folder.clients.values();
    let conflicts =
        clients().any(|each| each.files.values().any(|file| !file.conflicts.is_empty()));
    let seen: Vec<_> = clients()
        .map(|client| local_files(&run.folder, client))
        .collect();
    if conflicts || seen.iter().any(|files| *files != seen[0]) {
        let what = if conflicts {
            "conflicts are left"
        } else {
            "files differ"
        };
        ledger.broken_in(run, "one-resolver-is-enough", what);
    }
}
