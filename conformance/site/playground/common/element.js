/**
 * Elements of a page, made by calls that can be nested.
 */
const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]  a function is a listener: `{ click: () => ... }`. An
 *   attribute that is null or false is left out.
 * @param {...any} children  elements, texts and lists of them; null and false are left out
 * @returns {HTMLElement}
 */
export const h = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/** The same for a part of a drawing. @returns {SVGElement} */
export const s = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (name === 'value' || name === 'checked') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
  return element;
}

/** A button. */
export const button = (text, click, attributes = {}) =>
  h('button', { type: 'button', click, ...attributes }, text);

/** A field with its label. */
export const labelled = (text, field) => h('label', {}, h('span', {}, text), field);

/** A choice among values. @param {[string, string][]} options  value and text */
export const select = (options, chosen, change, attributes = {}) =>
  h(
    'select',
    { change: (event) => change(event.target.value), ...attributes },
    options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
