/**
 * Subscriptions and polls.
 *
 * @typedef {import('./clients.js').Client} Client
 * @typedef {import('./clients.js').Costs} Costs
 * @typedef {import('./clients.js').Folder} Folder
 */
import { refuse } from '../refusal.js';
import { MARK, checkPath } from './definitions.js';
import { compareTexts } from './texts.js';

export function subscribe(folder, client, nickname) {
  const other = folder.client(nickname);
  if (other === client) refuse('own-directory', 'a client does not subscribe to itself');
  if (client.subscriptions.has(nickname)) refuse('already-subscribed', 'there already');
  client.subscriptions.add(nickname);
}

export function unsubscribe(client, nickname) {
  if (!client.subscriptions.delete(nickname)) refuse('not-subscribed', 'no subscription');
  for (const file of client.files.values()) file.forget(nickname);
}

/** @returns {Client} the other client, which is polled */
function polled(folder, client, nickname) {
  const other = folder.client(nickname);
  if (!client.subscriptions.has(nickname)) {
    refuse(other === client ? 'own-directory' : 'not-subscribed', 'no subscription');
  }
  return other;
}

/**
 * @param {Folder} folder
 * @param {Client} client
 * @param {string} nickname
 * @param {string} path
 * @param {Costs} costs
 * @param {boolean} [stops]  whether the client stops, during an overwrite before it links the version
 * @returns {import('./definitions.js').Classification | null}
 */
export function poll(folder, client, nickname, path, costs, stops) {
  checkPath(path);
  const other = polled(folder, client, nickname);
  if (!client.online) return null;
  costs.directory_reads = 1;
  const found = look(client, other, path, costs, stops);
  if (stops) client.online = false;
  return found;
}

/** @returns {[string, import('./definitions.js').Classification][]} for each path that is linked */
export function pollAll(folder, client, nickname, costs) {
  const other = polled(folder, client, nickname);
  if (!client.online) return [];
  costs.directory_reads = 1;
  const paths = [...new Set([...other.directory.keys(), ...client.files.keys()])];
  paths.sort(compareTexts);
  const found = paths.map((path) => [path, look(client, other, path, costs)]);
  return found.filter(([, classification]) => classification !== null);
}

/** Looks at one path in another directory, and acts on what is there. */
function look(client, other, path, costs, stops = false) {
  const link = other.directory.get(path);
  costs.note('look', { client, other, path, link });
  if (link === undefined) {
    const seen = client.files.get(path)?.seen.get(other.nickname);
    if (seen !== undefined) seen.linked = false;
    dropLinkToDeletion(client, path, costs);
    return null;
  }
  const { design } = client;
  const file = client.file(path);
  const { version, content } = link;
  const cache = new Set(file.cache);
  costs.snapshot_downloads += design.fetch(cache, file.version, version);
  const first = file.version === null;
  costs.note('fetch', { fetched: added(cache, file.cache), first });
  const found = design.classify(file.version, version, cache);
  costs.note('classify', { found, first });
  const blocked = content !== null && client.isBlocked(path);
  const overwrites = found === 'overwrite' && file.pending === null && !blocked;
  if (found === 'overwrite' && !overwrites) {
    costs.note('reclassify', { unsaved: file.pending !== null });
  }
  if (file.version === null && (!overwrites || file.conflicts.held.length > 0)) {
    const before = new Set(cache);
    costs.snapshot_downloads += design.fetchAncestors(cache, version);
    costs.note('fetch', { fetched: added(cache, before), held: true });
  }
  if (overwrites) {
    download(file, content, costs, design);
    costs.note('overwrite', { content });
    file.content = content;
    file.begun = { other: other.nickname, link, cache };
    if (!stops) finishOverwrite(client, path, costs);
    return found;
  }
  const classification = found === 'overwrite' ? 'conflict' : found;
  file.cache = cache;
  if (classification === 'conflict') {
    const writes = !client.isBlocked(`${path}${MARK}${other.nickname}`);
    const written = writes ? content : null;
    if (!file.conflicts.hasFile(other.nickname, version)) download(file, written, costs, design);
    file.conflicts.hold(other.nickname, version, written);
    costs.note('hold', { content: file.conflicts.of(other.nickname).content });
  } else if (design.conflictFilePerVersion) {
    file.conflicts.release(other.nickname);
  }
  noteSeen(file, other.nickname, link, design);
  dropLinkToDeletion(client, path, costs);
  purge(client, file);
  return classification;
}

/** Ends every overwrite during which the client stopped. */
export function finishBegun(client, costs) {
  for (const [path, { begun }] of client.files) {
    if (begun !== null) finishOverwrite(client, path, costs);
  }
}

/** The version of an overwrite becomes the current one; the local file has its content already. */
function finishOverwrite(client, path, costs) {
  const { design } = client;
  const file = client.file(path);
  const { other, link, cache } = file.begun;
  file.begun = null;
  file.cache = cache;
  file.giveUpVersion();
  file.version = design.takenOver(link.version, client.nickname);
  file.versionIsDeletion = link.content === null;
  client.directory.set(path, link);
  costs.updateDirectory();
  if (design.conflictFilePerVersion) file.conflicts.release(other);
  if (!design.conflictsStay) file.conflicts.releaseFollowedBy(file.version, file.cache);
  if (client.subscriptions.has(other)) noteSeen(file, other, link, design);
  purge(client, file);
}

function noteSeen(file, nickname, { version, content }, design) {
  const deletion = content === null;
  const seenIsOurs = file.version !== null && design.isSame(version, file.version);
  const before = file.seen.get(nickname)?.doubtful ?? file.gaveUpDeletion;
  const doubtful = before && deletion && !seenIsOurs;
  file.seen.set(nickname, { version, deletion, linked: true, doubtful });
}

function download(file, content, costs, design) {
  if (content === null || file.hasAtHand(content)) return;
  if (!design.hasContent(content)) refuse('missing-object', 'the grid has no such content');
  costs.content_downloads += 1;
}

/** Removes the link to a deletion as soon as every client was seen linking it. */
function dropLinkToDeletion(client, path, costs) {
  const link = client.directory.get(path);
  if (link?.content !== null) return;
  const file = client.file(path);
  if (file.version === null || !client.design.isSame(link.version, file.version)) return;
  const hasIt = (nickname) => {
    const seen = file.seen.get(nickname);
    if (seen === undefined) return false;
    return (!seen.linked && !seen.doubtful) || (seen.deletion && client.design.isSame(seen.version, file.version));
  };
  if (![...client.subscriptions].every(hasIt)) return;
  client.directory.delete(path);
  costs.note('drop-link', {});
  costs.updateDirectory();
}

/** What a cache has and did not have before. */
const added = (cache, before) => [...cache].filter((it) => !before.has(it));

/** Removes snapshots from a client's cache that the policy does not keep. */
export function purge(client, file) {
  const seen = [...file.seen.values()].map(({ version }) => version);
  const held = file.conflicts.held.map(({ version }) => version);
  const resolved = (file.pending ?? []).map(([, version]) => version);
  file.cache = client.design.purged(file.cache, file.version, [...seen, ...held, ...resolved]);
}
