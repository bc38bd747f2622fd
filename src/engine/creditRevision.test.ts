import { expect, test } from 'vitest';
import { configWith, defaultConfig } from '../config/schema.ts';
import { log } from '../core/fmath.ts';
import { must } from '../core/problem.ts';
import { sampleBatch } from '../slots/advantage/sampleBatch.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { reviseCredit, revisionsOf } from './creditRevision.ts';
import { makePlan } from './plan.ts';
import { Run } from './run.ts';

const revisions = (changes: Record<string, unknown>) => revisionsOf(configWith(changes));

test('nothing is revised unless it is asked for', () => {
  expect(revisionsOf(defaultConfig())).toEqual([]);
  const A = Float32Array.of(1, -1);
  reviseCredit([], A, { batch: sampleBatch([{ reward: [0, 1] }]), probs: new Float32Array(4), actions: 2 });
  expect([...A]).toEqual([1, -1]);
});

test('blame counts less in groups that mostly fail, by hand', () => {
  // task 0: mean return 1/4 → scale 0.5 + 1.5/4 = 0.875; task 1: always solved → full
  const batch = sampleBatch([
    ...[{ reward: [1] }, { reward: [0] }, { reward: [0] }, { reward: [0] }],
    ...[
      { reward: [1], task: 1 },
      { reward: [1], task: 1 },
    ],
  ]);
  const A = Float32Array.of(2, -1, -1, 1, -1, 1);
  const chosen = revisions({ 'revise.softerBlame.on': true });
  reviseCredit(chosen, A, { batch, probs: new Float32Array(12), actions: 2 });
  expect([...A]).toEqual([2, -0.875, -0.875, 1, -1, 1]);
});

test('the virtual target pulls successes toward a cooler policy where entropy is above its target, by hand', () => {
  // π = (0.8, 0.2) everywhere, H = 0.5004; H₀ = 0.3·log 2 = 0.2079: τ = 0.8, gap held at 0.1, p = ½: α₀ = 0.2, α = 1/6
  const H = -0.8 * log(0.8) - 0.2 * log(0.2);
  const batch = sampleBatch([
    { reward: [1], action: [0], entropy: [H] },
    { reward: [0], action: [1], entropy: [H] },
  ]);
  const A = Float32Array.of(1, -1);
  const changes = { 'revise.virtualTarget.on': true };
  reviseCredit(revisions(changes), A, { batch, probs: Float32Array.of(0.8, 0.2, 0.8, 0.2), actions: 2 });
  const cooler = 0.8 ** 1.25 / (0.8 ** 1.25 + 0.2 ** 1.25);
  expect(A[0]).toBeCloseTo(5 / 6 + cooler / 0.8 / 6, 5);
  expect(A[1]).toBeCloseTo(-5 / 6, 6);
});

test('a run trains with the revised credit and shows it', async () => {
  const small = { 'run.seeds': 1, 'rollout.tasksPerBatch': 2, 'policy.method': 'tabular', 'analysis.evalEvery': 0 };
  const first = async (changes: Record<string, unknown>): Promise<Float32Array> => {
    const plan = must(
      makePlan(configWith({ 'task.grid.level': 'bonusRoom', 'reward.grid.step': -7, ...small, ...changes })),
    );
    const run = await Run.create(plan, makeCpuBackend);
    for (let u = 0; u < 3; u++) await run.submit();
    return (await run.backend.view(0)).A;
  };
  const plain = await first({});
  expect(await first({ 'revise.softerBlame.on': true, 'revise.softerBlame.slope': 0 })).not.toEqual(plain);
  expect(await first({ 'revise.virtualTarget.on': true })).not.toEqual(plain);
});
