#!/usr/bin/env node
/**
 * Runs the corpus against the port in Node, and prints the same verdicts as the page does.
 *
 *     node corpus/outside.js VECTORS
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verdicts } from './run.js';

const [folder] = process.argv.slice(2);
const found = ['config-merge', 'conflict-detection', 'history-merge'].flatMap((system) => {
  const names = readdirSync(join(folder, system)).filter((name) => name.endsWith('.json'));
  const read = (name) => JSON.parse(readFileSync(join(folder, system, name), 'utf8'));
  return names.sort().flatMap((name) => [...verdicts([read(name)])]);
});
console.log(JSON.stringify(found));
