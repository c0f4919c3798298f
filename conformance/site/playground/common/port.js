/**
 * The JavaScript port, asked as by the adapter protocol.
 */
import { replyTo } from '../../../ports/javascript/protocol.js';

/**
 * @param {string} operation
 * @param {object} input
 * @param {string} reading
 * @returns {{output: any} | {refused: string} | {error: string}}  refused by the protocol under test,
 *   or an input that no schema allows
 */
export function ask(operation, input, reading) {
  const reply = replyTo({ type: 'run', id: 0, operation, reading, input });
  if (reply.rejected) return { refused: reply.rejected.reason };
  if (reply.error) return { error: reply.error.message.split('\n')[0] };
  return { output: JSON.parse(JSON.stringify(reply.output)) };
}
