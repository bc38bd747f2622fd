import { expect, test } from 'vitest';
import { bytesAllowed } from '../config/memoryCap.ts';
import { estimateCost } from '../config/cost.ts';
import { memoryOf } from '../config/memory.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makePlan } from '../engine/plan.ts';
import { rollouts } from '../slots/registry.ts';
import { LabHost } from './host.ts';
import type { Answer } from './protocol.ts';

type Changes = Readonly<Record<string, unknown>>;

/** Bytes of all typed arrays that can be reached from here, each buffer once. */
function heldBy(root: unknown): number {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  let bytes = 0;
  while (waiting.length > 0) {
    const at = waiting.pop();
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    if (at instanceof ArrayBuffer || at instanceof SharedArrayBuffer) bytes += at.byteLength;
    else if (ArrayBuffer.isView(at)) waiting.push(at.buffer);
    else if (at instanceof Map || at instanceof Set) waiting.push(...at.keys(), ...at.values());
    else waiting.push(...Object.values(at));
  }
  return bytes;
}

const TINY: Changes = {
  'run.backend': 'cpu',
  'run.seeds': 1,
  'run.updates': 4,
  'rollout.tasksPerBatch': 4,
  'rollout.groupSize': 4,
  'task.grid.maxSteps': 12,
  'policy.mlp.hidden': [16],
};

/** What is told of a run, and what a worker holds after so many updates. */
async function compare(changes: Changes, updates = 2): Promise<{ held: number; told: number; most: number }> {
  const config = configWith({ ...TINY, ...changes });
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }: MessageEvent<{ seq: number }>) =>
    port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
  const host = new LabHost(port1, true, 1);
  expect(await host.load(config)).toMatchObject({ ok: true });
  for (let u = 0; u < updates; u++) await host.step();
  const held = heldBy(host);
  port2.close();
  const { cpu, most } = memoryOf(config, 1)!;
  return { held, told: cpu, most: most.cpu };
}

test.each<Changes>([
  { 'advantage.method': 'gigpo' },
  ...['vcpo', 'nlpo', 'dpo', 'rlPlus'].map((id) => ({ 'objective.method': id })),
  { 'rollout.rolloutPrecision': 'int8', 'rollout.unifiedPrecision': true },
  { 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 1 },
  ...rollouts
    .map(({ id }) => ({ 'rollout.method': id, 'source.method': 'knapsack' }))
    .filter((changes) => checkRules(configWith({ ...TINY, ...changes })).every(({ severity }) => severity !== 'error')),
])('a run with %j never holds more than the most that was told', async (changes) => {
  const { held, most } = await compare(changes);
  expect(held).toBeLessThanOrEqual(most);
});

/** So many steps that what is the same for every run does not count, and few enough for a test. */
const MANY: Changes = {
  'run.updates': 1,
  'rollout.tasksPerBatch': 16,
  'rollout.groupSize': 16,
  'task.grid.maxSteps': 40,
};
const FEWER: Changes = { ...MANY, 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 8 };
const WIDE: Changes = { 'run.updates': 1, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2, 'task.grid.maxSteps': 4 };

test.each<Changes>([
  ...['mlp', 'tabular', 'residual'].map((id) => ({ ...MANY, 'policy.method': id })),
  ...['conv', 'gru', 'gtrxl', 'memo'].map((id) => ({ ...FEWER, 'policy.method': id })),
  { ...FEWER, 'policy.method': 'transformer', 'task.method': 'textmaze', 'task.textmaze.maxSteps': 8 },
  {
    ...{ ...WIDE, 'policy.method': 'transformer', 'policy.transformer.history': 120 },
    ...{ 'task.method': 'textmaze', 'task.textmaze.maxSteps': 130 },
  },
  { ...MANY, 'task.method': 'sokoban', 'task.sokoban.maxSteps': 40, 'run.seeds': 2 },
  { ...MANY, 'advantage.method': 'gae', 'policy.critics': 'double' },
  ...['grpo', 'oprl', 'remax', 'graft', 'copo'].map((id) => ({ ...MANY, 'advantage.method': id })),
  { ...MANY, 'rollout.staleness': 4 },
  { ...MANY, 'rollout.method': 'dynamicSampling' },
  { ...MANY, 'reward.normalize': true, 'objective.klIn': 'reward', 'objective.klCoef': 0.1 },
  { ...WIDE, 'policy.mlp.hidden': [384, 384, 384] },
  { ...WIDE, 'policy.mlp.hidden': [384, 384], 'run.seeds': 3 },
  { ...WIDE, 'policy.mlp.hidden': [256, 256], 'run.updates': 4, 'analysis.evalEvery': 1 },
])('what a run with %j holds at its end is told within 20 %%', async (changes) => {
  const { held, told, most } = await compare(changes, changes['run.updates'] as number);
  expect(held).toBeLessThanOrEqual(most);
  expect(told / held).toBeGreaterThan(0.8);
  expect(told / held).toBeLessThan(1.2);
});

test('states that are numbered are counted, as the run counts them', () => {
  for (const changes of [{ 'policy.method': 'tabular' }, { 'task.grid.view': 'index' }]) {
    const config = configWith({ 'task.grid.level': 'empty', 'task.grid.n': 12, ...changes });
    expect(estimateCost(config, null)!.parameters).toBe(must(makePlan(config)).layout.parameters);
  }
});

test('a worker refuses what is too large before it makes anything of it, whoever asks', async () => {
  const host = new LabHost(new MessageChannel().port1, true, 1);
  const heavy = configWith({ 'run.seeds': 64, 'policy.mlp.hidden': [512, 512, 512, 512], 'run.backend': 'cpu' });
  const before = heldBy(host);
  const answer = await host.load(heavy);
  expect(answer).toMatchObject({ ok: false, problem: { kind: 'configRejected', issues: [{ path: 'run.seeds' }] } });
  expect(heldBy(host)).toBe(before);
  expect(memoryOf(heavy)!.most.cpu).toBeGreaterThan(20 * bytesAllowed());
});
