/**
 * The operations of history merge: from a JSON input to a JSON output. A reading chooses the merge
 * of sets.
 */
import { BadRequest, checkFields, listOf, textOf } from '../fields.js';
import { Refusal, refuse } from '../refusal.js';
import { Session } from './acceptance.js';
import { withoutMerges } from './avoiding-merges.js';
import { completeMerger, mergeWithFailedChecks } from './complete-algorithm.js';
import { lcaU } from './lcau.js';
import { mergeSteps } from './merge-steps.js';
import { settingOf } from './merger.js';
import { operationalEdges } from './operational-edges.js';
import {
  History,
  ancestors,
  isAntiChain,
  isBefore,
  maximal,
  transitiveReduction,
} from './partial-orders.js';
import { commonToAll, mergeRecurseFold, temporaryNodesMerger } from './simple-derivation.js';
import { applyToSet, diffSets, stateType } from './three-way-merge.js';

// Fields -----------------------------------------------------------------------------------------

const NAME = /^[!-~]+$/;
const DECIMAL = /^(0|-?[1-9][0-9]*)$/;

function nameOf(value) {
  if (!NAME.test(textOf(value))) throw new BadRequest('no ID or element');
  return value;
}

function setOf(value) {
  const set = new Set(listOf(value, nameOf));
  if (set.size !== value.length) throw new BadRequest('a set with an element twice');
  return set;
}

const sorted = (set) => [...set].sort();

/** The JSON form of each type of state. */
const FORMS = {
  set: { read: setOf, write: sorted },
  counter: {
    read(value) {
      if (!DECIMAL.test(textOf(value)) || value.length > 60) throw new BadRequest('no counter');
      return BigInt(value);
    },
    write: String,
  },
  register: { read: textOf, write: (state) => state },
  lines: { read: (value) => listOf(value, textOf), write: (state) => state },
};

function formOf(input, reading) {
  const name = input.state_type ?? 'set';
  if (!Object.hasOwn(FORMS, name)) throw new BadRequest('an unknown type of state');
  return { ...FORMS[name], type: stateType(name, reading) };
}

/** Reads nodes; without a form, it ignores their states. */
const nodeWith = (form) => (value) => {
  checkFields(value, ['id', 'parents', ...(form ? ['state'] : [])], form ? [] : ['state']);
  const state = form ? form.read(value.state) : undefined;
  return { id: nameOf(value.id), parents: [...setOf(value.parents)], state };
};

const historyOf = (input, form = null) => History.of(listOf(input.nodes, nodeWith(form)));
const namesOf = (value) => listOf(value, nameOf);

// Operations -------------------------------------------------------------------------------------

/** A query about the order of nodes: its fields beside `nodes`, and its answer. */
const query = (fields, answer) => (input) => {
  checkFields(input, ['nodes', ...fields]);
  return answer(historyOf(input), input);
};

/** The fields of a merge of the nodes that the field `merge` names. */
function mergeOf(input, reading) {
  checkFields(input, ['nodes', 'merge'], ['order', 'state_type']);
  const form = formOf(input, reading);
  const history = historyOf(input, form);
  const order = input.order === undefined ? [] : namesOf(input.order);
  const set = history.numbersOf(namesOf(input.merge));
  return { form, set, setting: settingOf(history, form.type, order) };
}

const mergeBy = (compute) => (input, reading) => {
  const { form, set, setting } = mergeOf(input, reading);
  return { state: form.write(compute(setting, set)) };
};

/** @type {Record<string, (input: any, reading: string) => object>} */
const BY_NAME = {
  before: query(['earlier', 'later'], (history, input) => {
    const [earlier, later] = history.numbersOf(namesOf([input.earlier, input.later]));
    return { before: isBefore(history, earlier, later) };
  }),

  ancestors: query(['of'], (history, input) => {
    const start = history.numbersOf(namesOf(input.of));
    return { nodes: history.idsOf(ancestors(history, start)) };
  }),

  maximal: query(['among'], (history, input) => {
    const among = history.numbersOf(namesOf(input.among));
    return { nodes: history.idsOf(maximal(history, among)) };
  }),

  'is-anti-chain': query(['among'], (history, input) => {
    const among = history.numbersOf(namesOf(input.among));
    return { anti_chain: isAntiChain(history, among) };
  }),

  'transitive-reduction': query([], (history) => ({ nodes: transitiveReduction(history) })),

  'common-ancestors': query(['of', 'with'], (history, input) => {
    const of = history.numbersOf(namesOf(input.of));
    return { nodes: history.idsOf(lcaU(history, of, history.numberOf(nameOf(input.with)))) };
  }),

  'common-to-all': query(['of'], (history, input) => {
    const of = history.numbersOf(namesOf(input.of));
    return { nodes: history.idsOf(commonToAll(history, of)) };
  }),

  'three-way-merge'(input, reading) {
    checkFields(input, ['origin', 'left', 'right'], ['state_type']);
    const { read, write, type } = formOf(input, reading);
    const [origin, left, right] = [input.origin, input.left, input.right].map((it) => read(it));
    return { state: write(type.merge(origin, left, right)) };
  },

  diff(input) {
    checkFields(input, ['origin', 'changed']);
    const { inserted, deleted } = diffSets(setOf(input.origin), setOf(input.changed));
    return { inserted: sorted(inserted), deleted: sorted(deleted) };
  },

  'apply-diff'(input) {
    checkFields(input, ['state', 'inserted', 'deleted']);
    const diff = { inserted: setOf(input.inserted), deleted: setOf(input.deleted) };
    return { state: sorted(applyToSet(setOf(input.state), diff)) };
  },

  'union-of-events'(input) {
    checkFields(input, ['nodes']);
    const { states } = historyOf(input, FORMS.set);
    return { union: sorted(new Set(states.flatMap((state) => [...state]))) };
  },

  merge: mergeBy((setting, set) => completeMerger(setting).merge(set)),

  'merge-temporary-nodes': mergeBy((setting, set) => temporaryNodesMerger(setting).merge(set)),

  'merge-recurse-fold': mergeBy(mergeRecurseFold),

  'merge-reduced': mergeBy((setting, set) =>
    completeMerger(setting).merge([...maximal(setting.history, set)]),
  ),

  'merge-check-continues': mergeBy((setting, set) =>
    mergeWithFailedChecks(setting, set, { returns: false }),
  ),

  'merge-check-returns': mergeBy((setting, set) =>
    mergeWithFailedChecks(setting, set, { returns: true }),
  ),

  'merge-steps'(input, reading) {
    const { form, set, setting } = mergeOf(input, reading);
    const given = input.order !== undefined;
    return { steps: checkedAnswer(mergeSteps(setting, set, { given, write: form.write })) };
  },

  members(input, reading) {
    checkFields(input, ['nodes'], ['order', 'state_type']);
    const form = formOf(input, reading);
    const history = historyOf(input, form);
    const order = input.order === undefined ? [] : namesOf(input.order);
    const merger = completeMerger(settingOf(history, form.type, order));
    return { state: form.write(merger.merge([...history.heads])) };
  },

  'without-merges'(input, reading) {
    checkFields(input, ['nodes'], ['state_type']);
    const form = formOf(input, reading);
    return withoutMerges(historyOf(input, form), form.write);
  },

  'operational-edges'(input, reading) {
    checkFields(input, ['nodes']);
    const edges = operationalEdges(historyOf(input, FORMS.set), stateType('set', reading));
    return {
      edges: checkedAnswer(
        edges.map((edge) => ({
          ...edge,
          inserted: sorted(edge.inserted),
          deleted: sorted(edge.deleted),
        })),
      ),
    };
  },

  accept(input, reading) {
    checkFields(input, ['nodes', 'message'], ['state_type']);
    const form = formOf(input, reading);
    const { ids, numbers, parents, states } = historyOf(input, form);
    const session = new Session(form.type);
    for (const [id, number] of numbers) {
      session.accept({ id, parents: parents[number].map((it) => ids[it]), state: states[number] });
    }
    session.accept(nodeWith(form)(input.message));
    return { accepted: true };
  },

  session(input, reading) {
    checkFields(input, ['messages'], ['state_type']);
    const form = formOf(input, reading);
    const session = new Session(form.type);
    let size = 0;
    const steps = listOf(input.messages, nodeWith(form)).map((message) => {
      const accepted = unlessRefused(() => session.accept(message) ?? true) ?? false;
      const state = unlessRefused(() => form.write(session.members()));
      size = checkedSize(size + sizeOf(state));
      return { accepted, state };
    });
    return { steps };
  },
};

/** The largest size of a session, of operational edges or of the steps of a merge, in bytes. */
const LARGEST_ANSWER = 2 ** 20;

/** Refuse an answer that is too large (HM-ANSWER-SIZE). */
function checkedSize(size) {
  if (size > LARGEST_ANSWER) refuse('answer-too-large', 'the size is more than 2^20 bytes');
  return size;
}

function checkedAnswer(parts) {
  checkedSize(sizeOf(parts));
  return parts;
}

/** The bytes of all texts in a part of an answer, and one for each. */
function sizeOf(part) {
  if (typeof part === 'string') return Buffer.byteLength(part) + 1;
  return Object.values(part ?? {}).reduce((sum, each) => sum + sizeOf(each), 0);
}

/** What a step returns, or null if it is refused. */
function unlessRefused(step) {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** @type {Map<string, (input: any, readingName: string) => object>} */
export const OPERATIONS = new Map(
  Object.entries(BY_NAME).map(([name, run]) => [`history-merge/${name}`, run]),
);
