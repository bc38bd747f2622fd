// node scripts/learning.mjs: runs the experiments of docs/learning.md and writes their curves there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './lib/cli.mjs';
import { ROOT } from './lib/process.mjs';

/** Preset, seeds, updates, and what is worth knowing about it. */
const RUNS = [
  ['sokoban-first-push', 5, 200, 'One fixed level, gym-sokoban rewards.'],
  ['sokoban-one-box', 5, 150, 'A board of its own for every seed.'],
  ['sokoban-two-boxes', 5, 400, 'From scratch.'],
  ['sokoban-two-boxes-cloned', 5, 200, 'The same boards after 40 imitation steps on one solution each.'],
  ['maze-two-rooms', 5, 100, 'MLP over the set of words.'],
  ['maze-three-rooms', 5, 150, 'MLP over the set of words.'],
  ['maze-written', 3, 80, 'Transformer, commands word by word under the grammar mask.'],
  ['maze-free-words', 2, 60, 'Transformer without the mask, after 60 imitation steps on one solution.'],
  ['maze-chain-two-grown', 5, 300, 'Uniform success of the whole task 1e-4.'],
  ['maze-chain-three-grown', 5, 400, 'Uniform success of the whole task 5e-8.'],
  ['maze-chain-three-cloned', 5, 100, 'The same size after 30 imitation steps on one solution each.'],
  ['grid-written', 2, 60, 'The transformer on key and door.'],
  ['demonstrations', 5, 60, 'Key and door, 21 steps of 40; one of four episodes is the solver’s.'],
  ['demonstrations-none', 5, 60, 'The same with GRPO alone.'],
];

const BARS = ' ▁▂▃▄▅▆▇█';
const bar = (x) => BARS[Math.min(8, Math.round(x * 8))];

/** Success by update and seed from metrics.csv. */
function curves(folder) {
  const [head, ...lines] = readFileSync(join(folder, 'metrics.csv'), 'utf8').trim().split('\n');
  const names = head.split(',');
  const column = (name) => names.indexOf(name);
  const seeds = new Map();
  let steps = 0;
  for (const line of lines) {
    const cells = line.split(',');
    const seed = cells[column('seed')];
    if (!seeds.has(seed)) seeds.set(seed, []);
    seeds.get(seed).push(Number(cells[column('success')]));
    steps = Math.max(steps, Number(cells[column('envSteps')]));
  }
  return { seeds: [...seeds.values()], steps };
}

const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;

function row([preset, seeds, updates, note], { seeds: runs, steps }) {
  const last = runs.map((run) => mean(run.slice(-10)));
  const tenths = Array.from({ length: 20 }, (_, k) =>
    bar(mean(runs.map((run) => mean(run.slice(Math.floor((k * updates) / 20), Math.floor(((k + 1) * updates) / 20)))))),
  ).join('');
  const passed = last.filter((x) => x >= 0.8).length;
  const each = last.map((x) => x.toFixed(2)).join(' ');
  return `| \`${preset}\` | ${note} | ${updates} | ${Math.round(steps / 1000)} k | \`${tenths}\` | ${passed} of ${seeds} | ${each} |`;
}

// with names only these are run; the other rows stay as they are
const only = process.argv.slice(2);
const path = join(ROOT, 'docs', 'learning.md');
const HEAD =
  '| experiment | what | updates | steps per seed | success over the run | reach 0.8 | last ten updates, each seed |\n| --- | --- | --- | --- | --- | --- | --- |';
for (const run of RUNS) {
  if (only.length > 0 && !only.includes(run[0])) continue;
  const out = mkdtempSync(join(tmpdir(), 'learning-'));
  const args = ['run', run[0], '--seeds', `${run[1]}`, '--updates', `${run[2]}`, '--backend', 'cpu', '--out', out];
  const code = await runCli('lab', [...args, '--set', 'analysis.evalEvery=0']);
  if (code !== 0) process.exit(code);
  put(run[0], row(run, curves(out)));
  rmSync(out, { recursive: true });
}

/** Writes one row into the table of the document. */
function put(preset, line) {
  const text = readFileSync(path, 'utf8');
  const start = text.indexOf('| experiment');
  const end = text.indexOf('\n\n', start);
  const known = text.slice(start, end).split('\n').slice(2);
  const nameOf = (row) => /`([^`]+)`/.exec(row)?.[1];
  const rows = RUNS.map(([name]) => (name === preset ? line : known.find((old) => nameOf(old) === name))).filter(
    Boolean,
  );
  writeFileSync(path, `${text.slice(0, start)}${HEAD}\n${rows.join('\n')}${text.slice(end)}`);
}
