/**
 * Texts as bytes, and in the order of their code points.
 */

/** UTF-8, in which half of a surrogate pair is encoded as if it were a character. */
export function encodeText(text) {
  if (text.isWellFormed()) return Buffer.from(text);
  return Buffer.concat([...text].map((character) => {
    if (character.isWellFormed()) return Buffer.from(character);
    const code = character.charCodeAt(0);
    return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
  }));
}

/** The order of code points is that of the bytes of UTF-8. */
export const compareTexts = (a, b) => Buffer.compare(encodeText(a), encodeText(b));
