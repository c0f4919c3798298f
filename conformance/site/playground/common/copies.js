/**
 * A state as files and commands of the suite.
 */

/**
 * A file with one vector, as docs/vector-format.md defines.
 *
 * @param {string} system
 * @param {object} vector  operation, clauses, summary, input
 * @param {string} reading
 * @param {{output: any} | {refused: string}} answer
 */
export function vectorFile(system, { operation, clauses, summary, input }, reading, answer) {
  const expected = 'output' in answer ? { output: answer.output } : { rejected: {} };
  const vector = {
    id: `${system}/playground/state`,
    operation,
    clauses,
    level: 'must',
    summary,
    input,
    expected_by_reading: { [reading]: expected },
  };
  const notes = 'A state of the playground.';
  return JSON.stringify({ schema: 1, system, topic: 'playground', notes, vectors: [vector] }, null, 1);
}

/** The copies of a state of which the suite has a vector. @returns {import('./page.js').Copy[]} */
export function copiesOf(system, vector, reading, answer) {
  const file = vectorFile(system, vector, reading, answer);
  const compact = JSON.stringify(JSON.parse(file));
  return [
    {
      name: 'vector',
      hint: 'Save it as playground.json. Then run: rejoin verify --corpus playground.json',
      text: file,
    },
    {
      name: 'command line',
      hint: 'Run it in a shell. The first command shows the state and its steps. The second one compares the answer of the reference with that of this page; add --adapter to ask your own implementation.',
      text: `cat > playground.json <<'END'\n${compact}\nEND\nrejoin show playground.json --steps\nrejoin verify --corpus playground.json\n`,
    },
  ];
}
