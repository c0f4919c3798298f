/**
 * The examples of the document "History and state", and the smallest history with two results.
 */
const set = (nodes, merge, order = null) => ({
  nodes: nodes.map(([id, parents, state]) => ({ id, parents: [...parents], state: [...state] })),
  merge,
  order,
  type: 'set',
  reading: 'document',
});

export const EXAMPLES = [
  {
    name: 'second-picture',
    title: 'The document: fold, then recurse',
    about:
      'The document merges u, b and v to {a b u v}. Its wrong variant, which recurses first and folds then, loses b.',
    state: set([['o', '', 'ab'], ['a', 'o', 'a'], ['u', 'o', 'abu'], ['b', 'a', 'ab'], ['v', 'a', 'av']], ['b', 'u', 'v']),
  },
  {
    name: 'first-picture',
    title: 'The document: the same states after removals',
    about: 'Both branches begin with {a b c}: one removes c, the other one a. Only b stays.',
    state: set([['z', '', 'abc'], ['l', 'z', 'ab'], ['r', 'z', 'bc']], ['l', 'r']),
  },
  {
    name: 'first-picture-from-b',
    title: 'The document: the same states after additions',
    about: 'Both branches begin with {b}: one adds a, the other one c. All three stay.',
    state: set([['z', '', 'b'], ['l', 'z', 'ab'], ['r', 'z', 'bc']], ['l', 'r']),
  },
  {
    name: 'order-dependence',
    title: 'The smallest history with two results',
    about:
      'The document says that the fold order does not matter. Here it does: p and q both add x, s removes it, and t keeps it. See the results in every order.',
    state: set([['r', '', ''], ['p', 'r', 'x'], ['q', 'r', 'x'], ['s', 'p', ''], ['t', 'p', 'x']], ['q', 's', 't'], ['q', 't', 's']),
  },
  {
    name: 'criss-cross',
    title: 'A criss-cross: the origin is a merge',
    about: 'a and b have two lowest common ancestors, p and q. Their merge is the origin.',
    state: set([['r', '', ''], ['p', 'r', 'x'], ['q', 'r', 'y'], ['a', 'pq', 'xy'], ['b', 'pq', 'x']], ['a', 'b']),
  },
  {
    name: 'empty',
    title: 'Empty: begin here',
    about: 'Add a first message with its members. Then add messages after it.',
    state: set([], []),
  },
];
