/**
 * The operations of conflict detection: from a JSON input and a reading to a JSON output.
 */
import { toHex } from '../bytes.js';
import { BadRequest, bytesOf, checkFields, integerOf, listOf, textOf } from '../fields.js';
import { checkKnown, checkNickname, follows, versionDag } from './definitions.js';
import { keptByLeases } from './deletion.js';
import { mostRecentCommonAncestors, snapshotsToKeep } from './local-cache.js';
import { oldDesign } from './old-design.js';
import { classifyByGraph, walk } from './overwrite-and-conflict.js';
import { READINGS } from './readings.js';
import { scenario, scenarioSteps } from './scenario.js';
import {
  checkSnapshot,
  contentCapability,
  encodeSnapshot,
  hasValidSignature,
  signSnapshot,
  snapshotCapability,
} from './snapshots.js';
import { compareTexts } from './texts.js';
import {
  checkVersionMap,
  classifyByMaps,
  join,
  mapAfterResolution,
  mapOfUpload,
} from './version-maps.js';

// Fields -----------------------------------------------------------------------------------------

const textsOf = (value) => listOf(value, textOf);
const textOrNull = (value) => (value === null ? null : textOf(value));
const sorted = (texts) => [...texts].sort(compareTexts);

function versionOf(value) {
  checkFields(value, ['id', 'parents']);
  return { id: textOf(value.id), parents: textsOf(value.parents) };
}

/** @returns {[Map<string, string[]>, (version: string) => string[]]} */
function dagOf(value) {
  const dag = versionDag(listOf(value, versionOf));
  return [dag, (version) => dag.get(version)];
}

/** A version map. Integers that JavaScript cannot represent exceed the limit of a map anyway. */
function mapOf(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BadRequest('no version map');
  }
  const map = new Map(Object.entries(value));
  for (const number of map.values()) {
    if (typeof number !== 'number' || (Number.isFinite(number) && !Number.isInteger(number))) {
      throw new BadRequest('no integer');
    }
  }
  checkVersionMap(map);
  return map;
}

const mapOrNull = (value) => (value === null ? null : mapOf(value));

function snapshotOf(input) {
  const content = input.content === null ? null : contentCapability(bytesOf(input.content));
  const snapshot = { content, parents: listOf(input.parents, bytesOf) };
  for (const field of ['author', 'signature']) {
    if (input[field] !== undefined) snapshot[field] = bytesOf(input[field]);
  }
  checkSnapshot(snapshot);
  return snapshot;
}

// Operations -------------------------------------------------------------------------------------

/** @type {Record<string, (input: any, reading: import('./readings.js').Reading) => object>} */
const BY_NAME = {
  follows(input) {
    checkFields(input, ['versions', 'later', 'earlier']);
    const [dag, parentsOf] = dagOf(input.versions);
    const [later, earlier] = textsOf([input.later, input.earlier]);
    checkKnown(dag, later, earlier);
    return { follows: follows(parentsOf, later, earlier) };
  },

  'classify-snapshot'(input, reading) {
    checkFields(input, ['snapshots', 'local', 'remote']);
    const [dag, parentsOf] = dagOf(input.snapshots);
    const [local, remote] = [textOrNull(input.local), textOf(input.remote)];
    checkKnown(dag, remote, ...(local === null ? [] : [local]));
    return { classification: classifyByGraph(reading, parentsOf, local, remote) };
  },

  walk(input, reading) {
    checkFields(input, ['snapshots', 'cached', 'local', 'remote']);
    const [dag, parentsOf] = dagOf(input.snapshots);
    const [local, remote] = [textOrNull(input.local), textOf(input.remote)];
    const cached = new Set([...textsOf(input.cached), ...(local === null ? [] : [local])]);
    checkKnown(dag, remote, ...cached);
    const downloaded = walk(parentsOf, cached, local, remote);
    const known = new Set([...cached, ...downloaded]);
    const knownParents = (it) => parentsOf(it).filter((parent) => known.has(parent));
    const classification = classifyByGraph(reading, knownParents, local, remote);
    return { downloaded: sorted(downloaded), classification };
  },

  purge(input) {
    checkFields(input, ['snapshots', 'currents']);
    const [dag, parentsOf] = dagOf(input.snapshots);
    Object.keys(input.currents).forEach(checkNickname);
    const currents = textsOf(Object.values(input.currents));
    if (currents.length === 0) throw new BadRequest('no clients');
    checkKnown(dag, ...currents);
    return {
      common_ancestors: sorted(mostRecentCommonAncestors(parentsOf, currents)),
      kept: sorted(snapshotsToKeep(parentsOf, currents)),
    };
  },

  'collect-garbage'(input) {
    checkFields(input, ['snapshots', 'renewals', 'now']);
    const [dag, parentsOf] = dagOf(input.snapshots);
    const renewals = listOf(input.renewals, (renewal) => {
      checkFields(renewal, ['links', 'until']);
      return { links: textsOf(renewal.links), until: integerOf(renewal.until) };
    });
    for (const { links } of renewals) checkKnown(dag, ...links);
    return { kept: sorted(keptByLeases(parentsOf, renewals, integerOf(input.now))) };
  },

  'snapshot-id'(input) {
    checkFields(input, ['content', 'parents']);
    const snapshot = snapshotOf(input);
    return {
      content_id: snapshot.content && toHex(snapshot.content),
      encoded: toHex(encodeSnapshot(snapshot)),
      id: toHex(snapshotCapability(snapshot)),
    };
  },

  'sign-snapshot'(input) {
    checkFields(input, ['content', 'parents', 'signing_key']);
    const signed = signSnapshot(snapshotOf(input), bytesOf(input.signing_key));
    return {
      author: toHex(signed.author),
      signature: toHex(signed.signature),
      id: toHex(snapshotCapability(signed)),
    };
  },

  'verify-snapshot'(input) {
    checkFields(input, ['content', 'parents'], ['author', 'signature']);
    return { valid: hasValidSignature(snapshotOf(input)) };
  },

  'classify-version-map'(input, reading) {
    checkFields(input, ['local', 'remote']);
    const [local, remote] = [mapOrNull(input.local), mapOf(input.remote)];
    return { classification: classifyByMaps(reading, local, remote) };
  },

  'join-version-maps'(input) {
    checkFields(input, ['maps']);
    return { map: Object.fromEntries(join(listOf(input.maps, mapOf))) };
  },

  'upload-version-map'(input, reading) {
    checkFields(input, ['nickname', 'local'], ['removed']);
    const removed = Object.entries(input.removed ?? {}).map(([name, map]) => [name, mapOf(map)]);
    const nicknames = [textOf(input.nickname), ...removed.map(([name]) => name)];
    nicknames.forEach(checkNickname);
    const resolved = mapAfterResolution(reading, mapOf(input.local), removed);
    return { map: Object.fromEntries(mapOfUpload(resolved, nicknames[0])) };
  },

  scenario,
  'scenario-steps': scenarioSteps,
  'old-design': oldDesign,
};

/** @type {Map<string, (input: any, readingName: string) => object>} */
export const OPERATIONS = new Map(
  Object.entries(BY_NAME).map(([name, run]) => [
    `conflict-detection/${name}`,
    (input, readingName) => run(input, READINGS[readingName]),
  ]),
);
