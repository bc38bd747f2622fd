import { expect, test } from 'vitest';
import { lacking, needsOf } from '../config/needs.ts';
import { configWith, fieldAt } from '../config/schema.ts';
import type { Need } from '../slots/metrics/types.ts';
import { metrics, type Metric } from '../slots/metrics/metrics.ts';
import { must } from '../core/problem.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan } from './plan.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';

/** Small, and after four updates it has seen success and failure, and evaluated. */
const SMALL = {
  'task.grid.level': 'corridor',
  'policy.mlp.hidden': [8],
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 6,
  'run.seeds': 1,
  'run.updates': 4,
  'analysis.evalEvery': 2,
};
/** What some numbers need of the task beside settings. */
const WORLDS: Record<string, Readonly<Record<string, unknown>>> = {
  heldOutSuccess: { 'task.grid.level': 'fourRooms', 'task.levels': 2 },
  entropyToken: {
    'task.method': 'textmaze',
    'task.textmaze.maxSteps': 4,
    'policy.transformer.width': 8,
    'policy.transformer.heads': '2',
    'policy.transformer.layers': 1,
    'policy.transformer.hidden': 8,
  },
};

const CLIMBS = ['difficulty', 'retired', ...[1, 2, 3, 4, 5].map((k) => `difficulty${k}`)];
for (const id of CLIMBS) WORLDS[id] = { 'task.grid.level': 'ladder', 'task.grid.maxSteps': 8 };

WORLDS['skill4'] = { 'task.grid.n': 3, 'task.levelRow.on': true, 'task.levelRow.pieces': 5 };
for (const id of ['stage', 'stageSuccess'])
  WORLDS[id] = { 'task.grid.level': 'corridor', 'task.grid.growEvery': 9, 'source.h1.rows': 4 };

/** Ids of what was measured in a run with these settings. */
async function measured(changes: Readonly<Record<string, unknown>>): Promise<Set<string>> {
  const run = await Run.create(must(makePlan(configWith({ ...SMALL, ...changes }))), makeCpuBackend);
  await train(run, 4);
  run.dispose();
  const isMeasured = (k: number): boolean => [0, 1, 2, 3].some((u) => !Number.isNaN(run.series.at(u, 0, k)));
  return new Set(metrics.filter((_, k) => isMeasured(k)).map(({ id }) => id));
}

/** The smallest value that meets a need. */
function enough(need: Need): unknown {
  if ('is' in need) return need.is[0];
  const { kind } = fieldAt(need.setting)!.setting!;
  return kind === 'integer' ? need.above + 1 : need.above + 0.01;
}

/** The first way to meet all needs of a metric. */
const firstNeeds = (metric: Metric): readonly Need[] => needsOf(metric).map(([need]) => need!);
const needy = (metrics as readonly Metric[]).filter((metric) => firstNeeds(metric).length > 0);

test('what a setting is needed for is a gap without it; all else is measured in every run', async () => {
  const found = await measured({});
  const plain = configWith(SMALL);
  for (const metric of metrics as readonly Metric[]) {
    const { id } = metric;
    // another temperature draws a second line in the chart of the entropy, which is never empty
    if (id === 'entropyPlain') continue;
    expect([id, found.has(id)]).toEqual([id, lacking(plain, metric).length === 0]);
  }
});

const kinds = [...new Set(needy.map((m) => JSON.stringify([firstNeeds(m), WORLDS[m.id] ?? {}])))];
test.each(kinds)('with what it needs a number is measured: %s', async (kind) => {
  const [needs, world] = JSON.parse(kind) as [Need[], Record<string, unknown>];
  const found = await measured({ ...world, ...Object.fromEntries(needs.map((n) => [n.setting, enough(n)])) });
  const ids = needy.filter((m) => JSON.stringify([firstNeeds(m), WORLDS[m.id] ?? {}]) === kind).map(({ id }) => id);
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
});
