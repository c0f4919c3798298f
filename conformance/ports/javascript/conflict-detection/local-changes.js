/**
 * The actions of a user: edit, delete, bring back, rename, resolve, go offline and come back.
 *
 * @typedef {import('./clients.js').Client} Client
 * @typedef {import('./clients.js').Costs} Costs
 */
import { refuse } from '../refusal.js';
import { splitConflictName } from './conflict-files.js';
import { checkPath } from './definitions.js';
import { purge } from './polling.js';

/** Changes a file, and uploads it now or when the client comes back online. */
function change(client, path, content, resolved, costs) {
  const file = client.file(path);
  file.content = content;
  file.conflicts.remove(new Set(resolved));
  const versions = resolved.flatMap(({ nicknames, version }) =>
    [...nicknames].map((nickname) => [nickname, version]),
  );
  if (client.online) upload(client, path, versions, costs);
  else file.pending = [...(file.pending ?? []), ...versions];
}

/** Uploads the content of a file. */
function upload(client, path, resolved, costs) {
  const { design, nickname, signingKey } = client;
  const file = client.file(path);
  const { content } = file;
  file.giveUpVersion();
  file.version = design.upload({ nickname, signingKey, current: file.version, resolved, content });
  file.versionIsDeletion = content === null;
  file.pending = null;
  if (content !== null) costs.content_uploads += 1;
  costs.snapshot_uploads += design.snapshotsPerUpload;
  client.directory.set(path, { version: file.version, content });
  costs.updateDirectory();
  if (!design.conflictsStay) file.conflicts.releaseFollowedBy(file.version);
  file.cache.add(file.version);
  purge(client, file);
}

/** @returns the conflict file that a path names, or null if it does not name a conflict file */
function conflictAt(client, path) {
  const split = splitConflictName(path);
  if (split === null) return null;
  const [base, suffix] = split;
  checkPath(base);
  const conflict = client.files.get(base)?.conflicts.named(suffix);
  if (conflict === undefined) refuse('no-conflict', 'no such conflict file');
  return { base, conflict };
}

/** @returns the content of a file that is there */
function contentAt(client, path) {
  checkPath(path);
  return client.files.get(path)?.content ?? refuse('no-file', 'the file is not there');
}

/** @param {Client} client @param {string} path @param {string} text @param {Costs} costs */
export function edit(client, path, text, costs) {
  const found = conflictAt(client, path);
  if (found !== null) {
    found.conflict.content = text;
    return;
  }
  checkPath(path);
  change(client, path, text, [], costs);
}

export function remove(client, path, costs) {
  const found = conflictAt(client, path);
  if (found !== null) {
    change(client, found.base, client.file(found.base).content, [found.conflict], costs);
    return;
  }
  contentAt(client, path);
  change(client, path, null, [], costs);
}

export function undelete(client, path, text, costs) {
  checkPath(path);
  const file = client.files.get(path);
  const deleted = file !== undefined && (file.version !== null || file.pending !== null);
  if (!deleted || file.content !== null) {
    refuse('not-deleted', 'the file is there, or never was');
  }
  change(client, path, text, [], costs);
}

export function rename(client, path, target, costs) {
  const found = conflictAt(client, path);
  const intoPlace = found !== null && found.base === target;
  checkPath(target);
  const moved = found === null ? contentAt(client, path) : found.conflict.content;
  if (!intoPlace && (client.files.get(target)?.content ?? null) !== null) {
    refuse('file-exists', 'a file is there');
  }
  if (found === null) change(client, path, null, [], costs);
  else {
    const content = intoPlace ? moved : client.file(found.base).content;
    change(client, found.base, content, [found.conflict], costs);
  }
  if (!intoPlace) change(client, target, moved, [], costs);
}

export function resolve(client, path, nicknames, text, costs) {
  checkPath(path);
  const file = client.files.get(path);
  const conflicts = nicknames.map(
    (nickname) => file?.conflicts.of(nickname) ?? refuse('no-conflict', 'none of this client'),
  );
  if (conflicts.length === 0) refuse('no-conflict', 'nothing is resolved');
  change(client, path, text ?? file.content, [...new Set(conflicts)], costs);
}

export function goOffline(client) {
  client.online = false;
}

/** Uploads one version of each file that was changed offline. */
export function comeBack(client, costs) {
  client.online = true;
  for (const [path, file] of client.files) {
    if (file.pending === null) continue;
    const cameAndWent = file.version === null && file.content === null;
    if (cameAndWent) file.pending = null;
    else upload(client, path, file.pending, costs);
  }
}

/** A client joins with files of its own. @param {[string, string][]} files */
export function join(folder, nickname, files, costs) {
  const client = folder.add(nickname);
  for (const [path, text] of files) edit(client, path, text, costs);
}
