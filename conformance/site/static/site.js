// What all pages share: a vector that the address names is opened, and a search finds names first.
'use strict';

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

/** How well a name fits what is asked: 0 is best; undefined if it does not. */
function rank(name, asked) {
  const lower = name.toLowerCase();
  const last = lower.slice(lower.lastIndexOf('/') + 1);
  if (lower === asked || last === asked) return 0;
  if (lower.startsWith(asked) || last.startsWith(asked)) return 1;
  return asked.split(/\s+/).every((word) => lower.includes(word)) ? 2 : undefined;
}

/** Lists the names that fit above the pages that a search finds. */
function listNames(names, results, asked, root) {
  const found = names
    .map(([kind, name, place, text], order) => ({ kind, name, place, text, order, rank: rank(name, asked) }))
    .filter((each) => each.rank !== undefined)
    .sort((a, b) => a.rank - b.rank || a.order - b.order);
  if (found.length === 0) return;
  const list = document.createElement('ul');
  list.className = 'search names';
  for (const each of found.slice(0, 30)) {
    const link = document.createElement('a');
    link.href = root + each.place;
    link.textContent = each.name;
    const text = document.createElement('p');
    text.className = 'quiet';
    text.textContent = `${each.kind}: ${each.text}`;
    const item = document.createElement('li');
    item.append(link, text);
    list.append(item);
  }
  const more = document.createElement('p');
  if (found.length > 30) more.textContent = `and ${found.length - 30} more names`;
  results.before(list, more);
}

addEventListener('DOMContentLoaded', () => {
  openTarget();
  const results = document.getElementById('search-results');
  const asked = new URLSearchParams(location.search).get('q')?.trim().toLowerCase();
  if (!results || !asked) return;
  const root = document.documentElement.dataset.content_root;
  const names = document.createElement('script');
  names.src = `${root}_static/names.js`;
  names.addEventListener('load', async () => {
    const bytes = Uint8Array.from(atob(globalThis.rejoinNames), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    listNames(await new Response(stream).json(), results, asked, root);
  });
  document.head.append(names);
});
addEventListener('hashchange', openTarget);
