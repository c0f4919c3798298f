/**
 * What the address of a page opens: `#vector=ID`, `#example=NAME` or `#state=TEXT`.
 *
 * The text of a state is its JSON in UTF-8 as base64 without padding, with `-` and `_`.
 */

/** Characters of an address. Nothing longer is decoded. */
export const LONGEST = 100_000;

/** An address or a state that cannot be opened. The message is for people. */
export class Unopened extends Error {}

/** @param {object} state @returns {string} the part of an address behind the page */
export function addressOf(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `#state=${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/**
 * @param {string} hash  the part of an address from `#`
 * @returns {{kind: 'nothing'} | {kind: 'vector' | 'example', name: string} | {kind: 'state', value: any}}
 * @throws {Unopened}
 */
export function opened(hash) {
  if (hash === '' || hash === '#') return { kind: 'nothing' };
  if (hash.length > LONGEST) throw new Unopened('the address is too long');
  const [, kind, text] = /^#(vector|example|state)=(.*)$/s.exec(hash) ?? [];
  if (kind === undefined) {
    throw new Unopened('after `#` an address has `vector=`, `example=` or `state=`');
  }
  if (kind === 'state') return { kind, value: stateOf(text) };
  try {
    return { kind, name: decodeURIComponent(text) };
  } catch {
    throw new Unopened('the name in the address is not valid percent-encoding');
  }
}

function stateOf(text) {
  let json;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unopened('the state in the address is damaged: it is not base64 of UTF-8');
  }
  try {
    return JSON.parse(json);
  } catch {
    throw new Unopened('the state in the address is damaged: it is not JSON');
  }
}
