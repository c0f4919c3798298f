// Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.
//
// A value is a BigInt, a Buffer, an array of values, or a Map from hex to values: a Buffer cannot be a
// key of a Map, and hex sorts as bytes do. In JSON it is one of {"int": "7"}, {"str": "6869"} with
// bytes in hex, {"list": [value, ...]} and {"dict": [["6869", value], ...]}.

export class Rejected extends Error {} // The protocol refuses the input.

const DEEPEST = 100; // lists and dicts in one another (CM-BT-DEPTH)

export const fromHex = (text) => Buffer.from(text, "hex");
export const toHex = (bytes) => bytes.toString("hex");

// Returns the value of a typed value in JSON. It refuses depth, and a dict with a key twice.
export function fromJson(typed, depth = 1) {
  const [[kind, content]] = Object.entries(typed);
  if (kind === "int") {
    return BigInt(content);
  }
  if (kind === "str") {
    return fromHex(content);
  }
  if (depth > DEEPEST) {
    throw new Rejected(`more than ${DEEPEST} lists and dicts in one another`);
  }
  if (kind === "list") {
    return content.map((item) => fromJson(item, depth + 1));
  }
  const fields = new Map();
  for (const [key, item] of content) {
    if (fields.has(key)) {
      throw new Rejected(`the key ${JSON.stringify(key)} occurs twice`);
    }
    fields.set(key, fromJson(item, depth + 1));
  }
  return fields;
}

// Returns a value as a typed value in JSON, with the keys of dicts in order.
export function toJson(value) {
  if (typeof value === "bigint") {
    return { int: String(value) };
  }
  if (Buffer.isBuffer(value)) {
    return { str: toHex(value) };
  }
  if (Array.isArray(value)) {
    return { list: value.map(toJson) };
  }
  return { dict: sortedEntries(value).map(([key, item]) => [key, toJson(item)]) };
}

// Returns the bt-encoding of a value. It refuses integers of more than 64 bits.
export function encode(value) {
  if (typeof value === "bigint") {
    if (value !== BigInt.asIntN(64, value)) {
      throw new Rejected(`the integer ${value} does not fit into 64 bits`);
    }
    return Buffer.from(`i${value}e`);
  }
  if (Buffer.isBuffer(value)) {
    return Buffer.concat([Buffer.from(`${value.length}:`), value]);
  }
  const [open, parts] = Array.isArray(value)
    ? ["l", value.map(encode)]
    : ["d", sortedEntries(value).flatMap(([key, item]) => [encode(fromHex(key)), encode(item)])];
  return Buffer.concat([Buffer.from(open), ...parts, Buffer.from("e")]);
}

function sortedEntries(fields) {
  return [...fields].sort(([a], [b]) => (a < b ? -1 : 1)); // No key occurs twice.
}
