/**
 * Histories as text, as docs/notation.md defines.
 */

const PLAIN = /^[A-Za-z0-9]+$/;

/** @returns {string} `{a b}`, `5`, `"text"` or `[a "b c"]` */
export function stateText(state, type) {
  if (type === 'set') return `{${[...state].sort().join(' ')}}`;
  if (type === 'lines') return `[${state.map((line) => (PLAIN.test(line) ? line : quoted(line))).join(' ')}]`;
  return type === 'counter' ? state : quoted(state);
}

const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** @param {import('./state.js').State} state @returns {string} the question of a vector */
export function questionText({ nodes, merge, order, type }) {
  const messages = nodes.map(({ id, parents, state }) => {
    const after = parents.length > 0 ? ` < ${parents.join(' ')}` : '';
    return `${id}${after}: ${stateText(state, type)}`;
  });
  const given = order === null ? '' : ` in order ${order.join(' ')}`;
  return `${messages.join(';  ')}\n  merge ${merge.length > 0 ? merge.join(' ') : 'nothing'}${given}`;
}

/**
 * A paragraph of a vector.
 *
 * @param {import('./state.js').State} state
 * @param {{output: {state: any}} | {refused: string}} answer
 */
export function paragraph(state, answer) {
  const result =
    'output' in answer ? ` = ${stateText(answer.output.state, state.type)}` : '\n  refused';
  const only = state.reading === 'document' ? '' : `\n  only in ${state.reading}`;
  return `from-the-playground  HM-MERGE-FOLD\n  A state of the playground.\n  ${questionText(state)}${result}${only}\n`;
}

/** The lines of a text field; none if it is empty. @returns {string[]} */
export const linesIn = (text) => (text === '' ? [] : text.split('\n'));

/** Names in a text field. @returns {string[]} sorted, each once */
export const namesIn = (text) => [...new Set(text.split(/[\s,{}]+/).filter(Boolean))].sort();
