//! The operations of conflict detection: from JSON and back.

use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{check_nickname, Classification};
use super::deletion::{leased, renew, Leases};
use super::local_cache::kept;
use super::old_design::run_old_design;
use super::overwrite_and_conflict::{classify_snapshot, fetched};
use super::reading::{self, Reading};
use super::scenario::{run_scenario, run_scenario_steps};
use super::snapshots::{content_capability, Snapshot};
use super::version_dag::{check_known, checked, follows, Dag};
use super::version_maps::{classify_version_map, join, resolved, uploaded, VersionMap, MAX_NUMBER};
use crate::failure::{malformed, refused, Outcome};
use crate::fields::{bytes, int, object, text, Input};
use crate::json::{Json, Text};

pub const NAMES: [&str; 14] = [
    "conflict-detection/follows",
    "conflict-detection/classify-snapshot",
    "conflict-detection/walk",
    "conflict-detection/purge",
    "conflict-detection/collect-garbage",
    "conflict-detection/snapshot-id",
    "conflict-detection/sign-snapshot",
    "conflict-detection/verify-snapshot",
    "conflict-detection/classify-version-map",
    "conflict-detection/join-version-maps",
    "conflict-detection/upload-version-map",
    "conflict-detection/scenario",
    "conflict-detection/scenario-steps",
    "conflict-detection/old-design",
];

pub fn run(operation: &str, reading: Option<&[u8]>, input: &Json) -> Outcome<Json> {
    let reading = reading::named(reading)?;
    match operation {
        "conflict-detection/follows" => run_follows(input),
        "conflict-detection/classify-snapshot" => run_classify_snapshot(input, reading),
        "conflict-detection/walk" => run_walk(input, reading),
        "conflict-detection/purge" => run_purge(input),
        "conflict-detection/collect-garbage" => run_collect_garbage(input),
        "conflict-detection/snapshot-id" => run_snapshot_id(input),
        "conflict-detection/sign-snapshot" => run_sign_snapshot(input),
        "conflict-detection/verify-snapshot" => run_verify_snapshot(input),
        "conflict-detection/classify-version-map" => run_classify_version_map(input, reading),
        "conflict-detection/join-version-maps" => run_join_version_maps(input),
        "conflict-detection/upload-version-map" => run_upload_version_map(input, reading),
        "conflict-detection/scenario" => run_scenario(input, reading),
        "conflict-detection/scenario-steps" => run_scenario_steps(input, reading),
        "conflict-detection/old-design" => run_old_design(input),
        _ => malformed(format!("unsupported operation {operation}")),
    }
}

fn run_follows(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["versions", "later", "earlier"])?;
    let dag = dag(&input, "versions")?;
    let (later, earlier) = (
        input.text("later")?.to_vec(),
        input.text("earlier")?.to_vec(),
    );
    check_known(&dag, [&later, &earlier])?;
    Ok(Json::object([(
        "follows",
        Json::Bool(follows(&dag, &later, &earlier)),
    )]))
}

fn run_classify_snapshot(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["snapshots", "local", "remote"])?;
    let dag = dag(&input, "snapshots")?;
    let (local, remote) = (
        text_or_null(&input, "local")?,
        input.text("remote")?.to_vec(),
    );
    check_known(&dag, local.iter().chain([&remote]))?;
    let found = classify_snapshot(&dag, local.as_ref(), &remote, reading);
    Ok(classification(found))
}

fn run_walk(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["snapshots", "cached", "local", "remote"])?;
    let grid = dag(&input, "snapshots")?;
    let (local, remote) = (
        text_or_null(&input, "local")?,
        input.text("remote")?.to_vec(),
    );
    let mut cached: BTreeSet<Text> = owned(&input.texts("cached")?).into_iter().collect();
    cached.extend(local.clone());
    check_known(&grid, cached.iter().chain([&remote]))?;
    let downloaded = fetched(&grid, &cached, local.as_ref(), &remote);
    let mut known = grid;
    known.retain(|snapshot, _| cached.contains(snapshot) || downloaded.contains(snapshot));
    let found = classify_snapshot(&known, local.as_ref(), &remote, reading);
    Ok(Json::object([
        ("downloaded", texts_json(downloaded)),
        ("classification", Json::text(found.name())),
    ]))
}

fn run_purge(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["snapshots", "currents"])?;
    let dag = dag(&input, "snapshots")?;
    let currents = object(input.get("currents")?)?;
    for nickname in currents.keys() {
        check_nickname(nickname)?;
    }
    let currents: BTreeSet<Text> = currents
        .values()
        .map(|current| Ok(text(current)?.to_vec()))
        .collect::<Outcome<_>>()?;
    check_known(&dag, &currents)?;
    let kept = kept(&dag, &currents);
    Ok(Json::object([
        ("common_ancestors", texts_json(kept.common_ancestors)),
        ("kept", texts_json(kept.snapshots)),
    ]))
}

fn run_collect_garbage(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["snapshots", "renewals", "now"])?;
    let dag = dag(&input, "snapshots")?;
    let mut renewals = Vec::new();
    for renewal in input.list("renewals")? {
        let renewal = Input::of(renewal, &["links", "until"])?;
        let links = owned(&renewal.texts("links")?);
        check_known(&dag, &links)?;
        renewals.push((renewal.int("until")?, links));
    }
    // The latest come first, because they leave less to the others.
    renewals.sort_by_key(|(until, _)| -until);
    let mut leases = Leases::new();
    for (until, links) in renewals {
        renew(&mut leases, &dag, links, until);
    }
    let kept = leased(&leases, input.int("now")?);
    Ok(Json::object([("kept", texts_json(kept))]))
}

fn run_snapshot_id(input: &Json) -> Outcome<Json> {
    let snapshot = snapshot(&Input::of(input, &["content", "parents"])?)?;
    let content = snapshot
        .content
        .map_or(Json::Null, |content| Json::hex(&content));
    Ok(Json::object([
        ("content_id", content),
        ("encoded", Json::hex(&snapshot.encoded())),
        ("id", Json::hex(&snapshot.capability())),
    ]))
}

fn run_sign_snapshot(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["content", "parents", "signing_key"])?;
    let Ok(seed) = <[u8; 32]>::try_from(input.bytes("signing_key")?) else {
        return refused("bad-key");
    };
    let signed = snapshot(&input)?.signed(&seed);
    let said = |bytes: &Option<Vec<u8>>| Json::hex(bytes.as_deref().unwrap_or_default());
    Ok(Json::object([
        ("author", said(&signed.author)),
        ("signature", said(&signed.signature)),
        ("id", Json::hex(&signed.capability())),
    ]))
}

fn run_verify_snapshot(input: &Json) -> Outcome<Json> {
    let input = Input::of(input, &["content", "parents", "author", "signature"])?;
    let mut snapshot = snapshot(&input)?;
    snapshot.author = input.optional_bytes("author")?;
    snapshot.signature = input.optional_bytes("signature")?;
    Ok(Json::object([(
        "valid",
        Json::Bool(snapshot.is_signature_valid()?),
    )]))
}

fn run_classify_version_map(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["local", "remote"])?;
    let local = match input.get("local")? {
        Json::Null => None,
        local => Some(version_map(local)?),
    };
    let remote = version_map(input.get("remote")?)?;
    Ok(classification(classify_version_map(
        local.as_ref(),
        &remote,
        reading,
    )))
}

fn run_join_version_maps(input: &Json) -> Outcome<Json> {
    let maps = Input::of(input, &["maps"])?.list("maps")?.iter();
    let maps: Vec<VersionMap> = maps.map(version_map).collect::<Outcome<_>>()?;
    Ok(Json::object([("map", map_json(&join(&maps)))]))
}

fn run_upload_version_map(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["nickname", "local", "removed"])?;
    let nickname = input.text("nickname")?.to_vec();
    check_nickname(&nickname)?;
    let local = version_map(input.get("local")?)?;
    let mut removed = BTreeMap::new();
    if let Some(maps) = input.optional("removed") {
        for (other, map) in object(maps)? {
            check_nickname(other)?;
            removed.insert(other.clone(), version_map(map)?);
        }
    }
    let map = uploaded(&resolved(&local, &removed, reading), &nickname)?;
    Ok(Json::object([("map", map_json(&map))]))
}

fn classification(found: Classification) -> Json {
    Json::object([("classification", Json::text(found.name()))])
}

fn owned(texts: &[&[u8]]) -> Vec<Text> {
    texts.iter().map(|text| text.to_vec()).collect()
}

fn texts_json(texts: impl IntoIterator<Item = Text>) -> Json {
    Json::List(texts.into_iter().map(Json::Text).collect())
}

fn text_or_null(input: &Input, name: &str) -> Outcome<Option<Text>> {
    match input.get(name)? {
        Json::Null => Ok(None),
        other => Ok(Some(text(other)?.to_vec())),
    }
}

fn dag(input: &Input, field: &str) -> Outcome<Dag<Text>> {
    let mut versions = Vec::new();
    for version in input.list(field)? {
        let version = Input::of(version, &["id", "parents"])?;
        let id = version.text("id")?.to_vec();
        versions.push((id, owned(&version.texts("parents")?)));
    }
    checked(versions)
}

fn snapshot(input: &Input) -> Outcome<Snapshot> {
    let content = match input.get("content")? {
        Json::Null => None,
        content => Some(content_capability(&bytes(content)?)),
    };
    let mut parents = Vec::new();
    for parent in input.list("parents")? {
        match bytes(parent)?.try_into() {
            Ok(parent) => parents.push(parent),
            Err(_) => return refused("bad-capability"),
        }
    }
    Snapshot::new(content, parents)
}

/// A version map. Refuses an invalid number or nickname.
fn version_map(json: &Json) -> Outcome<VersionMap> {
    let mut map = VersionMap::new();
    for (nickname, number) in object(json)? {
        check_nickname(nickname)?;
        match i64::try_from(int(number)?) {
            Ok(number) if (0..=MAX_NUMBER).contains(&number) => {
                map.insert(nickname.clone(), number)
            }
            _ => return refused("version-number"),
        };
    }
    Ok(map)
}

pub fn map_json(map: &VersionMap) -> Json {
    let entries = map.iter();
    Json::Object(
        entries
            .map(|(nickname, number)| (nickname.clone(), Json::Int(i128::from(*number))))
            .collect(),
    )
}
