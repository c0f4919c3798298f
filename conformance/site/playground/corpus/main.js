/**
 * The page that runs the whole corpus against the port.
 */
import { button, h } from '../common/element.js';
import { unpacked } from '../common/packed.js';
import { verdicts } from './run.js';

/** Milliseconds of work before the page draws again. */
const SLICE = 100;

const corpus = globalThis.rejoinCorpus;
const root = document.getElementById('page');
const start = button('Run the whole corpus', () => void run());
const status = h('p', { role: 'status', id: 'status' }, 'Not run yet.');
const progress = h('progress', { max: 1, value: 0, 'aria-label': 'Share of the corpus that ran', hidden: true });
const table = h('table', { id: 'counts' });
const failures = h('ul', { id: 'failures' });
root.append(
  h('div', { class: 'panel' }, h('p', {}, start), status, progress, table, failures),
  h(
    'p',
    {},
    'The vectors are part of this page. Each is one question and its expected answer. ',
    'The page compares the whole answer. A vector without results by reading runs in every reading.',
  ),
);

const nextFrame = () => new Promise((resolve) => setTimeout(resolve));

async function run() {
  start.disabled = true;
  progress.hidden = false;
  failures.replaceChildren();
  const found = [];
  const counts = new Map();
  for (const system of Object.keys(corpus)) {
    status.textContent = `Unpacking the vectors of ${system} …`;
    await nextFrame();
    const files = await unpacked(corpus[system]);
    counts.set(system, { pass: 0, fail: 0 });
    const total = files.reduce((sum, { vectors }) => sum + vectors.length, 0);
    const seen = new Set();
    let until = performance.now() + SLICE;
    for (const each of verdicts(files)) {
      found.push(each);
      seen.add(each.id);
      counts.get(system)[each.verdict] += 1;
      if (each.verdict === 'fail') failures.append(h('li', {}, `${each.id} (${each.reading})`));
      if (performance.now() < until) continue;
      progress.value = seen.size / total;
      status.textContent = `${system}: ${seen.size} of ${total} vectors`;
      showCounts(counts);
      await nextFrame();
      until = performance.now() + SLICE;
    }
  }
  showCounts(counts);
  const failed = found.filter(({ verdict }) => verdict === 'fail').length;
  status.textContent =
    failed === 0
      ? `All ${found.length} answers are as expected.`
      : `${failed} of ${found.length} answers are not as expected.`;
  progress.hidden = true;
  start.disabled = false;
  start.textContent = 'Run it again';
  globalThis.rejoinVerdicts = found;
}

function showCounts(counts) {
  const head = ['System', 'As expected', 'Not as expected'].map((it) => h('th', { scope: 'col' }, it));
  const rows = [...counts].map(([system, { pass, fail }]) =>
    h('tr', {}, h('th', { scope: 'row' }, system), h('td', {}, String(pass)), h('td', {}, String(fail))),
  );
  table.replaceChildren(h('tr', {}, head), ...rows);
}
