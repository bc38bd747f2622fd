import { expect, test } from 'vitest';
import { CAPS } from '../config/caps.ts';
import { estimateCost } from '../config/cost.ts';
import { memoryOf } from '../config/memory.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makePlan } from '../engine/plan.ts';
import { rollouts } from '../slots/registry.ts';
import { LabHost } from './host.ts';

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
    if (at instanceof ArrayBuffer) bytes += at.byteLength;
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

/** What the estimate says, and what a worker holds after so many updates. */
async function compare(changes: Changes, updates = 2): Promise<{ held: number; told: number }> {
  const config = configWith({ ...TINY, ...changes });
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }: MessageEvent<{ seq: number }>) => port2.postMessage({ ack: data.seq });
  const host = new LabHost(port1, true, 1);
  expect(await host.load(config)).toMatchObject({ ok: true });
  for (let u = 0; u < updates; u++) await host.step();
  const held = heldBy(host);
  port2.close();
  return { held, told: memoryOf(config)!.cpu };
}

test.each<Changes>([
  { 'advantage.method': 'gae', 'policy.critics': 'double' },
  ...['gigpo', 'oprl', 'remax', 'graft', 'copo'].map((id) => ({ 'advantage.method': id })),
  ...['vcpo', 'nlpo', 'dpo', 'rlPlus'].map((id) => ({ 'objective.method': id })),
  { 'rollout.staleness': 4, 'run.seeds': 2 },
  { 'rollout.rolloutPrecision': 'int8', 'rollout.unifiedPrecision': true },
  { 'reward.normalize': true, 'objective.klIn': 'reward', 'objective.klCoef': 0.1 },
  { 'policy.method': 'tabular' },
  { 'policy.method': 'transformer', 'task.method': 'textmaze' },
  { 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 1 },
  ...rollouts
    .map(({ id }) => ({ 'rollout.method': id, 'source.method': 'knapsack' }))
    .filter((changes) => checkRules(configWith({ ...TINY, ...changes })).every(({ severity }) => severity !== 'error')),
])('a run with %j never holds more than its estimate said', async (changes) => {
  const { held, told } = await compare(changes);
  expect(held).toBeLessThanOrEqual(told);
});

test('where weights take most, the estimate is no more than twice of what is held', async () => {
  const { held, told } = await compare({ 'policy.mlp.hidden': [384, 384, 384], 'analysis.evalEvery': 1 }, 4);
  expect(told).toBeGreaterThanOrEqual(held);
  expect(told).toBeLessThan(2 * held);
});

test('where the batch takes most, it is no more than six times: objects of estimators and levels are told as well', async () => {
  const { held, told } = await compare(
    { 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 16, 'task.grid.maxSteps': 30 },
    1,
  );
  expect(told).toBeGreaterThanOrEqual(held);
  expect(told).toBeLessThan(6 * held);
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
  expect(memoryOf(heavy)!.cpu).toBeGreaterThan(20 * CAPS.bytes);
});
