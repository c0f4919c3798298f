/**
 * What the protocol under test refuses, as against a fault of this program.
 */
export class Refusal extends Error {
  /** @param {string} code  a stable word  @param {string} message  for people */
  constructor(code, message) {
    super(`${code}: ${message}`);
    this.name = 'Refusal';
    this.code = code;
  }
}

/**
 * @param {string} code
 * @param {string} message
 * @returns {never}
 */
export function refuse(code, message) {
  throw new Refusal(code, message);
}
