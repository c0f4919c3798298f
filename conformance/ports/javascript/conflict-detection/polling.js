/**
 * Subscriptions and polls.
 *
 * @typedef {import('./clients.js').Client} Client
 * @typedef {import('./clients.js').Costs} Costs
 * @typedef {import('./clients.js').Folder} Folder
 */
import { refuse } from '../refusal.js';
import { checkPath } from './definitions.js';

export function subscribe(folder, client, nickname) {
  const other = folder.client(nickname);
  if (other === client) refuse('own-directory', 'a client does not subscribe to itself');
  if (client.subscriptions.has(nickname)) refuse('already-subscribed', 'there already');
  client.subscriptions.add(nickname);
}

export function unsubscribe(folder, client, nickname) {
  checkSubscribed(folder, client, nickname);
  client.subscriptions.delete(nickname);
  for (const file of client.files.values()) {
    file.seen.delete(nickname);
    file.conflicts.release(nickname);
  }
}

/** @returns {Client} the other client */
function checkSubscribed(folder, client, nickname) {
  const other = folder.client(nickname);
  if (other === client) refuse('own-directory', 'a client does not poll itself');
  if (!client.subscriptions.has(nickname)) refuse('not-subscribed', 'no subscription');
  return other;
}

/**
 * @param {Folder} folder
 * @param {Client} client
 * @param {string} nickname
 * @param {string} path
 * @param {Costs} costs
 * @returns {import('./definitions.js').Classification | null}
 */
export function poll(folder, client, nickname, path, costs) {
  checkPath(path);
  const other = checkSubscribed(folder, client, nickname);
  if (!client.online) return null;
  costs.directory_reads = 1;
  return look(client, other, path, costs);
}

/** @returns {[string, import('./definitions.js').Classification][]} for each path that is linked */
export function pollAll(folder, client, nickname, costs) {
  const other = checkSubscribed(folder, client, nickname);
  if (!client.online) return [];
  costs.directory_reads = 1;
  const paths = new Set([...other.directory.keys(), ...client.files.keys()]);
  const found = [...paths].map((path) => [path, look(client, other, path, costs)]);
  return found.filter(([, classification]) => classification !== null);
}

/** Polls one path in another directory, and acts on its finding. */
function look(client, other, path, costs) {
  const link = other.directory.get(path);
  if (link === undefined) {
    const seen = client.files.get(path)?.seen.get(other.nickname);
    if (seen !== undefined) seen.linked = false;
    dropLinkToDeletion(client, path, costs);
    return null;
  }
  const { design } = client;
  const file = client.file(path);
  const { version, content } = link;
  const deletion = content === null;
  const before = file.seen.get(other.nickname);
  const doubtful = before?.doubtful ?? file.gaveUpDeletion;
  const seen = { version, deletion, linked: true, doubtful };
  file.seen.set(other.nickname, seen);
  costs.snapshot_downloads += design.fetch(file.cache, file.version, version);
  const classification = design.classify(file.version, version);
  if (classification === 'overwrite') {
    download(file, content, costs);
    file.giveUpVersion();
    file.content = content;
    file.version = design.takenOver(version, client.nickname);
    file.versionIsDeletion = deletion;
    client.directory.set(path, link);
    costs.updateDirectory();
    if (!design.conflictsStay) file.conflicts.releaseFollowedBy(file.version);
  } else if (classification === 'conflict') {
    if (!file.conflicts.holds(other.nickname, version)) download(file, content, costs);
    file.conflicts.hold(other.nickname, version, content);
  }
  if (classification !== 'conflict' && design.conflictFilePerVersion) {
    file.conflicts.release(other.nickname);
  }
  if (!deletion || design.isSame(version, file.version)) seen.doubtful = false;
  if (classification !== 'overwrite') dropLinkToDeletion(client, path, costs);
  purge(client, file);
  return classification;
}

function download(file, content, costs) {
  if (content !== null && !file.hasAtHand(content)) costs.content_downloads += 1;
}

/** Removes the link to a deletion as soon as every client was seen linking it. */
function dropLinkToDeletion(client, path, costs) {
  if (client.directory.get(path)?.content !== null) return;
  const file = client.file(path);
  const hasIt = (nickname) => {
    const seen = file.seen.get(nickname);
    if (seen === undefined) return false;
    return (!seen.linked && !seen.doubtful) || (seen.deletion && client.design.isSame(seen.version, file.version));
  };
  if (![...client.subscriptions].every(hasIt)) return;
  client.directory.delete(path);
  costs.updateDirectory();
}

/** Removes snapshots from a client's cache that the policy does not keep. */
export function purge(client, file) {
  if (file.version === null) return;
  const seen = [...file.seen.values()].map(({ version }) => version);
  file.cache = client.design.purged(file.cache, [file.version, ...seen]);
}
