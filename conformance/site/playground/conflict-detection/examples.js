/**
 * The examples of the document "Multi-party conflict detection", and smallest histories with faults.
 */
const steps = (text) =>
  text
    .trim()
    .split(/\s*;\s*/)
    .map((line) => {
      const [client, verb, object, , ...others] = line.split(' ');
      if (verb === 'edits') return { client, edit: object };
      if (verb === 'polls') return { client, poll: object };
      if (verb === 'deletes') return { client, delete: true };
      return { client, resolve: others, text: object };
    });

const FOUR_PARTIES = `
  A edits X; B polls A; C polls A; D polls A; A edits XA; B edits XB; C polls A; D polls B;
  A polls B; C polls B; B polls A; D polls A; A polls D; C polls D; B polls C; D polls C;
  A edits XA2; C polls A; B edits XB2; D polls B;
  A polls B; A polls D; C polls B; C polls D; B polls A; B polls C; D polls A; D polls C;
  A edits XA3; C edits XC3; A polls C; C polls A; B polls A; B polls C; D polls A; D polls C;
  D resolves merged against A C; A polls D; B polls D; C polls D`;

/** The uploads that lead to the map (A:10 B:20 C:30), and the example of the document. */
function threeClients() {
  const uploads = (client, first, last) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({ client, edit: String(first + i) }));
  return [
    ...uploads('A', 1, 10),
    { client: 'B', poll: 'A' },
    ...uploads('B', 1, 20),
    { client: 'C', poll: 'B' },
    ...uploads('C', 1, 30),
    ...steps('A polls C; B polls C; A edits a; B edits b; C polls A; C polls B; C resolves ab against B; A polls C; B polls C'),
  ];
}

/** The stages of the four parties up to the first resolution, with the links of the clients. */
const FOUR_PARTIES_LINKS = `
  A edits X; B polls A; C polls A; D polls A; A edits XA; B edits XB; C polls A; D polls B;
  A polls B; A polls C; C polls B; C polls A; B polls A; B polls D; D polls A; D polls C;
  D resolves merged against A; A polls D; B polls D; C polls D`;

const state = (design, clients, played, reading = 'repaired') => ({
  design,
  reading,
  clients: [...clients],
  steps: played,
});

export const EXAMPLES = [
  {
    name: 'four-parties',
    title: 'The document: four parties',
    about:
      'A and B change foo at the same time. C takes over the one change and D the other. Everyone sees the conflict, until D resolves it.',
    state: state('snapshots', 'ABCD', steps(FOUR_PARTIES)),
  },
  {
    name: 'four-parties-links',
    title: 'The document: what the four parties link',
    about: 'A and C link the one version, B and D the other one, until D resolves the first conflict.',
    state: state('snapshots', 'ABCD', steps(FOUR_PARTIES_LINKS)),
  },
  {
    name: 'four-parties-with-version-maps',
    title: 'The four parties, with version maps',
    about: "Zooko's design plays the same example in the same way.",
    state: state('version-maps', 'ABCD', steps(FOUR_PARTIES)),
  },
  {
    name: 'three-clients',
    title: 'The document: three clients',
    about:
      'Everyone agrees on (A:10 B:20 C:30). A uploads (A:11 B:20 C:30) and B (A:10 B:21 C:30). C sees A first, which overwrites, and then B, which conflicts. C resolves.',
    state: state('version-maps', 'ABC', threeClients()),
  },
  {
    name: 'ticket',
    title: 'The ticket: an answer to an answer',
    about: 'B answers A, C answers B, and A polls C. The old design finds a conflict here. Both new designs find an overwrite.',
    state: state('snapshots', 'ABC', steps('A edits a; B polls A; B edits b; C polls B; C edits c; A polls C')),
  },
  {
    name: 'three-clients-as-printed',
    title: 'The three clients, as printed',
    about: "As printed, every entry must be larger. So a client that has a version finds nothing but conflicts.",
    state: state('version-maps', 'ABC', threeClients(), 'literal'),
  },
  {
    name: 'lagging-client',
    title: 'A client that lags behind',
    about:
      'B has not heard of the latest change of A. As printed, A finds a conflict with B, although B has an older version. Choose the reading to compare.',
    state: state('snapshots', 'AB', steps('A edits X; B polls A; A edits Y; A polls B'), 'literal'),
  },
  {
    name: 'empty',
    title: 'Two clients: begin here',
    about: 'Let A edit foo, let B poll A, and see what happens if both edit.',
    state: state('snapshots', 'AB', []),
  },
];
