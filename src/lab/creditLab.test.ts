import { countsOrigin } from '../contract/rows.ts';
import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { estimators } from '../slots/methods.ts';
import { creditCorr, creditSign } from '../core/fidelity.ts';
import type { Asked, CreditAnswer } from './creditTypes.ts';
import { createRun } from '../engine/run.ts';
import { Snapshots } from './snapshot.ts';
import { slowCode } from './creditLab.ts';

const base = configWith({ 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 20 });
const ask = (...ids: string[]): Asked[] =>
  ids.map((id) => ({ id, params: defaultsOf(estimators.find((e) => e.id === id)!.params) }));

/** A run after some updates, with its batch kept. */
async function shown(changes: Record<string, unknown> = {}, updates = 3) {
  const run = must(await createRun(configWith(changes, base)));
  for (let u = 0; u < updates; u++) await run.submit();
  const snapshots = new Snapshots();
  const snapshot = await snapshots.make(run, 0);
  const { update, replica } = snapshot;
  // every look at it is a millisecond
  let clock = 0;
  const slow = await slowCode();
  const batch = snapshots.lab.keep(run.plan, await run.backend.view(0), new Map());
  const answer = (methods: Asked[], workMs = 0, withArrays = true): CreditAnswer =>
    snapshots.lab.answer({ update, replica, methods, workMs, withArrays }, () => clock++, slow);
  return { run, snapshots, snapshot, batch, answer };
}

test('the credit of the run itself comes back equal, with its parts and with the scores of the snapshot', async () => {
  const { snapshot, answer } = await shown();
  const { columns, truth, isKept } = answer(ask('gigpo'));
  expect(isKept).toBe(true);
  expect(columns[0]!.A).toEqual(snapshot.A);
  expect(columns[0]!.parts).toEqual(snapshot.parts);
  expect(truth).toMatchObject({ kind: 'exact', knownSteps: truth.steps });
  expect(truth.values).toEqual(snapshot.exact);
  expect(columns[0]!.scores).toMatchObject({
    pearson: snapshot.creditCorr,
    sign: snapshot.creditSign,
    gradCosine: snapshot.measured.gradCosine,
  });
});

test('demonstrations count in no number, and their steps are worth something all the same', async () => {
  const rlPlus = { 'objective.method': 'rlPlus', 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4 };
  const { run, snapshot, answer } = await shown(rlPlus, 1);
  const { B, T } = run.plan;
  const stepsOf = (rows: readonly number[]): number[] =>
    rows.flatMap((i) => Array.from({ length: snapshot.length[i]! }, (_, t) => i * T + t));
  const rows = Array.from({ length: B }, (_, i) => i);
  const own = stepsOf(rows.filter((i) => countsOrigin(snapshot.origin[i]!)));
  const { truth, columns } = answer(ask('grpo'));
  const { A, scores } = columns[0]!;
  const corr = (steps: readonly number[]): number | null =>
    creditCorr(
      steps.map((k) => A![k]!),
      steps.map((k) => truth.values![k]!),
    );
  expect(own.length).toBeLessThan(stepsOf(rows).length);
  expect([truth.steps, truth.knownSteps]).toEqual([own.length, own.length]);
  expect(scores!.pearson).toBeCloseTo(corr(own)!, 6);
  expect(Math.abs(corr(own)! - corr(stepsOf(rows))!)).toBeGreaterThan(1e-3);
  expect(stepsOf(rows).some((k) => !own.includes(k) && truth.values![k] !== 0)).toBe(true);
  expect(snapshot.creditCorr).toBeCloseTo(answer(ask('gigpo')).columns[0]!.scores!.pearson!, 6);
});

test('best values tell the way from a detour, and are unknown where the state is not all', async () => {
  const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 6, 'rollout.tasksPerBatch': 1 };
  const { run, snapshots } = await shown(corridor, 1);
  const explain = (lab: Snapshots) => lab.lab.explain({ update: 0, replica: 0, ...ask('gigpo')[0]!, i: 0, t: 0 });
  const best = [...(await explain(snapshots)).best!];
  const right = run.plan.actionNames.indexOf('right');
  // six steps to the goal, the reward of the sixth counts 0.99⁵
  expect(best[right]).toBeCloseTo(0.99 ** 5, 6);
  expect(best.every((q, a) => a === right || q < 0.99 ** 6 + 1e-6)).toBe(true);
  const late = await shown({ ...corridor, 'task.rewardDelay': 2 }, 1);
  expect(await explain(late.snapshots)).toMatchObject({ isKept: true, best: null });
});

test('scores are those of the definitions, over real steps only', async () => {
  const { snapshot, answer } = await shown({}, 20);
  const { A, scores } = answer(ask('salt')).columns[0]!;
  expect(scores!.nmse).toBeLessThan(1);
  const real = (x: Float32Array): number[] =>
    [...x].filter((_, k) => k % snapshot.T < snapshot.length[Math.floor(k / snapshot.T)]!);
  expect(scores!.pearson).toBe(creditCorr(real(A!), real(snapshot.exact!)));
  expect(scores!.sign).toBe(creditSign(real(A!), real(snapshot.exact!)));
  // 1 − cos²
  expect(Math.abs(scores!.nmse! - (1 - scores!.cosine! ** 2))).toBeLessThan(1e-12);
});

/** Right signs of a batch whose world pays `factor` times as much as usual for everything. */
async function signsAt(factor: number, changes: Record<string, unknown> = {}) {
  const rewards = { 'reward.grid.goal': 1000 * factor, 'reward.grid.step': -20 * factor };
  const { answer, snapshot } = await shown({ ...rewards, ...changes }, 1);
  let found = answer(ask('grpo'), 2000);
  while (found.truth.kind === 'none') found = answer(ask('grpo'), 2000);
  const { sign, signSteps } = found.columns[0]!.scores!;
  return { sign, signSteps, threshold: found.truth.threshold, shown: snapshot.creditSign };
}

test('which steps made a difference does not depend on the unit of the rewards', async () => {
  const usual = await signsAt(1);
  // the step to the goal pays 0.98, every other −0.02
  expect(usual.threshold).toBeCloseTo(0.02, 12);
  expect(usual.signSteps).toBeGreaterThan(10);
  const tenth = await signsAt(0.1);
  expect(tenth).toEqual({ ...usual, threshold: expect.closeTo(0.002, 12) });
});

test('the unit of the rewards does not matter to estimated values either', async () => {
  const guessed = { 'task.rewardDelay': 2, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 };
  const usual = await signsAt(1, guessed);
  expect(usual.signSteps).toBeGreaterThan(0);
  expect(await signsAt(0.1, guessed)).toEqual({ ...usual, threshold: expect.closeTo(usual.threshold / 10, 6) });
});

test('the range of rewards is that of what can be paid, not of what is paid on average', async () => {
  const slippery = { 'task.grid.level': 'frozenLake4' };
  const { snapshot, answer } = await shown(slippery, 1);
  expect([snapshot.signThreshold, answer(ask('grpo')).truth.threshold]).toEqual([0.02, 0.02]);
});

test('the exact advantage agrees with itself in every number, and points up the exact gradient where sampled often', async () => {
  const { answer } = await shown();
  const [exact, toGo, outcome] = answer(ask('grpo')).references;
  expect(exact!.scores).toMatchObject({ sign: 1, nmse: expect.closeTo(0, 9), pearson: expect.closeTo(1, 9) });
  expect(toGo!.scores.pearson!).toBeGreaterThan(outcome!.scores.pearson! - 1e-9);
});

test('another estimator does one run of that estimator and one gradient, nothing else', async () => {
  const { batch, answer } = await shown({ 'rollout.groupSize': 16, 'rollout.tasksPerBatch': 8 });
  answer(ask('gigpo', 'grpo'));
  const before = { ...batch.work };
  answer(ask('gigpo', 'grpo', 'salt'));
  expect(batch.work).toEqual({ ...before, estimators: before.estimators + 1, gradients: before.gradients + 1 });
  answer(ask('salt', 'grpo'));
  expect(batch.work).toEqual({ ...before, estimators: before.estimators + 1, gradients: before.gradients + 1 });
});

test('many settings in a row, as of a number that is dragged, are not all kept', async () => {
  const { answer, batch } = await shown();
  const asked = (w: number): Asked => ({ id: 'gigpo', params: { ...ask('gigpo')[0]!.params, omega: w / 64 } });
  const first = answer([asked(0)]).columns[0]!;
  for (let w = 0; w < 64; w++) answer([asked(w)]);
  const before = batch.work.estimators;
  // the newest is still there, the first one is computed again and is the same
  answer([asked(63)]);
  expect(batch.work.estimators).toBe(before);
  expect(answer([asked(0)]).columns[0]).toEqual(first);
  expect(batch.work.estimators).toBe(before + 1);
});

test('what takes longer is worked out in slices, ends, and leaves the run as it was', async () => {
  const { run, batch, answer } = await shown({}, 2);
  const digest = await run.digest();
  const state = await run.backend.save();
  const methods = ask('gigpo', 'grpo');
  expect(answer(methods).pending).toEqual({ what: 'batches', share: 0 });
  let answers = 0;
  let last = answer(methods, 5, false);
  while (last.pending && answers++ < 2000) last = answer(methods, 5, false);
  expect(answers).toBeGreaterThan(3);
  expect(last.pending).toBeNull();
  expect(batch.work.estimators).toBe(2);
  for (const { deep } of last.columns) {
    expect(deep!.curve.map((c) => c.groups)).toEqual([1, 2, 4, 8, 16, 32]);
    for (const { low, median, high } of deep!.curve) {
      expect(low).toBeLessThanOrEqual(median);
      expect(median).toBeLessThanOrEqual(high);
    }
    // more groups, less noise in the direction
    expect(deep!.curve.at(-1)!.median).toBeGreaterThan(deep!.curve[0]!.median);
    expect(deep!.error!.variance).toBeGreaterThan(0);
    expect(deep!.error!.covered).toBeGreaterThan(0.5);
  }
  expect(await run.digest()).toEqual(digest);
  expect(await run.backend.save()).toEqual(state);
});

test('methods whose data are missing answer with a sentence, the others with numbers', async () => {
  const { answer } = await shown();
  const [arpo, gae, grpo] = answer(ask('arpo', 'gae', 'grpo')).columns;
  expect(arpo!.why).toBe('ARPO needs episodes that were forked from others, which this experiment does not record.');
  expect(gae!.why).toBe('PPO with critic (GAE) needs a critic, and this run trains none.');
  expect([arpo!.A, gae!.A, arpo!.scores]).toEqual([null, null, null]);
  expect(grpo!.why).toBeNull();
});

test('unknown names and a batch that is gone are answers, not errors', async () => {
  const { snapshots, snapshot, answer } = await shown();
  expect(answer([{ id: 'nobody', params: {} }]).columns[0]!.why).toBe('This estimator is not known here.');
  const gone = { update: 99, replica: 0, methods: ask('grpo'), workMs: 5, withArrays: true };
  expect(snapshots.lab.answer(gone, () => 0)).toMatchObject({ isKept: false, columns: [] });
  expect(snapshots.lab.hold({ update: 99, replica: 0 })).toBe(false);
  expect(snapshots.lab.hold(snapshot)).toBe(true);
});

test('a batch that is held stays while training shows others', async () => {
  const { run, snapshots, snapshot, answer } = await shown();
  snapshots.lab.hold(snapshot);
  for (let u = 0; u < 9; u++) {
    await run.submit();
    await snapshots.make(run, 0);
  }
  const { isKept, columns } = answer(ask('gigpo'));
  expect(isKept).toBe(true);
  expect(columns[0]!.A).toEqual(snapshot.A);
});

test('measures of the batches that were shown make a curve', async () => {
  const { run, snapshots } = await shown();
  for (let u = 0; u < 2; u++) {
    await run.submit();
    await snapshots.make(run, 0);
  }
  const { history } = await snapshots.make(run, 0);
  expect([...history.update], 'updates count from 1').toEqual([3, 4, 5]);
  expect(history.envSteps[2]).toBe(run.series.envSteps(4));
});
