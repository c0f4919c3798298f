/**
 * A refusal by the protocol under test, as opposed to an error of this program.
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
