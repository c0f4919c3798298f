/** Any value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What a vector expects in a reading: an output, or a refusal with its code and its reason. */
export type Result =
  | { output: { [name: string]: Json }; rejected?: undefined }
  | { rejected: { [name: string]: Json }; output?: undefined };

/** One test vector with its recipe expanded. FORMAT.md describes every field. */
export interface Vector {
  id: string;
  operation: string;
  clauses: string[];
  level: "must" | "should" | "may";
  summary: string;
  input: { [name: string]: Json };
  expected?: Result;
  expected_by_reading?: { [reading: string]: Result };
  mended?: { [name: string]: Json };
  scenario?: { name: string; step: string };
  lineage?: { [name: string]: Json };
}

/** The folder of the corpus, with one folder of JSON files for each system. */
export const directory: string;

/** The index: the version of the corpus, and the ID and the digest of every vector. */
export const index: { schema: number; version: string; vectors: { id: string; digest: string }[] };

/** The names of the systems. */
export const systems: string[];

/** Yields every vector of the systems, or of all systems, with recipes expanded. */
export function vectors(...systems: string[]): Generator<Vector, void, undefined>;

/** Returns the result that a vector expects in a reading; undefined if it has none in it. */
export function expected(vector: Vector, reading: string): Result | undefined;

/** Returns the value that a recipe stands for (FORMAT.md, section Recipes). */
export function expand(value: Json, numbers?: { [letter: string]: number }): Json;
