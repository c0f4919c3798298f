/**
 * Lines of a stream of bytes, split at line feeds only, whatever their length.
 */

const LINE_FEED = 0x0a;

/**
 * @param {AsyncIterable<Buffer>} stream
 * @returns {AsyncGenerator<string>} each line, without its line feed
 */
export async function* lines(stream) {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** @type {Buffer[]} */
  let parts = [];
  for await (const chunk of stream) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      parts.push(chunk.subarray(start, end));
      yield utf8.decode(Buffer.concat(parts));
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
}
