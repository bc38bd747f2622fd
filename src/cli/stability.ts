import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { below, PURPOSE, random } from '../core/random.ts';
import { mean, quantileSorted } from '../core/stats.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import { bootstrapInterval, interval95, probabilityOfImprovement } from '../methods/analysis/seeds.ts';
import { createRun } from '../train/run.ts';

type Changes = Readonly<Record<string, unknown>>;

/** Key and door, GiGPO with matched size, Adam. */
const SETTING: Changes = {
  'advantage.matched': true,
  'run.backend': 'cpu',
  // batches are played by old weights: what the policy can do now is measured on episodes of their own
  'analysis.evalEvery': 8,
};
/** Two epochs, so that every clip has something to do. */
const TABLE: Changes = { 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'objective.epochs': 2 };
const NETWORK: Changes = { 'policy.mlp.hidden': [32], 'optimizer.learningRate': 0.003, 'objective.epochs': 2 };
const STRESS: Changes = { 'policy.mlp.hidden': [32], 'optimizer.learningRate': 0.015, 'objective.epochs': 4 };
const STRESS_AGES = [0, 4, 16, 64] as const;
const AGES = [0, 1, 2, 4, 8, 16, 32, 64, 128] as const;

type Way = { readonly title: string; readonly changes: Changes };
const PPO: Way = { title: 'PPO clip', changes: { 'objective.method': 'ppoClip' } };
const WAYS: readonly Way[] = [
  { title: 'no correction', changes: { 'objective.method': 'reinforce' } },
  PPO,
  { title: 'decoupled PPO', changes: { 'objective.method': 'decoupled' } },
  { title: 'CISPO', changes: { 'objective.method': 'cispo' } },
  { title: 'GSPO', changes: { 'objective.method': 'gspo', 'objective.aggregate': 'seqMeanUnitMean' } },
  {
    title: 'VCPO',
    changes: { 'objective.method': 'vcpo', 'objective.aggregate': 'seqMeanUnitMean' },
  },
  {
    title: 'VCPO, step only',
    changes: {
      ...{ 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage' },
      'objective.aggregate': 'seqMeanUnitMean',
    },
  },
];
const PRECISIONS = ['f32', 'f16', 'int8', 'int4'] as const;

/** What is kept of one seed. */
type Outcome = {
  /** evaluation success: mean of the last evaluations, and of all */
  readonly success: number;
  readonly area: number;
  /** effective sample size of trajectories before the first step of an update: mean, and lowest */
  readonly ess: number;
  readonly lowest: number;
  readonly collapsed: boolean;
};

/** Evaluations that a success is averaged over. */
const WINDOW = 4;
/** A seed collapsed if its success, so averaged, fell below half of a level of at least this that it had reached. */
const REACHED = 0.2;

/** All seeds of one way of learning, one batch each after the other. */
async function outcomes(changes: Changes, seeds: number, updates: number): Promise<Outcome[]> {
  const run = must(await createRun(configWith({ ...SETTING, ...changes, 'run.seeds': seeds, 'run.updates': updates })));
  while (run.update < updates) await run.submit();
  const found = Array.from({ length: seeds }, (_, s): Outcome => {
    const of = (id: 'evalSuccess' | 'essStart'): number[] =>
      Array.from({ length: updates }, (_, u) => run.series.at(u, s, metricIndex[id])).filter(Number.isFinite);
    const success = of('evalSuccess');
    const ess = of('essStart');
    let best = 0;
    let collapsed = false;
    for (let u = WINDOW; u <= success.length; u++) {
      const level = mean(success.slice(u - WINDOW, u));
      best = Math.max(best, level);
      if (best >= REACHED && level < best / 2) collapsed = true;
    }
    return {
      success: mean(success.slice(-WINDOW)),
      area: mean(success),
      ess: mean(ess),
      lowest: Math.min(...ess),
      collapsed,
    };
  });
  run.dispose();
  return found;
}

const median = (x: ArrayLike<number>): number => quantileSorted(Float64Array.from(x).sort(), 0.5);

function medianText(x: readonly number[]): string {
  const interval = bootstrapInterval([x], median, 1000);
  return `${median(x).toFixed(2)}${interval ? ` [${interval.map((e) => e.toFixed(2)).join(', ')}]` : ''}`;
}

/** P(X > Y) with the interval of a bootstrap that draws the seeds of both anew. */
function improvementText(X: readonly number[], Y: readonly number[]): string {
  const drawn = (x: readonly number[], r: number, which: number): number[] =>
    x.map((_, j) => x[below(random(1, PURPOSE.bootstrap, r, which, j), x.length)]!);
  const all = Array.from({ length: 1000 }, (_, r) => probabilityOfImprovement([drawn(X, r, 0)], [drawn(Y, r, 1)]));
  const [low, high] = interval95(all);
  return `${probabilityOfImprovement([X], [Y]).toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

const successText = (found: readonly Outcome[]): string => medianText(found.map((o) => o.success));
const areaText = (found: readonly Outcome[]): string => medianText(found.map((o) => o.area));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The tables of docs/studies/stability.md. */
export async function stability(seeds: number, updates: number): Promise<string> {
  return [
    '## On a table of logits',
    await tablesOf(TABLE, AGES, seeds, updates),
    '## A network under stress: five times the usual rate, four epochs on every batch',
    await tablesOf(STRESS, STRESS_AGES, seeds, Math.floor(updates / 2)),
    '## Rounded rollouts of a network on fresh data: success averaged over the run; mean effective sample size',
    await precisionTable(seeds, Math.floor(updates / 2)),
  ].join('\n\n');
}

async function tablesOf(setting: Changes, ages: readonly number[], seeds: number, updates: number): Promise<string> {
  const found = new Map<string, Outcome[][]>();
  for (const { title, changes } of WAYS) {
    const rows: Outcome[][] = [];
    for (const age of ages)
      rows.push(await outcomes({ ...setting, ...changes, 'rollout.staleness': age }, seeds, updates));
    found.set(title, rows);
    console.log(title, rows.map(areaText).join('  '));
  }
  const each = (cell: (rows: Outcome[], age: number, title: string) => string): string[][] =>
    WAYS.map(({ title }) => [title, ...found.get(title)!.map((rows, age) => cell(rows, age, title))]);
  const head = ['objective', ...ages.map((age) => `k = ${age}`)];
  const scores = (rows: readonly Outcome[]): number[] => rows.map((o) => o.area);
  return [
    '### Success at the end',
    table(head, each(successText)),
    '### Success averaged over the whole run',
    table(head, each(areaText)),
    '### Effective sample size before the first step of an update: mean, and lowest of any update',
    table(
      head,
      each(
        (rows) => `${mean(rows.map((o) => o.ess)).toFixed(2)}, ${Math.min(...rows.map((o) => o.lowest)).toFixed(2)}`,
      ),
    ),
    `### Seeds of ${seeds} that collapsed`,
    table(
      head,
      each((rows) => String(rows.filter((o) => o.collapsed).length)),
    ),
    '### Probability that a run is better, averaged over its whole length, than one with PPO clip at the same staleness',
    table(
      head,
      each((rows, age, title) =>
        title === PPO.title ? '–' : improvementText(scores(rows), scores(found.get(PPO.title)![age]!)),
      ),
    ),
  ].join('\n\n');
}

async function precisionTable(seeds: number, updates: number): Promise<string> {
  const ways: readonly Way[] = [
    WAYS[0]!,
    PPO,
    { title: 'HisPO', changes: { 'objective.method': 'hispo', 'objective.aggregate': 'constant' } },
    { ...PPO, title: 'PPO clip, rounded in training too' },
  ];
  const rows: string[][] = [];
  for (const { title, changes } of ways) {
    const row = [title];
    for (const precision of PRECISIONS) {
      const unified = title.endsWith('too') && precision !== 'f32';
      const rounding = { 'rollout.rolloutPrecision': precision, 'rollout.unifiedPrecision': unified };
      const all = await outcomes({ ...NETWORK, ...changes, ...rounding }, seeds, updates);
      row.push(`${areaText(all)}; ${mean(all.map((o) => o.ess)).toFixed(3)}`);
    }
    console.log(row.join('  '));
    rows.push(row);
  }
  return table(['objective', ...PRECISIONS], rows);
}
