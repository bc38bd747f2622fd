import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { scratchOf } from '../../contract/module.ts';
import { must } from '../../core/problem.ts';
import { defaultsOf, type AnyValues, type Settings } from '../../core/settings.ts';
import { whole } from '../../gpu/recorder.ts';
import { estimators } from '../../slots/methods.ts';
import { rewards } from '../../slots/registry.ts';
import { formulaOf, library } from '../../slots/advantage/formula/library.ts';
import { aboveMean } from '../../slots/fixtures/modules/aboveMean.ts';
import { bumpCost } from '../../slots/fixtures/modules/bumpCost.ts';
import type { Estimator } from '../../slots/types.ts';
import type { RewardModule } from '../../slots/reward/types.ts';
import { CLAIM_WORDS } from '../../contract/countTable.ts';
import { makePlan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { GpuCreditOps } from './creditOps.ts';
import { GpuRewardOps } from './rewardOps.ts';
import type { GpuSignals } from './signals.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

/** So many steps that what a row or a replica has one number of does not count. */
const LONG = { 'run.seeds': 1, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'task.grid.maxSteps': 1000 };
const plan = must(makePlan(configWith(LONG)));
const steps = plan.B * plan.T;

/** Buffers of a run without a device, which only count what is asked for. */
function counting(): { readonly b: RunBuffers; floats(): number } {
  let floats = 0;
  const some = { buffer: {}, offset: 0, size: 4 };
  const buffer = (_label: string, n: number): object => {
    // tables of counts are not of steps, and the estimate counts them by themselves
    if (n !== CLAIM_WORDS) floats += n;
    return { size: 4 * n };
  };
  const columns = new Proxy({}, { get: () => some });
  const alone = { head: some, next: some, table: some, parts: some, tensors: { buffer: () => some } };
  const b = { gpu: { buffer, software: false }, all: [], columns, judged: columns, last: {}, assign: some, ...alone };
  return { b: b as never, floats: () => floats };
}

/** Default settings, and each setting at its ends. */
function variantsOf(params: Settings): readonly AnyValues[] {
  const ends = Object.entries(params).flatMap(([name, setting]): readonly AnyValues[] => {
    if (setting.kind === 'choice') return setting.options.map((value) => ({ [name]: value }));
    if (setting.kind === 'switch') return [{ [name]: true }, { [name]: false }];
    if (setting.kind !== 'integer' && setting.kind !== 'number') return [];
    return [{ [name]: setting.min }, { [name]: setting.max }];
  });
  const usual = { ...(defaultsOf(params) as AnyValues), on: true };
  return [usual, ...ends.map((set) => ({ ...usual, ...set }))];
}

/** Columns that the composition makes, in numbers of a step. */
function creditMakes(estimator: Estimator, params: AnyValues): number {
  const { b, floats } = counting();
  const some = whole(b.gpu.buffer('given', 0, 0));
  estimator.gpu!(new GpuCreditOps(plan, b, { logpPhi: some, perTask: { greedyReturn: some } }), params as never);
  return floats() / steps;
}
function rewardMakes(reward: RewardModule, params: AnyValues): number {
  const { b, floats } = counting();
  const signals = { slice: () => whole(b.gpu.buffer('given', 0, 0)) } as unknown as GpuSignals;
  reward.gpu!(new GpuRewardOps(plan, b, signals, new Map([['', b.gpu.buffer('given', 0, 0)]])), params as never);
  return floats() / steps;
}

/** What the record says beyond what the composition makes, for each of its settings: about 0. */
function difference<M extends Estimator | RewardModule>(
  module: M,
  made: (module: M, params: AnyValues) => number,
): readonly number[] {
  const known = variantsOf(module.params).filter((params) => scratchOf(module, params) > 0);
  expect(known.length).toBeGreaterThan(0);
  return known.map((params) => scratchOf(module, params) - made(module, params));
}

describe('the memory estimate knows what a composition of operations takes', () => {
  test.each([...(estimators as readonly Estimator[]), aboveMean as Estimator].filter(({ gpu }) => gpu))(
    '$id',
    (estimator) => {
      for (const off of difference(estimator, creditMakes)) expect(Math.abs(off)).toBeLessThan(0.2);
    },
  );

  const asText = estimators.find(({ id }) => id === 'formula') as Estimator;
  const texts = Object.keys(library).flatMap((id) => {
    const { params } = estimators.find((e) => e.id === id)!;
    return variantsOf(params).flatMap((values) => formulaOf(id, values) ?? []);
  });
  test.each([...new Set(texts)])('as a text: %s', (text) => {
    expect(Math.abs(scratchOf(asText, { text }) - creditMakes(asText, { text }))).toBeLessThan(0.2);
  });

  test.each([...rewards, bumpCost as RewardModule].filter(({ gpu }) => gpu))('$id', (reward) => {
    for (const off of difference(reward, rewardMakes)) expect(Math.abs(off)).toBeLessThan(0.2);
  });
});
