import { expect, test } from 'vitest';
import { thetaOf } from '../contract/state.ts';
import { drawnFrom } from '../slots/rollout/archer/archerMemory.ts';
import { inputOf } from '../slots/rollout/archer/inputOf.ts';
import { TwinCritics } from '../slots/rollout/archer/twinCritics.ts';
import { twinState } from '../slots/rollout/archer/twinState.ts';
import { PLAIN_STARTS, StateStore } from '../contract/stateStore.ts';
import { metricOf as of, SMALL } from '../slots/rollout/sampleReturning.ts';
import { sampleRun, train } from './sampleRun.ts';

const ARCHER = {
  ...{ ...SMALL, 'rollout.method': 'archer', 'rollout.archer.warmup': 3, 'rollout.archer.rows': 4 },
  ...{ 'rollout.archer.looks': 4, 'rollout.archer.sample': 8, 'run.updates': 8 },
};

test('the policy waits while the critics learn alone, and is then the only thing that batches do not touch', async () => {
  const run = await sampleRun(ARCHER);
  const start = thetaOf((await run.checkpoint()).state).slice();
  const first = await train(run, 3);
  expect(thetaOf((await run.checkpoint()).state)).toEqual(start);
  for (const record of first) expect(of(record, 'imitatedRows')).toBe(0);
  for (const record of first) expect(of(record, 'criticError')).toBeGreaterThanOrEqual(0);
  const [fourth] = await train(run, 1);
  expect(of(fourth!, 'imitatedRows')).toBe(3 * 4);
  expect(thetaOf((await run.checkpoint()).state)).not.toEqual(start);
});

test('where batches train, too, a run in which only the critics learn is a plain one, bit for bit', async () => {
  const plain = await sampleRun({ ...SMALL, 'run.updates': 8 });
  const beside = await sampleRun({ ...ARCHER, 'rollout.archer.batch': 'trained', 'rollout.archer.warmup': 8 });
  const [a, b] = [await train(plain, 8), await train(beside, 8)];
  expect(b.map(({ hash }) => hash)).toEqual(a.map(({ hash }) => hash));
  expect(thetaOf((await beside.checkpoint()).state)).toEqual(thetaOf((await plain.checkpoint()).state));
  expect(b.map(({ envSteps }) => envSteps)).toEqual(a.map(({ envSteps }) => envSteps));
});

test('a pause, and a seed beside another one, change nothing', async () => {
  const whole = await sampleRun(ARCHER);
  await train(whole, 8);
  const first = await sampleRun(ARCHER);
  await train(first, 5);
  const second = await sampleRun(ARCHER);
  await second.restore(await first.checkpoint());
  await train(second, 3);
  expect((await second.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  const alone = await sampleRun({ ...ARCHER, 'run.seeds': 1, 'run.seed': Number(whole.config.run['seed']) + 1 });
  await train(alone, 8);
  expect((await alone.digest()).perSeed[0]).toBe((await whole.digest()).perSeed[1]);
});

test('commands of several words are credited as a whole', async () => {
  const words = {
    ...{ 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 16, 'run.seeds': 1 },
    ...{ 'reward.textmaze.step': -50, 'rollout.archer.warmup': 1, 'rollout.archer.rows': 2, 'rollout.archer.turns': 1 },
  };
  const run = await sampleRun({ ...ARCHER, ...words });
  const start = thetaOf((await run.checkpoint()).state).slice();
  const records = await train(run, 3);
  expect(of(records[2]!, 'imitatedRows')).toBe(2);
  expect(thetaOf((await run.checkpoint()).state)).not.toEqual(start);
});

test('critics of a corridor of three find the exact values of always going right', () => {
  // from the right: the goal pays 1, and every cell before it a factor of γ = 0.5 less; going left leads one cell back
  const sizes = { S: 1, parameter: 1, task: 1, row: 1, feature: 32, step: 1, unit: 1, word: 1, taskWord: 1 };
  const never = (): never => {
    throw new Error('Nothing here begins like this.');
  };
  const { tensors } = new StateStore(twinState, sizes, { ...PLAIN_STARTS, played: never, unknown: never });
  const critics = new TwinCritics(tensors);
  const at = (cell: number) => inputOf(Uint32Array.of(1 << cell), false);
  const steps = [0, 1, 2].flatMap((cell) =>
    [0, 1].map((action) => {
      const isLast = cell === 2 && action === 1;
      const next = Math.max(0, Math.min(2, cell + 2 * action - 1));
      return { seen: at(cell), next: at(next), action, fresh: 1, reward: Number(isLast), isLast };
    }),
  );
  let error = 1;
  for (let k = 0; k < 600; k++) error = critics.learn(steps, { gamma: 0.5, tau: 0.1, rate: 0.01 });
  expect(error).toBeLessThan(1e-4);
  // Q(2, right) = 1, Q(1, right) = 1/2, Q(0, right) = 1/4: V is the same, so nothing is better or worse than what is done
  for (const A of critics.advantages(steps)) expect(Math.abs(A)).toBeLessThan(0.02);
  // Q(c, left) = γ·V(c − 1)
  const left = critics.advantages(steps.map((step) => ({ ...step, fresh: 0 })));
  [0.125 - 0.25, 0.125 - 0.5, 0.25 - 1].forEach((A, cell) => expect(Math.abs(left[2 * cell]! - A)).toBeLessThan(0.02));
});

test('an action is drawn as often as π says, none that has no probability, and the last one where rounding ends', () => {
  const p = Float32Array.of(0, 0.25, 0, 0.75, 0);
  expect([0, 0.2, 0.26, 0.9999999].map((u) => drawnFrom(p, u))).toEqual([1, 1, 3, 3]);
  expect(drawnFrom(Float32Array.of(0, 1), 1 - 2 ** -53)).toBe(1);
});

test('critics read bits, or words and which stand side by side', () => {
  expect([...inputOf(Uint32Array.of(0b101, 1 << 31), false).index]).toEqual([0, 2, 63]);
  const [ab, ba] = [inputOf(Uint32Array.of(7 | (9 << 8)), true), inputOf(Uint32Array.of(9 | (7 << 8)), true)];
  expect([...ab.index]).not.toEqual([...ba.index]);
  for (const { index } of [ab, ba]) expect([...index]).toEqual(expect.arrayContaining([7, 9]));
});

test('with four episodes a batch all three agents learn a small room from replayed steps alone', async () => {
  const run = await sampleRun({
    ...{ 'run.backend': 'cpu', 'run.seeds': 3, 'run.updates': 60, 'task.grid.level': 'custom', 'task.levels': 1 },
    ...{ 'task.grid.text': 'S...\n.#..\n...G', 'task.grid.maxSteps': 10, 'policy.mlp.hidden': [16] },
    ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 1, 'advantage.method': 'reinforcePP' },
    ...{ 'rollout.method': 'archer', 'rollout.archer.warmup': 10, 'rollout.archer.sample': 32 },
    ...{ 'rollout.archer.looks': 30 },
  });
  const records = await train(run, 60);
  for (let s = 0; s < 3; s++) {
    const late = records.slice(-10).map((record) => of(record, 'success', s));
    expect(late.reduce((sum, x) => sum + x, 0) / 10).toBeGreaterThan(0.75);
  }
  // one action in four at random hardly ever gets there
  const early = records.slice(0, 10).map((record) => of(record, 'success'));
  expect(early.reduce((sum, x) => sum + x, 0) / 10).toBeLessThan(0.2);
  expect(records.reduce((sum, { envSteps }) => sum + envSteps, 0)).toBeLessThan(7_200);
});
