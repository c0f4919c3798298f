/**
 * The actions of a user: edit, delete, bring back, rename, resolve, go offline and come back.
 *
 * @typedef {import('./clients.js').Client} Client
 * @typedef {import('./clients.js').Costs} Costs
 */
import { refuse } from '../refusal.js';
import { splitConflictName } from './conflict-files.js';
import { checkPath } from './definitions.js';
import { finishBegun, purge } from './polling.js';

/** Changes a file, and uploads it now or when the client comes back online. */
function change(client, path, content, resolved, costs) {
  const file = client.file(path);
  file.content = content;
  file.conflicts.remove(new Set(resolved));
  const versions = resolved.flatMap(({ nicknames, version }) =>
    [...nicknames].map((nickname) => [nickname, version]),
  );
  file.pending = [...(file.pending ?? []), ...versions];
  if (client.online) upload(client, path, costs);
}

/** Uploads what a file holds; nothing where the file came and went. */
function upload(client, path, costs) {
  const { design, nickname, signingKey } = client;
  const file = client.file(path);
  const { content, pending: resolved } = file;
  if (file.version === null && content === null && resolved.length === 0) {
    file.pending = null;
    return;
  }
  const own = file.version === null ? [] : [file.version];
  const follows = [...own, ...resolved.map(([, version]) => version)];
  costs.note('upload', { client, path, follows, resolves: resolved.length > 0, content });
  file.giveUpVersion();
  const made = { nickname, signingKey, current: file.version, resolved, content };
  file.version = design.upload({ ...made, forged: client.forges });
  file.versionIsDeletion = content === null;
  file.pending = null;
  if (content !== null) costs.content_uploads += 1;
  costs.snapshot_uploads += design.snapshotsPerUpload;
  client.directory.set(path, { version: file.version, content });
  costs.updateDirectory();
  file.cache.add(file.version);
  if (!design.conflictsStay) file.conflicts.releaseFollowedBy(file.version, file.cache);
  purge(client, file);
}

/** @returns the conflict file that a path names, or null if it does not name a conflict file */
function conflictAt(client, path) {
  const split = splitConflictName(path);
  if (split === null) return null;
  const [base, suffix] = split;
  checkPath(base);
  const conflict = client.files.get(base)?.conflicts.named(suffix);
  if (conflict === undefined) refuse('no-file', 'no such conflict file');
  return { base, conflict };
}

/** @returns the content of a file that is there */
function contentAt(client, path) {
  checkPath(path);
  return client.files.get(path)?.content ?? refuse('no-file', 'the file is not there');
}

function checkWritable(client, path) {
  if (client.isBlocked(path)) refuse('path-blocked', 'a file and a folder of one name');
}

/** @param {Client} client @param {string} path @param {string} text @param {Costs} costs */
export function edit(client, path, text, costs) {
  const found = conflictAt(client, path);
  if (found !== null) {
    found.conflict.content = text;
    return;
  }
  checkPath(path);
  checkWritable(client, path);
  change(client, path, text, [], costs);
}

/** An edit whose snapshot has a signature with one changed bit. */
export function forge(client, path, text, costs) {
  if (client.signingKey === null || client.design.snapshotsPerUpload === 0) {
    refuse('bad-key', 'the client signs no snapshots');
  }
  client.forges = true;
  edit(client, path, text, costs);
  client.forges = false;
}

/** A change that the client does not notice yet. @param {string | null} text  null: deleted */
export function changeUnnoticed(client, path, text) {
  if (text === null) contentAt(client, path);
  checkPath(path);
  checkWritable(client, path);
  const file = client.file(path);
  file.content = text;
  file.pending ??= [];
}

/** What waits is uploaded, one version for each file. */
export function uploadChanges(client, costs) {
  if (!client.online) return;
  for (const [path, { pending }] of client.files) if (pending !== null) upload(client, path, costs);
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
  checkWritable(client, path);
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
  checkWritable(client, target);
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
  if (text !== undefined) checkWritable(client, path);
  change(client, path, text ?? file.content, [...new Set(conflicts)], costs);
}

export function goOffline(client) {
  client.online = false;
}

/** Ends what the client began, then uploads one version for each file that was changed meanwhile. */
export function comeBack(client, costs) {
  if (client.online) return;
  client.online = true;
  finishBegun(client, costs);
  uploadChanges(client, costs);
}

export function backUp(client) {
  client.backup = new Map([...client.files].map(([path, file]) => [path, file.clone()]));
}

/** The client has again what it had at its backup; its directory and subscriptions stay. */
export function setBack(client, costs) {
  if (client.backup === null) refuse('no-backup', 'no backup');
  client.files = new Map([...client.backup].map(([path, file]) => [path, file.clone()]));
  for (const file of client.files.values()) {
    for (const nickname of [...file.seen.keys()]) {
      if (!client.subscriptions.has(nickname)) file.forget(nickname);
    }
  }
  if (client.online) finishBegun(client, costs);
}

/** A client joins with files of its own. @param {[string, string][]} files */
export function join(folder, nickname, files, costs) {
  const client = folder.add(nickname);
  for (const [path, text] of files) {
    checkPath(path);
    edit(client, path, text, costs);
  }
}
