/**
 * What each vector asks, and the answer that it must get. This file shares no code with the port, so
 * that a fault of the port cannot change what is expected of it. It also runs in a browser.
 *
 * @typedef {object} Case
 * @property {string} id  of the vector
 * @property {string} topic  system and topic
 * @property {string} tier  `core`, `sizes` or `random`
 * @property {string} operation
 * @property {string} reading
 * @property {string} request  a line of the adapter protocol
 * @property {string} expected  canonical JSON of the output, or `rejected`
 */

/** The readings in which a vector without results by reading holds. */
const READINGS = {
  'config-merge': ['document', 'libsession'],
  'conflict-detection': ['repaired', 'literal'],
  'history-merge': ['document'],
};
export const SYSTEMS = Object.keys(READINGS);
const REJECTED = 'rejected';
export const TIERS = ['core', 'sizes', 'random'];
/** The tiers of topics, as docs/vector-format.md defines. All other topics are `core`. */
const TIER_OF_TOPIC = {
  behaviours: 'random',
  distilled: 'random',
  large: 'sizes',
  levels: 'sizes',
  limits: 'sizes',
  sizes: 'sizes',
};

/** @param {object} file  a file of vectors, parsed @returns {Case[]} one for each reading */
export function casesOf({ system, topic, vectors }) {
  return vectors.flatMap((vector) => {
    const { id, operation, input, expected, expected_by_reading: byReading, lineage } = whole(vector);
    const results = byReading ?? Object.fromEntries(READINGS[system].map((it) => [it, expected]));
    return Object.entries(results).map(([reading, result]) => ({
      id,
      topic: `${system}/${topic}`,
      tier: lineage ? 'random' : (TIER_OF_TOPIC[topic] ?? 'core'),
      operation,
      reading,
      request: JSON.stringify({ type: 'run', id: 0, operation, reading, input }),
      expected: Object.hasOwn(result, REJECTED) ? REJECTED : canonical(result.output),
    }));
  });
}

/** The vector with its recipes expanded, as docs/vector-format.md defines. */
function whole({ recipe, ...vector }) {
  return recipe ? expand(vector, {}) : vector;
}

function expand(value, numbers) {
  if (typeof value === 'string') return filled(value, numbers);
  if (Array.isArray(value)) return value.flatMap((each) => items(each, numbers));
  if (value === null || typeof value !== 'object') return value;
  if ('$join' in value) return expand(value.$join, numbers).join('');
  if ('$hex' in value) return Buffer.from(expand(value.$hex, numbers)).toString('hex');
  if ('$number' in value) return Number(expand(value.$number, numbers));
  if ('$fields' in value) return Object.fromEntries(expand(value.$fields, numbers));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, expand(each, numbers)]),
  );
}

function items(value, numbers) {
  if (value === null || typeof value !== 'object' || !('$repeat' in value)) {
    return [expand(value, numbers)];
  }
  const { $repeat: count, $of: of, $from: from = 0, $by: by = 1, $as: as = 'i' } = value;
  return Array.from({ length: count }, (_, n) => expand(of, { ...numbers, [as]: from + n * by }));
}

function filled(text, numbers) {
  return text.replace(/<([a-z])([+-]\d+)?(?::(\d))?>/g, (found, letter, added, width) =>
    Object.hasOwn(numbers, letter)
      ? String(numbers[letter] + Number(added ?? 0)).padStart(Number(width ?? 0), '0')
      : found,
  );
}

/** @param {object} reply  of the port @returns {string} comparable with what a case expects */
export function answerOf(reply) {
  if (Object.hasOwn(reply, REJECTED)) return REJECTED;
  if (!Object.hasOwn(reply, 'output')) return `error: ${JSON.stringify(reply)}`;
  return canonical(JSON.parse(JSON.stringify(reply.output)));
}

/** @returns {string} JSON with the fields of every object in one order */
function canonical(value) {
  return JSON.stringify(value, (_, inner) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    const sorted = Object.keys(inner).sort();
    return Object.assign(Object.create(null), Object.fromEntries(sorted.map((it) => [it, inner[it]])));
  });
}
