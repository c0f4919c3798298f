/**
 * Links to the pages of the site, if the playground is a part of one: the body names its root.
 */
import { h } from './element.js';

/** @param {string} path  from the root of the site @param {any} content */
function linked(path, content) {
  const { root } = document.body.dataset;
  return root === undefined ? content : h('a', { href: `${root}${path}` }, content);
}

/** The ID of a clause, with a link to its page. */
export const clauseMark = (clause) =>
  linked(`clauses/${document.body.dataset.system}/${clause}.html`, h('code', {}, clause));

/** The ID of a vector, with a link to its page. */
export const vectorMark = (id) => linked(`vectors/${id.replace(/\/([^/]*)$/, '.html#$1')}`, h('code', {}, id));
