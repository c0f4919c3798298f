/**
 * Diffs: their form, how to make one, and how to apply one.
 *
 * A diff is a Map; a value in it is an empty string (assigned), `-` (removed), a pair of lists
 * (a set was changed: added, removed) or a Map (something in a dict was changed).
 *
 * @typedef {import('./readings.js').Reading} Reading
 * @typedef {Map<string, any>} Diff
 */
import { decode } from '../bt.js';
import { refuse } from '../refusal.js';
import {
  DEPTH_LIMIT,
  checkElements,
  checkKey,
  compareScalars,
  kindOf,
  walkSets,
} from './application-data.js';

const ASSIGNED = Buffer.alloc(0);
const REMOVED = Buffer.from('-');

const isAssigned = (change) => change instanceof Uint8Array && change.length === 0;
const isRemoved = (change) =>
  change instanceof Uint8Array && change.length === 1 && change[0] === REMOVED[0];

// Form -------------------------------------------------------------------------------------------

/** @param {Uint8Array} encoded @param {Reading} reading @returns {Diff} */
export function parseDiff(encoded, reading) {
  const diff = decode(encoded, reading.strictEncoding);
  checkDiff(diff, reading);
  return diff;
}

/** Refuses a value that is not a diff. */
export function checkDiff(diff, reading) {
  if (!(diff instanceof Map)) refuse('diff-type', 'a diff is a dict');
  checkDictDiff(diff, reading, 1);
}

function checkDictDiff(diff, reading, level) {
  if (level > DEPTH_LIMIT) refuse('nesting-too-deep', 'more than 64 levels of a diff');
  for (const [key, change] of diff) {
    checkKey(key, reading);
    if (change instanceof Map) {
      if (change.size === 0 && !reading.emptyNestedDiffsAllowed) {
        refuse('dict-diff-empty', 'an empty dict diff below the outermost dict');
      }
      checkDictDiff(change, reading, level + 1);
    } else if (Array.isArray(change)) {
      if (level + 1 > DEPTH_LIMIT) refuse('nesting-too-deep', 'more than 64 levels of a diff');
      checkSetDiff(change, reading, level + 1);
    } else if (!isAssigned(change) && !isRemoved(change)) {
      refuse('diff-value', 'a value in a diff that is none of the four');
    }
  }
}

function checkSetDiff(change, reading, level) {
  if (change.length !== 2 || !change.every(Array.isArray)) {
    refuse('set-diff-shape', 'a set diff is a list of two lists');
  }
  const [added, removed] = change;
  for (const elements of change) {
    if (reading.checkLoneElements || !isLoneContainer(elements)) checkElements(elements, reading);
    else if (level + levelsOf(elements[0]) > DEPTH_LIMIT) {
      refuse('nesting-too-deep', 'more than 64 levels of a diff');
    }
  }
  if (change.some(isLoneContainer)) return;
  if (added.length + removed.length === 0 && !reading.emptyNestedDiffsAllowed) {
    refuse('set-diff-empty', 'a set diff that neither adds nor removes');
  }
  if (!reading.setDiffOverlapAllowed) {
    walkSets(added, removed, (_, inAdded, inRemoved) => {
      if (inAdded && inRemoved) refuse('set-diff-overlap', 'an element in both lists');
    });
  }
}

/** Whether a list of a set diff is one list or dict, which no set can take. */
const isLoneContainer = (elements) => elements.length === 1 && kindOf(elements[0]) !== 'scalar';

/** The elements that a set can take. */
const scalarsOf = (elements) => (isLoneContainer(elements) ? [] : elements);

function levelsOf(value) {
  if (kindOf(value) === 'scalar') return 0;
  const inner = value instanceof Map ? [...value.values()] : value;
  return 1 + inner.reduce((most, each) => Math.max(most, levelsOf(each)), 0);
}

// Making -----------------------------------------------------------------------------------------

/** @returns {Diff} the diff that leads from old data to new data */
export function makeDiff(before, after) {
  const diff = new Map();
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const change = makeChange(before.get(key), after.get(key));
    if (change !== null) diff.set(key, change);
  }
  return diff;
}

/** @returns {any} the value for one key of a diff, or null if nothing changed */
function makeChange(before, after) {
  const kind = kindOf(after === undefined ? before : after);
  // A value of another kind counts as missing: its removal is not listed.
  const old = kindOf(before) === kind ? before : undefined;
  if (kind === 'scalar') {
    if (after === undefined) return REMOVED;
    return old !== undefined && compareScalars(old, after) === 0 ? null : ASSIGNED;
  }
  if (kind === 'set') {
    const added = [];
    const removed = [];
    walkSets(old ?? [], after ?? [], (element, inOld, inNew) => {
      if (!inOld) added.push(element);
      if (!inNew) removed.push(element);
    });
    return added.length + removed.length === 0 ? null : [added, removed];
  }
  const inner = makeDiff(old ?? new Map(), after ?? new Map());
  return inner.size === 0 ? null : inner;
}

// Applying ---------------------------------------------------------------------------------------

/**
 * Applies a diff to current data, in place.
 *
 * @param {Map<string, any>} current
 * @param {Diff} diff
 * @param {Map<string, any>} source  the data from which new values are taken
 * @param {Reading} reading
 */
export function applyDiff(current, diff, source, reading) {
  for (const [key, change] of diff) {
    const there = source.get(key);
    if (isRemoved(change)) {
      current.delete(key);
    } else if (isAssigned(change)) {
      if (kindOf(there) === 'scalar') current.set(key, there);
      else current.delete(key);
    } else if (Array.isArray(change)) {
      if (reading.missingSetTargetErases && kindOf(there) !== 'set') current.delete(key);
      else applySetDiff(current, key, change, reading);
    } else if (reading.missingDictTargetErases && kindOf(there) !== 'dict') {
      current.delete(key);
    } else {
      applyDictDiff(current, key, change, kindOf(there) === 'dict' ? there : new Map(), reading);
    }
  }
}

function applySetDiff(current, key, change, reading) {
  const [added, removed] = change.map(scalarsOf);
  const held = current.get(key);
  const kind = kindOf(held);
  if (kind === 'nothing' && added.length === 0) return;
  if (keepsOtherKind(kind, 'set', [added, removed], reading)) return;
  const united = [];
  walkSets(kind === 'set' ? held : [], added, (element) => united.push(element));
  const left = [];
  walkSets(united, removed, (element, inUnited, inRemoved) => {
    if (inUnited && !inRemoved) left.push(element);
  });
  putOrPrune(current, key, left, left.length, reading);
}

function applyDictDiff(current, key, change, source, reading) {
  const held = current.get(key);
  const kind = kindOf(held);
  if (keepsOtherKind(kind, 'dict', change, reading)) return;
  const dict = kind === 'dict' ? held : new Map();
  applyDiff(dict, change, source, reading);
  putOrPrune(current, key, dict, dict.size, reading);
}

/** Whether the diff only removes, and the current value of another kind stays. */
function keepsOtherKind(held, wanted, change, reading) {
  if (held === wanted || held === 'nothing' || reading.removalReplacesOtherKind) return false;
  return !addsOrAssigns(change);
}

function addsOrAssigns(change) {
  if (change instanceof Map) return [...change.values()].some(addsOrAssigns);
  return Array.isArray(change) ? scalarsOf(change[0]).length > 0 : isAssigned(change);
}

function putOrPrune(current, key, container, size, reading) {
  if (size === 0 && reading.pruneAfterEachEntry) current.delete(key);
  else current.set(key, container);
}
