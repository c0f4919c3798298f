/**
 * The old design, the baseline of both designs, with one file: what it decides, what the
 * definitions require, and what it costs.
 *
 * @typedef {object} Version
 * @property {string} content
 * @property {string | undefined} lastDownloaded  what its client had last downloaded
 * @property {number[]} follows  the version that its client had
 */
import { checkFields, listOf, textOf } from '../fields.js';
import { refuse } from '../refusal.js';
import { checkNickname, follows } from './definitions.js';

const UPLOAD = 2;
const DOWNLOAD = 1;
const NOTHING = { classification: null, required: null };

/** @param {any} input */
export function oldDesign(input) {
  checkFields(input, ['clients', 'steps']);
  const clients = new Map();
  for (const nickname of listOf(input.clients, textOf)) {
    checkNickname(nickname);
    if (clients.has(nickname)) refuse('client-exists', 'a client twice');
    clients.set(nickname, { seen: new Map() });
  }
  /** @type {Version[]} */
  const versions = [];
  const named = (nickname) => clients.get(nickname) ?? refuse('unknown-client', 'no such client');

  const steps = listOf(input.steps, (step) => {
    const isEdit = Object.hasOwn(Object(step), 'edit');
    checkFields(step, ['client', isEdit ? 'edit' : 'poll']);
    return isEdit
      ? edit(named(textOf(step.client)), textOf(step.edit))
      : poll(textOf(step.client), textOf(step.poll));
  });
  return { steps };

  function edit(client, content) {
    const lastVersion = client.version;
    versions.push({
      content,
      lastDownloaded: client.lastDownloaded,
      follows: lastVersion === undefined ? [] : [lastVersion],
    });
    client.version = versions.length - 1;
    client.linked = client.version;
    client.lastUploaded = content;
    return { ...NOTHING, total: UPLOAD };
  }

  function poll(nickname, other) {
    const client = named(nickname);
    if (nickname === other) refuse('own-directory', 'a client polls itself');
    const { linked } = named(other);
    if (linked === undefined || client.seen.get(other) === linked) return { ...NOTHING, total: 0 };
    const classification = isOverwrite(client, versions[linked]) ? 'overwrite' : 'conflict';
    const required = requiredFor(client.version, linked);
    client.lastDownloaded = versions[linked].content;
    client.seen.set(other, linked);
    if (classification === 'overwrite') client.version = linked;
    return { classification, required, total: DOWNLOAD };
  }

  function requiredFor(ours, theirs) {
    const parentsOf = (version) => versions[version].follows;
    if (ours === undefined || follows(parentsOf, theirs, ours)) return 'overwrite';
    if (ours === theirs) return 'same';
    return follows(parentsOf, ours, theirs) ? 'stale' : 'conflict';
  }
}

function isOverwrite(client, { lastDownloaded }) {
  if (client.version === undefined) return true;
  return lastDownloaded !== undefined && lastDownloaded === client.lastUploaded;
}
