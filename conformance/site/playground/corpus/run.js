/**
 * The verdict on each vector of the corpus in each reading. This module runs in a browser and in
 * Node, so that their verdicts can be compared.
 *
 * @typedef {object} Verdict
 * @property {string} id  of the vector
 * @property {string} reading
 * @property {'pass' | 'fail'} verdict
 * @property {string} answer  a digest of the answer
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { answerOf, casesOf } from '../../../ports/javascript/corpus/vectors.js';
import { readRequest, replyTo } from '../../../ports/javascript/protocol.js';

/** @param {{system: string, topic: string, vectors: object[]}[]} files @returns {Generator<Verdict>} */
export function* verdicts(files) {
  for (const file of files) {
    for (const { id, reading, request, expected } of casesOf(file)) {
      const answer = answerOf(replyTo(readRequest(request)));
      const digest = bytesToHex(blake2b(utf8ToBytes(answer), { dkLen: 8 }));
      yield { id, reading, verdict: answer === expected ? 'pass' : 'fail', answer: digest };
    }
  }
}
