// The test vectors of Rejoin. README.md shows how to use them; FORMAT.md describes the files.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the corpus, with one folder of JSON files for each system. */
export const directory = fileURLToPath(new URL("./vectors/", import.meta.url));

/** The index: the version of the corpus, and the ID and the digest of every vector. */
export const index = read("index.json");

/** The names of the systems. */
export const systems = [...new Set(index.vectors.map(({ id }) => id.split("/")[0]))];

/**
 * Yields every vector of a system, or of all systems, in the order of the files. Recipes are
 * expanded, so `input`, `mended` and the expected results are what an implementation sees.
 */
export function* vectors(...chosen) {
  for (const system of chosen.length > 0 ? chosen : systems) {
    const names = readdirSync(directory + system).filter((name) => name.endsWith(".json"));
    for (const name of names.sort()) {
      for (const { recipe, ...vector } of read(`${system}/${name}`).vectors) {
        yield recipe ? expand(vector) : vector;
      }
    }
  }
}

/**
 * Returns the result that a vector expects in a reading: `{ output }` or `{ rejected }`, or
 * undefined if the vector has none in this reading.
 */
export function expected(vector, reading) {
  return vector.expected ?? vector.expected_by_reading[reading];
}

/** Returns the value that a recipe stands for (FORMAT.md, section Recipes). */
export function expand(value, numbers = {}) {
  if (typeof value === "string") return filled(value, numbers);
  if (Array.isArray(value)) return value.flatMap((item) => items(item, numbers));
  if (value === null || typeof value !== "object") return value;
  if ("$join" in value) return expand(value.$join, numbers).join("");
  if ("$hex" in value) return Buffer.from(expand(value.$hex, numbers), "utf8").toString("hex");
  if ("$number" in value) return Number(expand(value.$number, numbers));
  const fields = "$fields" in value ? expand(value.$fields, numbers) : null;
  return Object.fromEntries(
    fields ?? Object.entries(value).map(([name, each]) => [name, expand(each, numbers)]),
  );
}

function items(item, numbers) {
  if (item === null || typeof item !== "object" || !("$repeat" in item)) {
    return [expand(item, numbers)];
  }
  const { $repeat: times, $of: of, $as: name = "i", $from: start = 0, $by: step = 1 } = item;
  const nth = (_, n) => expand(of, { ...numbers, [name]: start + n * step });
  return Array.from({ length: times }, nth);
}

function filled(text, numbers) {
  if (Object.keys(numbers).length === 0) return text;
  return text.replace(/<([a-z])([+-]\d+)?(?::(\d))?>/g, (_, letter, added, width) =>
    String(numbers[letter] + Number(added ?? 0)).padStart(Number(width ?? 0), "0"),
  );
}

function read(path) {
  return JSON.parse(readFileSync(directory + path, "utf8"));
}
