#!/usr/bin/env node
/**
 * Builds the playground: one page for each system, and one that runs the whole corpus.
 *
 *     node build.js FOLDER [--vectors FOLDER] [--home ADDRESS]
 *
 * With `--home`, the pages are a part of the site with this home page, and link its pages of clauses
 * and vectors.
 *
 * Browsers load neither modules nor data from files. So each page loads classic scripts only, and
 * works from a folder without a server and without a network.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { corpusScript, vectorsScript } from './data.js';
import { PAGES, pageText } from './pages.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../../vectors', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { vectors: { type: 'string', default: VECTORS }, home: { type: 'string' } },
});
if (positionals.length !== 1) {
  console.error('usage: node build.js FOLDER [--vectors FOLDER] [--home ADDRESS]');
  process.exit(2);
}
const [out] = positionals;
mkdirSync(join(out, 'data'), { recursive: true });

await build({
  entryPoints: Object.fromEntries(PAGES.map(({ name }) => [name, join(HERE, name, 'main.js')])),
  outdir: out,
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2023',
  inject: [join(HERE, 'common', 'buffer.js')],
  nodePaths: [join(HERE, 'node_modules')],
  minify: true,
  logLevel: 'warning',
});

const template = readFileSync(join(HERE, 'page.html'), 'utf8');
for (const page of PAGES) {
  writeFileSync(join(out, `${page.name}.html`), pageText(template, page, values.home));
}
copyFileSync(join(HERE, 'style.css'), join(out, 'style.css'));
for (const script of new Set(PAGES.flatMap(({ scripts }) => scripts))) {
  const [, kind, system] = /^data\/(corpus|vectors)-(.*)\.js$/.exec(script);
  const text = kind === 'corpus' ? corpusScript : vectorsScript;
  writeFileSync(join(out, script), text(values.vectors, system));
}
