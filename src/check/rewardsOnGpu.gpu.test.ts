import { expect, test } from 'vitest';
import type { Batch } from '../contract/columns.ts';
import { runsOnGpu } from '../contract/module.ts';
import { MILESTONES } from '../contract/signals.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { rewardOnGpu } from '../engine/gpu/rewardOnGpu.ts';
import { testDevice } from '../gpu/testDevice.ts';
import { rewards } from '../slots/registry.ts';
import type { RewardModule } from '../slots/reward/types.ts';
import golden from '../slots/fixtures/reward-hierarchy.json' with { type: 'json' };
import { compare } from './conformance/check.ts';
import { paid, rewardBatch, type RewardCase } from './golden/rewardCase.ts';

const gpu = await testDevice();
const cases = (golden.cases as unknown as RewardCase[]).map((c) => [c.name, c] as const);
const of = (id: string): RewardModule => rewards.find((module) => module.id === id)!;

/** A golden key of a reward with a composition: the module that pays it, and the value of the file that says what it pays. */
type Form = {
  readonly module: string;
  readonly key: string;
  readonly value: string;
  readonly params: (p: RewardCase['params']) => AnyValues;
};
const FORMS: readonly Form[] = [
  { module: 'pbrs', key: 'pbrs', value: 'shaping', params: ({ phiGamma }) => ({ gamma: phiGamma!, end: 'zero' }) },
  { module: 'pbrs', key: 'pbrsKeep', value: 'shaping', params: ({ phiGamma }) => ({ gamma: phiGamma!, end: 'keep' }) },
  { module: 'pbrs', key: 'pbrsUndiscounted', value: 'shaping', params: () => ({ gamma: 1, end: 'zero' }) },
  {
    module: 'gra',
    key: 'gra',
    value: 'reward',
    params: ({ graDelta }) => ({ delta: graDelta!, accumulate: 'sum', grounded: 1, novel: 0 }),
  },
  { module: 'eapo', key: 'eapo', value: 'reward', params: ({ eapoGamma }) => ({ gamma: eapoGamma! }) },
];

test.each(cases)('rewards on the GPU equal the golden values: %s', async (_name, c) => {
  const batch = rewardBatch(c.inputs);
  for (const { module, key, value, params } of FORMS) {
    const set = { ...defaultsOf(of(module).params), ...params(c.params) };
    const { reward: made } = await rewardOnGpu(gpu, batch, of(module), set);
    const want = (c.expected[key] as Record<string, readonly number[]>)[value]!;
    expect(compare(real(batch, made), want, golden.tolerance), key).toMatchObject({ passed: true });
  }
});

test.each(cases)('and every composition what its definition pays: %s', async (_name, c) => {
  const batch = rewardBatch(c.inputs);
  const invalid = batch.grounded!.map((x) => (x === 0 ? 1 : 0));
  const novel = invalid.map((x, k) => (k % 3 === 0 ? 1 - x : x));
  const told: Batch = { ...batch, ...untold(batch), invalid, novel };
  const modules = rewards.filter((m) => runsOnGpu(m, defaultsOf(m.params)) && m.state === undefined);
  expect(modules.length).toBeGreaterThan(5);
  for (const module of modules) {
    const { reward: made, made: columns } = await rewardOnGpu(gpu, told, module, defaultsOf(module.params));
    const want = paid(told, module, defaultsOf(module.params)).reward;
    const own = module.kind === 'replacing' ? want : want.map((r, k) => r - told.reward[k]!);
    const off = real(batch, made).findIndex((x, k) => !(Math.abs(x - real(batch, own)[k]!) < 2e-5));
    expect(off, `${module.id} at ${off}`).toBe(-1);
    // the definition has filled those of the batch
    expect(Object.keys(columns)).toEqual(module.makes ?? []);
    for (const [name, values] of Object.entries(columns))
      expect(compare(values, Array.from(told[name as 'budgetReward']!), { abs: 2e-5, rel: 0 }), name).toMatchObject({
        passed: true,
      });
  }
});

/** Some of every signal and column that the golden cases do not tell. */
function untold({ B, T, length }: Batch): Partial<Batch> {
  const made = (n: number, of: (k: number) => number): Float32Array =>
    Float32Array.from({ length: n }, (_, k) => of(k));
  return {
    completion: made(B * (T + 1), (k) => ((k * 5) % 8) / 8),
    tag: made(B * T, (k) => (k * 3) % 5),
    did: made(B * T, (k) => (k * 7) % 4),
    covered: made(B * (T + 1), (k) => 2 * (k % (T + 1)) + (k % 3)),
    taught: made(B * (T + 1), (k) => (k % (T + 1)) / (T + 1)),
    cover: made(B * (T + 1), (k) => (k * 7) % 5),
    budget: made(B, (k) => 1 + ((k * 3) % T)),
    budgetReward: made(B, () => NaN),
    hardEvent: made(B * T, (k) => (k % 7 === 3 ? 1 : 0)),
    softPenalty: made(2 * B * T, (k) => (k % 3 === 1 ? 0.7 : k % 4 === 2 ? 0.9 : 1)),
    milestoneStep: made(MILESTONES * B, (k) => {
      const [row, m] = [Math.floor(k / MILESTONES), k % MILESTONES];
      return m < 4 ? Math.min(2 * m, length[row]! - 1) : -1;
    }),
  };
}

/** Padding may hold anything on a device. */
const real = ({ T, length }: Batch, values: Float32Array): Float32Array =>
  values.map((x, k) => (k % T < length[Math.floor(k / T)]! ? x : 0));
