// What all pages share: a vector that the address names is opened, and a search finds names first.
'use strict';

const MOST = 15;
// The number of characters of a sentence that a search shows.
const LONGEST = 300;

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

/** How well a name and its text fit what is asked: 0 is best; undefined if they do not. */
function rank(name, text, asked) {
  const lower = name.toLowerCase();
  const last = lower.slice(lower.lastIndexOf('/') + 1);
  const words = asked.split(/\s+/);
  if (lower === asked || last === asked) return 0;
  if (lower.startsWith(asked) || last.startsWith(asked)) return 1;
  if (words.every((word) => lower.includes(word))) return 2;
  const both = `${lower} ${text.toLowerCase()}`;
  if (both.includes(asked)) return 3;
  return words.every((word) => both.includes(word)) ? 4 : undefined;
}

/** Lists the names that fit above the pages that a search finds: clauses first. */
function listNames(names, results, asked, root) {
  const found = names
    .map(([kind, name, place, text], order) => ({ kind, name, place, text, order, rank: rank(name, text, asked) }))
    .filter((each) => each.rank !== undefined)
    .sort((a, b) => a.rank - b.rank || a.order - b.order);
  const [clauses, others] = [true, false].map((wanted) => found.filter(({ kind }) => (kind === 'clause') === wanted));
  results.before(...listed('Clauses', clauses, root), ...listed('Operations, topics, vectors and errata', others, root));
}

/** Returns a heading and a list of the first names; nothing if there are none. */
function listed(title, found, root) {
  if (found.length === 0) return [];
  const heading = document.createElement('h2');
  heading.textContent = found.length > MOST ? `${title} (the first ${MOST} of ${found.length})` : title;
  const list = document.createElement('ul');
  list.className = 'search names';
  for (const each of found.slice(0, MOST)) {
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
  return [heading, list];
}

/** Adds a sentence to each page that a search finds. */
function addSentences(texts, results, words) {
  const told = new WeakSet();
  const add = () => {
    for (const item of results.querySelectorAll('.kind-text, .kind-title')) {
      if (told.has(item)) continue;
      told.add(item);
      const [page, anchor] = item.querySelector('a').getAttribute('href').split('#');
      const sections = texts[page.replace(/\.html$/, '')] ?? {};
      const text = anchor in sections ? sections[anchor] : Object.values(sections).join('\n');
      const sentence = document.createElement('p');
      sentence.className = 'quiet';
      sentence.textContent = sentenceWith(words, text);
      item.append(sentence);
    }
  };
  new MutationObserver(add).observe(results, { childList: true, subtree: true });
  add();
}

/** Returns the first sentence of a text that has most of some words, cut around the first of them. */
function sentenceWith(words, text) {
  const sentences = text.split(/\n|(?<=[.?!]) (?=\p{Lu})/u);
  const having = (sentence) => words.filter((word) => sentence.toLowerCase().includes(word));
  const best = sentences.reduce((a, b) => (having(b).length > having(a).length ? b : a));
  if (best.length <= LONGEST) return best;
  const place = Math.max(0, best.toLowerCase().indexOf(having(best)[0]) - LONGEST / 2);
  return `${place ? '... ' : ''}${best.slice(place, place + LONGEST)} ...`;
}

/** Loads a script with packed data, and returns the data. */
async function load(root, script, name) {
  const element = document.createElement('script');
  element.src = `${root}_static/${script}`;
  await new Promise((loaded) => {
    element.addEventListener('load', loaded);
    document.head.append(element);
  });
  const bytes = Uint8Array.from(atob(globalThis[name]), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

addEventListener('DOMContentLoaded', () => {
  openTarget();
  const results = document.getElementById('search-results');
  const asked = new URLSearchParams(location.search).get('q')?.trim().toLowerCase();
  if (!results || !asked) return;
  const root = document.documentElement.dataset.content_root;
  load(root, 'names.js', 'rejoinNames').then((names) => listNames(names, results, asked, root));
  const words = splitQuery(asked).map((word) => new Stemmer().stemWord(word));
  load(root, 'texts.js', 'rejoinTexts').then((texts) => addSentences(texts, results, words));
});
addEventListener('hashchange', openTarget);
