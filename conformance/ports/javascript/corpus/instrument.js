/**
 * Stryker's mutants of the port, all in one copy of it: each stands behind a switch, and the code
 * counts how often it reaches each mutant.
 *
 * @typedef {object} Found  a mutant, with the fields of Stryker's report
 * @property {string} id  by which it is switched on
 * @property {string} file
 * @property {string} mutatorName
 * @property {string} replacement
 * @property {object} location  with lines and columns from 1
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** Calls whose arguments are codes and texts of refusals and errors, which no vector compares. */
const REASONS = new Set(['refuse', 'Refusal', 'BadRequest', 'BrokenConversation']);
/** Stryker's call that records that the code reaches mutants. An array of counts is faster. */
const RECORD = /\bstryCov_9fa48\(((?:"\d+"(?:, )?)+)\)/g;

const reasons = {
  shouldIgnore({ node }) {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    return isCall && REASONS.has(node.callee.name) ? 'codes and texts are not compared' : undefined;
  },
};

/** Errors about requests that no schema allows. The corpus has none, and tests of the port do. */
const INVALID_REQUEST = new Set(['BadRequest', 'BrokenConversation']);

const checksOfRequests = {
  shouldIgnore({ node }) {
    if (node.type !== 'IfStatement' || node.alternate) return undefined;
    const [first = node.consequent] = node.consequent.body ?? [];
    const isCheck = first.type === 'ThrowStatement' && INVALID_REQUEST.has(first.argument.callee?.name);
    return isCheck ? 'the corpus has no invalid requests' : undefined;
  },
};

const quiet = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false };

/** @param {string} port  its folder @returns {string[]} the sources of the port */
export function sourcesOf(port) {
  const folders = readdirSync(port, { withFileTypes: true })
    .filter((it) => it.isDirectory() && /^(config|history|conflict)-/.test(it.name))
    .map((it) => it.name);
  return ['.', ...folders].flatMap((folder) =>
    readdirSync(join(port, folder))
      .filter((name) => name.endsWith('.js'))
      .sort()
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  );
}

/**
 * Writes a copy of the port. The array `globalThis.rejoinCounts` must exist before it is loaded.
 *
 * @param {string} port  its folder
 * @param {string[]} mutated  the sources with mutants
 * @param {string} folder  where to write
 * @returns {Promise<Found[]>} the mutants
 */
export async function instrument(port, mutated, folder) {
  const files = sourcesOf(port).map((name) => ({
    name,
    mutate: mutated.includes(name),
    content: readFileSync(join(port, name), 'utf8'),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [reasons, checksOfRequests] };
  const chosen = files.filter((it) => it.mutate);
  const { files: written, mutants } = await new Instrumenter(quiet).instrument(chosen, options);
  rmSync(folder, { recursive: true, force: true });
  for (const { name, content } of [...files.filter((it) => !it.mutate), ...written]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content.replace(RECORD, count));
  }
  return mutants.filter((it) => it.status !== 'Ignored').map(found);
}

const count = (_, mutants) =>
  `(${[...mutants.matchAll(/\d+/g)].map(([id]) => `globalThis.rejoinCounts[${id}]++`).join(', ')})`;

function found({ id, fileName, mutatorName, replacement, location: { start, end } }) {
  const location = { start: fromOne(start), end: fromOne(end) };
  return { id, file: fileName, mutatorName, replacement, location };
}

const fromOne = ({ line, column }) => ({ line: line + 1, column: column + 1 });
