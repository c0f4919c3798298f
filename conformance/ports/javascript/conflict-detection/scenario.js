/**
 * Scenarios: clients act one after the other, and each step has a report.
 */
import { BadRequest, bytesOf, checkFields, listOf, textOf } from '../fields.js';
import { refuse } from '../refusal.js';
import { Costs, Folder } from './clients.js';
import { checkNickname } from './definitions.js';
import { MapDesign, SnapshotDesign } from './designs.js';
import {
  backUp,
  changeUnnoticed,
  comeBack,
  edit,
  forge,
  goOffline,
  join,
  remove,
  rename,
  resolve,
  setBack,
  undelete,
  uploadChanges,
} from './local-changes.js';
import { stepsOf } from './scenario-steps.js';
import { poll, pollAll, subscribe, unsubscribe } from './polling.js';

const DESIGNS = { snapshots: SnapshotDesign, 'version-maps': MapDesign };

/** The classification of an action, for the report of its step; empty if there is none. */
const ACTIONS = {
  edit({ client, path, value, forged, costs }) {
    (forged ? forge : edit)(client, path, textOf(value), costs);
  },
  change({ client, path, value }) {
    changeUnnoticed(client, path, value === null ? null : textOf(value));
  },
  upload: ({ client, costs }) => uploadChanges(client, costs),
  poll: ({ folder, client, path, value, stops, costs }) => ({
    classification: poll(folder, client, textOf(value), path, costs, stops),
  }),
  poll_all: ({ folder, client, value, costs }) => ({
    classifications: Object.fromEntries(pollAll(folder, client, textOf(value), costs)),
  }),
  resolve({ client, path, value, text, costs }) {
    resolve(client, path, listOf(value, textOf), text, costs);
  },
  delete: ({ client, path, costs }) => remove(client, path, costs),
  undelete: ({ client, path, value, costs }) => undelete(client, path, textOf(value), costs),
  rename: ({ client, path, value, costs }) => rename(client, path, textOf(value), costs),
  offline: ({ client }) => goOffline(client),
  online: ({ client, costs }) => comeBack(client, costs),
  back_up: ({ client }) => backUp(client),
  set_back: ({ client, costs }) => setBack(client, costs),
  subscribe: ({ folder, client, value }) => subscribe(folder, client, textOf(value)),
  unsubscribe: ({ client, value }) => unsubscribe(client, textOf(value)),
};
const OF_ONE_FILE = ['edit', 'change', 'poll', 'resolve', 'delete', 'undelete', 'rename'];

/** The largest size of a scenario, in bytes (CD-SCENARIO-SIZE). */
const LARGEST_SCENARIO = 2 ** 20;

/** The largest number of its steps (CD-SCENARIO-STEPS). */
const LONGEST_SCENARIO = 2 ** 11;

function refuseLarge(size) {
  if (size > LARGEST_SCENARIO) refuse('scenario-too-large', 'the size is more than 2^20 bytes');
}

/** The size of the lists of subscriptions: every client names all of them. */
const sizeOfLists = (clients) =>
  clients.length * clients.reduce((sum, nickname) => sum + 1 + sizeOf(nickname), 0);

/** The bytes of all names and texts in a report, and one for each name. */
function sizeOf(report) {
  if (typeof report === 'string') return Buffer.byteLength(report);
  return Object.entries(report ?? {}).reduce((sum, [name, each]) => sum + 1 + sizeOf(name) + sizeOf(each), 0);
}

/** The size of a step: of its report, and of the lists that a join writes. */
const sizeOfStep = (folder, step, report) =>
  sizeOf(report) + (Object.hasOwn(step, 'join') ? sizeOfLists([...folder.clients.keys()]) : 0);

/** The folder in which a scenario begins. */
function folderOf(input, reading) {
  checkFields(input, ['design', 'clients', 'steps'], ['report', 'signing_keys']);
  if (!Object.hasOwn(DESIGNS, input.design)) throw new BadRequest('an unknown design');
  const folder = new Folder(new DESIGNS[input.design](reading));
  if (listOf(input.steps, (step) => step).length > LONGEST_SCENARIO) {
    refuse('scenario-too-large', 'there are more than 2,048 steps');
  }
  refuseLarge(sizeOfLists(listOf(input.clients, textOf)));
  const keys = new Map(Object.entries(input.signing_keys ?? {}));
  [...keys.keys()].forEach(checkNickname);
  for (const nickname of listOf(input.clients, textOf)) {
    folder.add(nickname, keys.has(nickname) ? bytesOf(keys.get(nickname)) : null);
  }
  return folder;
}

/** @param {any} input @param {import('./readings.js').Reading} reading */
export function scenario(input, reading) {
  const folder = folderOf(input, reading);
  const wanted = listOf(input.report ?? [], textOf);
  const origins = new Origins();
  let number = 0;
  let size = sizeOfLists(input.clients);
  const steps = listOf(input.steps, (step) => {
    const report = perform(folder, step, wanted, origins, number++, new Costs());
    size += sizeOfStep(folder, step, report);
    refuseLarge(size);
    return report;
  });
  return { steps };
}

/** @param {any} input @param {import('./readings.js').Reading} reading */
export function scenarioSteps(input, reading) {
  const folder = folderOf(input, reading);
  const wanted = listOf(input.report ?? [], textOf);
  const origins = new Origins();
  let size = sizeOfLists(input.clients);
  const steps = listOf(input.steps, (step) => step).flatMap((step, number) => {
    const costs = new Costs();
    size += sizeOfStep(folder, step, perform(folder, step, wanted, origins, number, costs));
    refuseLarge(size);
    return stepsOf(number, costs.notes, origins.of, input.design === 'snapshots');
  });
  return { steps };
}

function perform(folder, step, wanted, origins, number, costs) {
  const found = act(folder, step, costs);
  origins.note(folder, number);
  const report = { classification: null, ...found, files: perClient(folder, files) };
  for (const what of wanted) {
    if (what === 'operations') report[what] = operations(costs);
    else report[what] = perClient(folder, REPORTS[what] ?? origins.reports[what]);
  }
  return report;
}

function act(folder, step, costs) {
  const { client: nickname, file = 'foo', text, stops = false, forged = false, ...rest } = step;
  const [[action, value] = [], ...more] = Object.entries(rest);
  if (more.length > 0) throw new BadRequest('two actions in one step');
  if (action === 'collect_garbage') {
    folder.collectGarbage();
    return {};
  }
  if (action === 'join') {
    const own = Object.entries(value).map(([path, content]) => [path, textOf(content)]);
    return join(folder, textOf(nickname), own, costs);
  }
  if (!Object.hasOwn(ACTIONS, action ?? '')) throw new BadRequest('no action');
  if (step.file !== undefined && !OF_ONE_FILE.includes(action)) throw new BadRequest('no file');
  const client = folder.client(textOf(nickname));
  const given = { folder, client, path: textOf(file), value, text, stops, forged, costs };
  return ACTIONS[action](given) ?? {};
}

// Reports ----------------------------------------------------------------------------------------

const perClient = (folder, describe) =>
  Object.fromEntries([...folder.clients].map(([nickname, client]) => [nickname, describe(client)]));

/** The described value of each file, without files that have none. */
const perFile = (describe) => (client) => {
  const described = [...client.files].map(([path, file]) => [path, describe(file, client.design)]);
  return Object.fromEntries(described.filter(([, value]) => value !== null));
};

function files(client) {
  const own = [...client.files].filter(([, { content }]) => content !== null);
  const held = [...client.files].flatMap(([path, file]) => file.conflicts.files(path));
  return Object.fromEntries([...own.map(([path, { content }]) => [path, content]), ...held]);
}

const REPORTS = {
  links: ({ directory }) =>
    Object.fromEntries([...directory].map(([path, { content }]) => [path, content])),
  versions: perFile(({ version }, design) => version && design.describe(version)),
  conflicts: perFile(({ conflicts: { held } }, design) => {
    if (held.length === 0) return null;
    const named = held.flatMap(({ nicknames, version }) =>
      [...nicknames].map((nickname) => [nickname, design.describeConflict(version, nickname)]),
    );
    return Object.fromEntries(named);
  }),
  cached: perFile(({ cache }) => cache.size || null),
};

/** The step that made each version of a file: the first one after which a client had it. */
class Origins {
  #steps = new Map();

  note(folder, number) {
    for (const { files } of folder.clients.values()) {
      for (const [path, { version }] of files) {
        const key = version && keyOf(path, version);
        if (key && !this.#steps.has(key)) this.#steps.set(key, number);
      }
    }
  }

  /** The step of a version; undefined, which JSON leaves out, if there is no version. */
  of = (path, version) => this.#steps.get(keyOf(path, version));

  reports = {
    origins: ({ files }) => {
      const current = [...files].map(([path, { version }]) => [path, this.of(path, version)]);
      return Object.fromEntries(current);
    },
    conflict_origins: ({ files }) => {
      const steps = (path, held) =>
        held.flatMap(({ nicknames, version }) =>
          [...nicknames].map((nickname) => [nickname, this.of(path, version)]),
        );
      return Object.fromEntries(
        [...files]
          .filter(([, { conflicts }]) => conflicts.held.length > 0)
          .map(([path, { conflicts }]) => [path, Object.fromEntries(steps(path, conflicts.held))]),
      );
    },
  };
}

/** Versions of a path are the same if their IDs are equal, or their maps without entries of 0. */
function keyOf(path, version) {
  if (!(version instanceof Map)) return JSON.stringify([path, version]);
  const entries = [...version].filter(([, count]) => Number(count) > 0);
  return JSON.stringify([path, entries.map(([nickname, count]) => `${nickname}/${count}`).sort()]);
}

const operations = (costs) => ({ ...costs, total: costs.total });
