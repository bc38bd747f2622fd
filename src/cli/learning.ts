import { readFile } from 'node:fs/promises';
import { boundText, learningRuns, rowName, type LearningRun } from '../config/learningRuns.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { backwardInduction } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { median } from '../lab/analysis/ablation.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { Grounds } from '../lab/creditGround.ts';
import { makeTasks } from '../engine/plan.ts';
import { createRun, type Run } from '../engine/run.ts';
import { helped } from './args.ts';
import { attended, keep } from './attended.ts';
import { prepareFile } from './files.ts';
import { mayGoOn } from './interrupt.ts';
import { tablesOf, withMeasured, written } from './studies/tables.ts';

const USAGE = `node scripts/learning.mjs [PRESET …]

Runs the experiments of docs/learning.md and writes their rows there; with presets, only these, and the other rows stay.`;
const PATH = 'docs/learning.md';
const COLUMNS = ['experiment', 'what', 'n', 'updates', 'steps per seed', 'by chance'];
const RESULTS = ['success over the run', 'reach 0.8', 'last ten updates, each seed', 'test'];

const BARS = ' ▁▂▃▄▅▆▇█';
const bar = (x: number): string => BARS[Math.min(8, Math.round(x * 8))]!;

async function trained({ preset, seeds, updates, changes }: LearningRun): Promise<Run> {
  const own = { 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.seeds': seeds, 'run.updates': updates };
  const run = must(await createRun(configWith({ ...own, ...changes?.set }, presetConfig(presetById(preset)!))));
  while (run.update < updates) {
    await run.submit();
    await mayGoOn();
  }
  return run;
}

async function row(what: LearningRun): Promise<string[]> {
  const run = await trained(what);
  const { series } = run;
  const of = (s: number, from: number, to: number): number =>
    mean(Array.from({ length: to - from }, (_, k) => series.at(from + k, s, metricIndex.success)));
  const seeds = Array.from({ length: what.seeds }, (_, s) => s);
  const edge = (k: number): number => Math.floor((k * what.updates) / 20);
  const curve = Array.from({ length: 20 }, (_, k) => bar(mean(seeds.map((s) => of(s, edge(k), edge(k + 1))))));
  const last = seeds.map((s) => of(s, what.updates - 10, what.updates));
  const cells = [
    ...[rowName(what), what.note, `${what.seeds} seeds`, `${what.updates}`],
    ...[`${Math.round(series.envSteps(series.length - 1) / 1000)} k`, byChance(run), `\`${curve.join('')}\``],
    `${last.filter((x) => x >= 0.8).length} of ${what.seeds}`,
    ...[last.map((x) => x.toFixed(2)).join(' '), boundText(what)],
  ];
  run.dispose();
  return cells;
}

/** Exact success of the uniform policy on the whole task, median over its levels; "–" where words are written or states too many. */
function byChance({ plan }: Run): string {
  if (plan.policy.words !== null) return '–';
  const grounds = new Grounds(plan);
  const { levelSeeds } = makeTasks(plan, 0, 'eval');
  const found = Array.from(levelSeeds, (seed) => {
    const model = grounds.of(seed)?.all.model;
    if (!model) return NaN;
    const uniform = new Float64Array(model.states * model.actions).fill(1 / model.actions);
    return backwardInduction(model, uniform, plan.T, 1, 'success').V[0]!;
  });
  return found.some(Number.isNaN) ? '–' : median(found).toExponential(1);
}

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const strange = argv.find((name) => learningRuns.every(({ preset }) => preset !== name));
  if (strange !== undefined) {
    console.error(`There is no row of ${strange.slice(0, 60)}; rows: ${learningRuns.map((r) => r.preset).join(', ')}.`);
    return 1;
  }
  const refused = await prepareFile(PATH);
  if (refused !== null) {
    console.error(refused);
    return 1;
  }
  return attended(async () => {
    for (const what of learningRuns) {
      if (argv.length > 0 && !argv.includes(what.preset)) continue;
      const cells = await row(what);
      console.log(cells.join('  '));
      await put(cells);
    }
  });
}

/** Writes one row into the table of the document. */
async function put(cells: readonly string[]): Promise<void> {
  const text = await readFile(PATH, 'utf8');
  const known = tablesOf(text)[0]?.rows ?? [];
  const rows = learningRuns.flatMap((run) => {
    const name = rowName(run);
    const found = cells[0] === name ? [...cells] : known.find((old) => old[0] === name);
    return found ? [found] : [];
  });
  const table = { title: 'Measured', columns: [...COLUMNS, ...RESULTS], rows };
  await keep(PATH, withMeasured(text, written(table, '##')));
}

process.exitCode = await main(process.argv.slice(2));
