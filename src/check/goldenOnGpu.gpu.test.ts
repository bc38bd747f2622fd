import { expect, test } from 'vitest';
import type { Batch } from '../contract/columns.ts';
import { below, random, uniform } from '../core/random.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { testDevice } from '../gpu/testDevice.ts';
import golden from './fixtures/advantage-core.json' with { type: 'json' };
import objectiveCases from './fixtures/objective-metrics.json' with { type: 'json' };
import stacks from './fixtures/stacks.json' with { type: 'json' };
import { GOLDEN_TOLERANCE, type AdvantageCase, type ObjectiveCase, type StackCase } from './conformance.ts';
import { objectiveKeys } from './conformance/objective.ts';
import { unitsOf } from './conformance/units.ts';
import { prepareEstimators } from '../slots/estimatorOf.ts';
import { withNotesApart } from '../slots/advantage/apart.ts';
import { estimators } from '../slots/methods.ts';
import { creditOnGpu } from '../engine/gpu/creditOnGpu.ts';
import { checkAdvantageOnGpu, checkStackOnGpu } from './goldenOnGpu.ts';
import { checkObjectivesOnGpu, checkStackLossOnGpu } from './objectivesOnGpu.ts';

const gpu = await testDevice();
await prepareEstimators(estimators.map(({ id }) => id));

test.each((golden.cases as unknown as AdvantageCase[]).map((c) => [c.name, c] as const))(
  'estimators on the GPU equal the golden values: %s',
  async (_name, c) => {
    const entries = await checkAdvantageOnGpu(gpu, c, GOLDEN_TOLERANCE);
    expect(entries.length).toBeGreaterThanOrEqual(35);
    expect(entries.filter((e) => !e.passed)).toEqual([]);
  },
);

test.each(
  (stacks.cases as unknown as StackCase[]).filter((c) => c.kind === 'stackCredit').map((c) => [c.name, c] as const),
)('credit of released stacks on the GPU equals theirs: %s', async (_name, c) => {
  const entries = await checkStackOnGpu(gpu, c, GOLDEN_TOLERANCE);
  expect(entries.length).toBe(Object.hasOwn(c.expected, 'grpoPassK') ? 9 : 7);
  expect(entries.filter((e) => !e.passed)).toEqual([]);
});

test.each(
  (objectiveCases.cases as unknown as ObjectiveCase[])
    .filter((c) => c.kind === 'objective')
    .map((c) => [c.name, c] as const),
)('objectives in WGSL equal the golden values: %s', async (_name, c) => {
  const entries = await checkObjectivesOnGpu(gpu, c, GOLDEN_TOLERANCE);
  expect(entries.length).toBe(24);
  expect(entries.filter((e) => !e.passed)).toEqual([]);
});

test.each(
  (stacks.cases as unknown as StackCase[]).filter((c) => c.kind === 'stackLoss').map((c) => [c.name, c] as const),
)('objectives of released stacks in WGSL equal the golden values: %s', async (_name, c) => {
  const entries = await checkStackLossOnGpu(gpu, c, GOLDEN_TOLERANCE);
  expect(entries.length).toBe(10);
  expect(entries.filter((e) => !e.passed)).toEqual([]);
});

test('where an action is nearly certain its gradient keeps its digits, however large the coefficient', async () => {
  const golden = (objectiveCases.cases as unknown as ObjectiveCase[]).find((c) => c.kind === 'objective')!;
  if (golden.kind !== 'objective') throw new Error('no case');
  const { actions, action, legal, mask } = golden.inputs;
  const at = (u: number): number => u * actions;
  // 1 − π_a is at most 3e-8, less than half of what f32 can tell from 1
  const logits = golden.inputs.logits.map((_, k) =>
    k === at(Math.floor(k / actions)) + action[Math.floor(k / actions)]! ? 18 : 0,
  );
  const inputs = { ...golden.inputs, logits, advantage: mask.map(() => 1e6) };
  const { gradLogits } = objectiveKeys['reinforce']!(unitsOf(inputs), {}) as { gradLogits: Float64Array };
  const free = mask.findIndex((m, u) => m !== 0 && legal.slice(at(u), at(u + 1)).filter((l) => l !== 0).length > 1);
  expect(Math.abs(gradLogits[at(free) + action[free]!]!)).toBeGreaterThan(1e-4);
  const expected = { reinforce: { gradLogits: [...gradLogits] } };
  const [entry] = await checkObjectivesOnGpu(gpu, { ...golden, inputs, expected }, GOLDEN_TOLERANCE);
  expect(entry).toMatchObject({ key: 'reinforce (WGSL)', passed: true });
});

test('cases that the kernel has no form for, and faulty ones, are never counted as passed on the GPU', async () => {
  const golden = (objectiveCases.cases as unknown as ObjectiveCase[]).find((c) => c.kind === 'objective')!;
  if (golden.kind !== 'objective') throw new Error('no case');
  const n = golden.inputs.mask.length;
  const one = (x: number): number[] => Array<number>(n * 33).fill(x);
  const wide = {
    ...{ actions: 33, legal: one(1), logits: one(0), logitsOld: one(0), logitsProx: one(0) },
    ...{ logitsMu: one(0), logitsRef: one(0) },
  };
  const onlyRatio = { gspo: { sequenceRatio: golden.inputs.outcome.map(() => 1) } };
  const found = (changes: object) =>
    checkObjectivesOnGpu(gpu, { ...golden, ...changes } as ObjectiveCase, GOLDEN_TOLERANCE);
  expect(await found({ inputs: { ...golden.inputs, ...wide } })).toMatchObject([{ built: false, passed: false }]);
  expect(await found({ inputs: { ...golden.inputs, logits: [] } })).toEqual([]);
  expect(await found({ expected: onlyRatio })).toEqual([]);
});

/** [steps, 40] cells of one of seven observations of which up to four differ: one that shares 38 is still similar. */
function cellsOf(seed: number, steps: number): Uint32Array {
  const draw = (purpose: number, k: number, n: number): number => below(random(seed, 200 + purpose, k, 0, 0), n);
  const cells = new Uint32Array(40 * steps);
  for (let k = 0; k < steps; k++) {
    const of = draw(21, k, 7);
    for (let c = 0; c < 40; c++) cells[40 * k + c] = (of * c) % 251;
    for (let n = draw(22, k, 5); n > 0; n--) cells[40 * k + draw(23, 4 * k + n, 40)]!++;
  }
  return cells;
}

/** A batch of unequal groups, repeated states and poisoned padding. */
function randomBatch(seed: number, B: number, T: number, tasks: number): Batch {
  const draw = (purpose: number, k: number, n: number): number => below(random(seed, 200 + purpose, k, 0, 0), n);
  const real = (purpose: number, k: number): number => uniform(random(seed, 200 + purpose, k, 0, 0));
  const length = Uint32Array.from({ length: B }, (_, i) => 1 + draw(1, i, T));
  const isReal = (k: number): boolean => k % T < length[Math.floor(k / T)]!;
  const steps = B * T;
  const padded = (f: (k: number) => number): Float32Array =>
    Float32Array.from({ length: steps }, (_, k) => (isReal(k) ? f(k) : 1e30));
  const reward = padded((k) => draw(2, k, 3) - 1);
  const outcome = Float32Array.from({ length: B }, (_, i) => {
    let total = 0;
    for (let t = 0; t < length[i]!; t++) total += reward[i * T + t]!;
    return total;
  });
  return {
    P: tasks,
    G: Math.ceil(B / tasks),
    B,
    T,
    length,
    taskIndex: Uint32Array.from({ length: B }, (_, i) => (i < tasks ? i : draw(3, i, tasks))),
    stateKey: Uint32Array.from({ length: 2 * steps }, (_, k) => draw(4, k >> 1, 7) * (k % 2 === 0 ? 1 : 0x10001)),
    finalStateKey: Uint32Array.from({ length: 2 * B }, (_, k) => draw(8, k >> 1, 3)),
    action: Uint32Array.from({ length: steps }, (_, k) => draw(9, k, 2)),
    reward,
    outcome,
    success: Uint32Array.from({ length: B }, (_, i) => draw(15, i, 2)),
    terminated: Uint32Array.from({ length: B }, (_, i) => draw(5, i, 2)),
    logp: padded((k) => -2 * real(10, k)),
    logpPhi: padded((k) => -2 * real(11, k)),
    rewardParts: Float32Array.from({ length: 4 * B }, (_, k) => draw(14, k, 5) - 2),
    greedyReturn: Float32Array.from({ length: tasks }, (_, g) => real(12, g)),
    entropy: padded((k) => real(13, k)),
    value: padded((k) => real(6, k) - 0.5),
    valueFinal: Float32Array.from({ length: B }, (_, i) => real(7, i)),
    tag: padded((k) => draw(16, k, 5)),
    did: padded((k) => draw(17, k, 3)),
    invalid: padded((k) => draw(18, k, 2)),
    novel: padded((k) => draw(19, k, 2)),
    obsCells: cellsOf(seed, steps),
    processScore: padded((k) => real(25, k) - 0.5),
    budgetReward: Float32Array.from({ length: B }, (_, i) => 2 ** -draw(24, i, 3)),
    answerProb: Float32Array.from({ length: B * (T + 1) }, (_, k) =>
      k % (T + 1) <= length[Math.floor(k / (T + 1))]! ? real(20, k) : 99,
    ),
  };
}

const shapes = [
  [1, 1, 1],
  [3, 1, 2],
  [7, 5, 3],
  [64, 3, 5],
  [65, 9, 4],
  [130, 17, 9],
] as const;

test.each(shapes)(
  'on odd shapes and poisoned padding they equal the definitions in all their parts: B %i, T %i, %i tasks',
  async (B, T, tasks) => {
    const batch = randomBatch(B * 100 + T, B, T, tasks);
    for (const estimator of estimators) {
      if (!estimator.gpu) continue;
      const params = defaultsOf(estimator.params);
      const want = estimator.run(batch, params as never);
      const got = await creditOnGpu(gpu, batch, estimator, params);
      const again = await creditOnGpu(gpu, batch, estimator, params);
      expect(again.A, `${estimator.id} twice`).toEqual(got.A);
      const parts = Object.entries(want.parts ?? {});
      expect(Object.keys(got.parts ?? {}), estimator.id).toEqual(parts.map(([name]) => name));
      for (const [name, values] of [['A', want.A] as const, ...parts]) {
        const found = name === 'A' ? got.A : got.parts![name]!;
        for (let k = 0; k < B * T; k++) {
          const isReal = k % T < batch.length[Math.floor(k / T)]!;
          const expected = isReal ? values[k]! : 0;
          // sums of up to 2,210 numbers near 1 in f32, divided by their spread: about 2210·6e-8 relative
          const error = Math.abs(found[k]! - expected);
          if (!(error <= 1e-4 + 5e-4 * Math.abs(expected)))
            expect.fail(`${estimator.id}, ${name}[${k}]: ${found[k]} against ${expected}`);
        }
      }
    }
  },
);

test('over step rows they equal the definitions too, with the parts and the trajectories that are left out', async () => {
  for (const [B, T, tasks] of [
    [1, 1, 1],
    [7, 5, 3],
    [65, 9, 4],
  ] as const) {
    const batch = randomBatch(B * 300 + T, B, T, tasks);
    for (const estimator of estimators) {
      const base = defaultsOf(estimator.params) as AnyValues;
      const name = ['rows', 'episodeRows'].find((n) => Object.hasOwn(base, n));
      if (!estimator.gpu || name === undefined) continue;
      const params = { ...base, [name]: 'steps', ...(estimator.id === 'hgpo' ? { episode: 'level' } : {}) };
      const want = estimator.run(batch, params as never);
      const got = await creditOnGpu(gpu, batch, estimator, params);
      expect(got.keep && [...got.keep], estimator.id).toEqual(want.keep && [...want.keep]);
      for (const [part, x] of Object.entries({ A: want.A, ...want.parts })) {
        const found = part === 'A' ? got.A : got.parts![part]!;
        x.forEach((a, k) => {
          const expected = k % T < batch.length[Math.floor(k / T)]! ? a : 0;
          // sums of up to 585 numbers near 1 in f32, divided by their spread
          if (!(Math.abs(found[k]! - expected) <= 1e-4 + 2e-4 * Math.abs(expected)))
            expect.fail(`${estimator.id} ${part}[${k}]: ${found[k]} against ${expected}`);
        });
      }
    }
  }
});

test('steps that write notes are compared with no others, as in the definitions', async () => {
  for (const [B, T, tasks] of [
    [7, 5, 3],
    [65, 9, 4],
  ] as const) {
    const batch = randomBatch(B * 500 + T, B, T, tasks);
    const split = estimators.map((e) => withNotesApart(e, 1)).filter((e, k) => e.gpu && e !== estimators[k]);
    expect(split.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['gigpo', 'hgpo', 'salt', 'gigpoSimilar', 'hicra']),
    );
    for (const estimator of split) {
      const params = defaultsOf(estimator.params);
      const want = estimator.run(batch, params as never).A;
      const got = await creditOnGpu(gpu, batch, estimator, params);
      for (let k = 0; k < B * T; k++) {
        const expected = k % T < batch.length[Math.floor(k / T)]! ? want[k]! : 0;
        // sums of up to 585 numbers near 1 in f32, divided by their spread
        if (!(Math.abs(got.A[k]! - expected) <= 1e-4 + 2e-4 * Math.abs(expected)))
          expect.fail(`${estimator.id} [${k}]: ${got.A[k]} against ${expected}`);
      }
    }
  }
});

test('histories of any length make the sets of their definition', async () => {
  const batch = randomBatch(5, 40, 17, 3);
  // two states and two actions: even long histories meet again
  const key = (words: Uint32Array): Uint32Array => words.map((word) => word & 1);
  const few: Batch = { ...batch, stateKey: key(batch.stateKey), finalStateKey: key(batch.finalStateKey) };
  const cases = [
    ...[0, 1, 2, 3, 5, 8].map((K) => ['hgpo', { K }] as const),
    ...[0, 1, 2, 3, 4, 6, 7, 16, 64].map((history) => ['salt', { history }] as const),
    ['salt', { history: 2, count: 'trajectory' }] as const,
  ];
  for (const [id, change] of cases) {
    const estimator = estimators.find((e) => e.id === id)!;
    const params = { ...defaultsOf(estimator.params), ...change };
    const want = estimator.run(few, params as never).A;
    const got = await creditOnGpu(gpu, few, estimator, params);
    for (let k = 0; k < want.length; k++) {
      const expected = k % few.T < few.length[Math.floor(k / few.T)]! ? want[k]! : 0;
      // sums of up to 680 numbers near 1 in f32, divided by their spread
      if (!(Math.abs(got.A[k]! - expected) <= 1e-4 + 2e-4 * Math.abs(expected)))
        expect.fail(`${id} ${JSON.stringify(change)} [${k}]: ${got.A[k]} against ${expected}`);
    }
  }
});
