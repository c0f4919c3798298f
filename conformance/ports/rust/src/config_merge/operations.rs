//! The operations of config merge: from JSON and back.

use std::collections::BTreeMap;

use super::application_data;
use super::client_and_swarm::{Client, Swarm};
use super::conflict_resolution::{resolve, resolve_noting};
use super::diff_updates;
use super::encryption::Cipher;
use super::messages::{checked_window, Context, Rank, DEFAULT_WINDOW};
use super::non_conflicting_updates::update;
use super::outer_metadata::parse;
use super::reading::{self, Reading};
use super::resolve_steps::{Recorder, Step};
use super::signatures;
use super::typed_tree;
use crate::bt;
use crate::crypto::blake2b_32;
use crate::failure::{malformed, refused, Outcome};
use crate::fields::{bytes, object, Input};
use crate::json::Json;

/// The largest size of the report of a scenario, in bytes.
const LARGEST_REPORT: usize = 1 << 20;

pub const NAMES: [&str; 13] = [
    "config-merge/decode",
    "config-merge/encode",
    "config-merge/parse",
    "config-merge/diff",
    "config-merge/apply-diff",
    "config-merge/resolve",
    "config-merge/resolve-steps",
    "config-merge/update",
    "config-merge/sign",
    "config-merge/verify",
    "config-merge/encrypt",
    "config-merge/decrypt",
    "config-merge/scenario",
];

pub fn run(operation: &str, reading: Option<&[u8]>, input: &Json) -> Outcome<Json> {
    let reading = reading::named(reading)?;
    match operation {
        "config-merge/decode" => run_decode(input, reading),
        "config-merge/encode" => run_encode(input),
        "config-merge/parse" => run_parse(input, reading),
        "config-merge/diff" => run_diff(input, reading),
        "config-merge/apply-diff" => run_apply_diff(input, reading),
        "config-merge/resolve" => run_resolve(input, reading),
        "config-merge/resolve-steps" => run_resolve_steps(input, reading),
        "config-merge/update" => run_update(input, reading),
        "config-merge/sign" => run_sign(input, reading),
        "config-merge/verify" => run_verify(input, reading),
        "config-merge/encrypt" => run_encrypt(input, reading),
        "config-merge/decrypt" => run_decrypt(input, reading),
        "config-merge/scenario" => run_scenario(input, reading),
        _ => malformed("unsupported operation"),
    }
}

fn run_decode(input: &Json, reading: &Reading) -> Outcome<Json> {
    let encoded = Input::of(input, &["encoded"])?.bytes("encoded")?;
    let value = bt::decode(&encoded, reading.strict_encoding)?.value;
    Ok(Json::object([("value", typed_tree::to_json(&value))]))
}

fn run_encode(input: &Json) -> Outcome<Json> {
    let value = typed_tree::from_json(Input::of(input, &["value"])?.get("value")?)?;
    Ok(Json::object([("encoded", Json::hex(&bt::encode(&value)))]))
}

fn run_parse(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &["message", "window", "verify_key"])?;
    let message = parse(&input.bytes("message")?, &context(&input, reading)?)?;
    let lagged = message
        .rows
        .iter()
        .map(|row| {
            Json::object([
                ("seqno", Json::text(&row.rank.seqno.to_string())),
                ("hash", Json::hex(&row.rank.hash)),
                ("diff", Json::hex(&diff_updates::encode(&row.diff))),
            ])
        })
        .collect();
    Ok(Json::object([
        ("seqno", Json::text(&message.rank.seqno.to_string())),
        ("hash", Json::hex(&message.rank.hash)),
        ("data", Json::hex(&application_data::encode(&message.data))),
        ("diff", Json::hex(&diff_updates::encode(&message.diff))),
        ("lagged", Json::List(lagged)),
    ]))
}

fn run_diff(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["old", "new"])?;
    let old = application_data::decode(&input.bytes("old")?, reading)?;
    let new = application_data::decode(&input.bytes("new")?, reading)?;
    let diff = diff_updates::encode(&diff_updates::make(&old, &new));
    Ok(Json::object([("diff", Json::hex(&diff))]))
}

fn run_apply_diff(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["data", "diff", "source"])?;
    let mut data = application_data::decode(&input.bytes("data")?, reading)?;
    let diff = diff_updates::decode(&input.bytes("diff")?, reading)?;
    let source = application_data::decode(&input.bytes("source")?, reading)?;
    diff_updates::apply(&mut data, &diff, &source, reading);
    application_data::prune(&mut data);
    Ok(Json::object([(
        "data",
        Json::hex(&application_data::encode(&data)),
    )]))
}

fn run_resolve(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &["messages", "window", "signing_key", "verify_key"])?;
    let resolved = resolve(&messages(&input)?, &context(&input, reading)?)?;
    let ignored = resolved
        .ignored
        .iter()
        .map(|(index, why)| {
            Json::object([
                ("index", Json::Int(*index as i128)),
                ("why", Json::text(why.name())),
            ])
        })
        .collect();
    Ok(Json::object([
        ("message", Json::hex(&resolved.plaintext)),
        ("merged", Json::Bool(resolved.merged)),
        ("ignored", Json::List(ignored)),
    ]))
}

/// CM-STEPS-LIST
fn run_resolve_steps(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &["messages", "window", "signing_key", "verify_key"])?;
    let mut recorder = Recorder::keeping();
    let context = context(&input, reading)?;
    resolve_noting(&messages(&input)?, &context, &mut recorder)?;
    let steps = recorder.steps().iter().map(step_json).collect();
    Ok(Json::object([("steps", Json::List(steps))]))
}

fn step_json(step: &Step) -> Json {
    let (name, clause) = step.name();
    let seqno = |seqno: i64| ("seqno", Json::text(&seqno.to_string()));
    let hash = |rank: &Rank| ("hash", Json::hex(&rank.hash));
    let ranks = |ranks: &[Rank]| {
        let each = |rank: &Rank| Json::object([seqno(rank.seqno), hash(rank)]);
        Json::List(ranks.iter().map(each).collect())
    };
    let fields = match step {
        Step::Ignore(index, why) => vec![
            ("index", Json::Int(*index as i128)),
            ("why", Json::text(why.name())),
        ],
        Step::Survivors(messages) => vec![("messages", ranks(messages))],
        Step::Result(rank, _) => vec![seqno(rank.seqno), hash(rank)],
        Step::Seqno(newseqno) => vec![seqno(*newseqno)],
        Step::Base(rank, data) => {
            vec![seqno(rank.seqno), hash(rank), ("data", Json::hex(data))]
        }
        Step::Replay(replay) => vec![
            seqno(replay.entry.seqno),
            hash(&replay.entry),
            ("diff", Json::hex(&replay.diff)),
            ("source", Json::hex(&replay.source)),
            ("data", Json::hex(&replay.data)),
        ],
        Step::Prune(data) => vec![("data", Json::hex(data))],
        Step::Keep(rows) => vec![("rows", ranks(rows))],
        Step::Message(message) => vec![("message", Json::hex(message))],
    };
    let named = [("step", Json::text(name)), ("clause", Json::text(clause))];
    let fields = named.into_iter().chain(fields);
    Json::Object(fields.map(|(name, value)| (name.into(), value)).collect())
}

fn run_update(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let known = ["messages", "data", "window", "signing_key", "verify_key"];
    let input = Input::of(input, &known)?;
    let context = context(&input, reading)?;
    let data = application_data::decode_new(&input.bytes("data")?, reading)?;
    let made = update(&messages(&input)?, &data, &context)?;
    Ok(Json::object([("message", Json::hex(&made))]))
}

fn run_sign(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &["message", "signing_key", "window"])?;
    let seed = key(&input.bytes("signing_key")?)?;
    let message = parse(&input.bytes("message")?, &unsigned(&input, reading)?)?;
    Ok(Json::object([(
        "message",
        Json::hex(&signatures::sign(&message, &seed)),
    )]))
}

fn run_verify(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let input = Input::of(input, &["message", "verify_key", "window"])?;
    let key = key(&input.bytes("verify_key")?)?;
    let message = parse(&input.bytes("message")?, &unsigned(&input, reading)?)?;
    Ok(Json::object([(
        "valid",
        Json::Bool(signatures::is_by(&message, &key)),
    )]))
}

fn run_encrypt(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["plaintext", "key", "domain"])?;
    let stored = cipher(&input, reading)?.encrypt(&input.bytes("plaintext")?)?;
    Ok(Json::object([("ciphertext", Json::hex(&stored))]))
}

fn run_decrypt(input: &Json, reading: &Reading) -> Outcome<Json> {
    let input = Input::of(input, &["ciphertext", "key", "domain"])?;
    let plaintext = cipher(&input, reading)?.decrypt(&input.bytes("ciphertext")?)?;
    Ok(Json::object([("plaintext", Json::hex(&plaintext))]))
}

fn run_scenario(input: &Json, reading: &'static Reading) -> Outcome<Json> {
    let known = [
        "clients",
        "key",
        "steps",
        "domain",
        "window",
        "deletion_permitted",
        "signing_keys",
        "verify_key",
    ];
    let input = Input::of(input, &known)?;
    let cipher = cipher(&input, reading)?;
    let deletes = !matches!(
        input.optional("deletion_permitted"),
        Some(Json::Bool(false))
    );
    let mut swarm = Swarm::default();
    let mut clients: BTreeMap<Vec<u8>, Client> = BTreeMap::new();
    for name in input.texts("clients")? {
        let mut context = context(&input, reading)?;
        if let Some(keys) = input.optional("signing_keys") {
            let seed = object(keys)?.get(name);
            context.signing_key = seed.map(|seed| key(&bytes(seed)?)).transpose()?;
        }
        clients.insert(name.to_vec(), Client::new(context));
    }
    let names: usize = clients.keys().map(Vec::len).sum();
    let mut size = 0;
    let mut steps = Vec::new();
    for step in input.list("steps")? {
        act(step, &mut clients, &mut swarm, &cipher, deletes, reading)?;
        size += names + 32 * (clients.len() + swarm.forms().count());
        check_report(size)?;
        steps.push(report(&clients, &swarm));
    }
    for client in clients.values() {
        size += client.head.as_ref().map_or(0, |head| head.plaintext.len());
        size += application_data::encode(&client.data()).len();
        check_report(size)?;
    }
    let of_each = |describe: &dyn Fn(&Client) -> Json| {
        Json::Object(
            clients
                .iter()
                .map(|(name, client)| (name.clone(), describe(client)))
                .collect(),
        )
    };
    Ok(Json::object([
        ("steps", Json::List(steps)),
        (
            "heads",
            of_each(&|client| match &client.head {
                Some(head) => Json::hex(&head.plaintext),
                None => Json::Null,
            }),
        ),
        (
            "data",
            of_each(&|client| Json::hex(&application_data::encode(&client.data()))),
        ),
        (
            "stored",
            Json::List(swarm.forms().map(|stored| Json::hex(stored)).collect()),
        ),
    ]))
}

/// Refuse a scenario whose report has grown too large (CM-CLIENT-REPORT).
fn check_report(size: usize) -> Outcome<()> {
    match size > LARGEST_REPORT {
        true => refused("report-too-large"),
        false => Ok(()),
    }
}

fn act(
    step: &Json,
    clients: &mut BTreeMap<Vec<u8>, Client>,
    swarm: &mut Swarm,
    cipher: &Cipher,
    deletes: bool,
    reading: &Reading,
) -> Outcome<()> {
    let known = [
        "client",
        "edit",
        "push",
        "fetch",
        "resolve",
        "store",
        "store_raw",
    ];
    let step = Input::of(step, &known)?;
    if step.has("store") {
        swarm.store(cipher.encrypt(&step.bytes("store")?)?);
        return Ok(());
    }
    if step.has("store_raw") {
        swarm.store(step.bytes("store_raw")?);
        return Ok(());
    }
    let Some(client) = clients.get_mut(step.text("client")?) else {
        return refused("input");
    };
    if step.has("edit") {
        client.edit(application_data::decode_new(&step.bytes("edit")?, reading)?);
        Ok(())
    } else if step.has("push") {
        client.push(swarm, cipher, deletes)
    } else if step.has("fetch") {
        client.fetch(swarm, cipher);
        Ok(())
    } else if step.has("resolve") {
        client.resolve()
    } else {
        malformed("an unknown step")
    }
}

fn report(clients: &BTreeMap<Vec<u8>, Client>, swarm: &Swarm) -> Json {
    let heads = clients
        .iter()
        .map(|(name, client)| {
            let head = match &client.head {
                None => Json::Null,
                Some(head) => Json::object([
                    ("seqno", Json::text(&head.rank.seqno.to_string())),
                    ("hash", Json::hex(&head.rank.hash)),
                ]),
            };
            (name.clone(), head)
        })
        .collect();
    let mut hashes: Vec<_> = swarm.forms().map(|stored| blake2b_32(stored)).collect();
    hashes.sort_unstable();
    Json::object([
        ("heads", Json::Object(heads)),
        (
            "stored",
            Json::List(hashes.iter().map(|hash| Json::hex(hash)).collect()),
        ),
    ])
}

/// The context that an input describes with `window`, `signing_key` and `verify_key`.
fn context(input: &Input, reading: &'static Reading) -> Outcome<Context> {
    let optional_key = |name| -> Outcome<Option<[u8; 32]>> {
        input
            .optional_bytes(name)?
            .map(|bytes| key(&bytes))
            .transpose()
    };
    Ok(Context {
        verify_key: optional_key("verify_key")?,
        signing_key: optional_key("signing_key")?,
        ..unsigned(input, reading)?
    })
}

/// The window of an input, or the default one, and no keys.
fn unsigned(input: &Input, reading: &'static Reading) -> Outcome<Context> {
    let window = match input.has("window") {
        true => checked_window(input.int("window")?)?,
        false => DEFAULT_WINDOW,
    };
    Ok(Context {
        reading,
        window,
        verify_key: None,
        signing_key: None,
    })
}

fn key(bytes: &[u8]) -> Outcome<[u8; 32]> {
    match bytes.try_into() {
        Ok(key) => Ok(key),
        Err(_) => refused("input"),
    }
}

fn cipher(input: &Input, reading: &Reading) -> Outcome<Cipher> {
    let domain = input.optional_bytes("domain")?;
    Cipher::new(&input.bytes("key")?, domain.as_deref(), reading)
}

fn messages(input: &Input) -> Outcome<Vec<Vec<u8>>> {
    input.list("messages")?.iter().map(bytes).collect()
}
