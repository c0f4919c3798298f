/**
 * The pages, and the text of each from the template.
 */

/** @type {{name: string, title: string, scripts: string[], purpose: string}[]} */
export const PAGES = [
  {
    name: 'history-merge',
    title: 'History merge',
    scripts: ['data/vectors-history-merge.js'],
    purpose:
      'Build the message graph of a group session, choose messages, and see how their states merge.',
  },
  {
    name: 'config-merge',
    title: 'Config merge',
    scripts: ['data/vectors-config-merge.js'],
    purpose:
      'Let clients edit the same data, race and lose messages, and see how they agree on one message.',
  },
  {
    name: 'conflict-detection',
    title: 'Conflict detection',
    scripts: ['data/vectors-conflict-detection.js'],
    purpose:
      'Let clients edit a file and poll each other, and see why a version overwrites or conflicts.',
  },
  {
    name: 'corpus',
    title: 'The corpus in this browser',
    scripts: ['config-merge', 'conflict-detection', 'history-merge'].map((it) => `data/corpus-${it}.js`),
    purpose: 'Run every test vector against the JavaScript implementation, in this page.',
  },
];

/** The system of a page, and the root of the site. The home page is in the root. */
function dataOf({ name }, home) {
  if (home === undefined) return '';
  return ` data-system="${name}" data-root="${home.slice(0, home.lastIndexOf('/') + 1)}"`;
}

/** @param {string} template @param {typeof PAGES[0]} page @param {string} [home]  address of the site */
export function pageText(template, page, home) {
  const link = ({ name, title }) =>
    `<a href="${name}.html"${name === page.name ? ' aria-current="page"' : ''}>${title}</a>`;
  const links = [...(home === undefined ? [] : [`<a href="${home}">Rejoin</a>`]), ...PAGES.map(link)];
  const scripts = [...page.scripts, `${page.name}.js`].map((it) => `<script src="${it}"></script>`);
  return template
    .replaceAll('{{title}}', page.title)
    .replace('{{data}}', dataOf(page, home))
    .replace('{{purpose}}', page.purpose)
    .replace('{{links}}', links.join('\n      '))
    .replace('{{scripts}}', scripts.join('\n    '));
}
