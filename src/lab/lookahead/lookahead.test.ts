import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { prepareTask } from '../../config/level.ts';
import { must } from '../../core/problem.ts';
import { backwardInduction } from '../../core/dp.ts';
import { thetaOf } from '../../contract/state.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { Grounds } from '../creditGround.ts';
import { Measurements, type MeasurementAnswer } from '../measurements.ts';
import type { AheadRequest } from './lookahead.ts';
import { playAhead } from './play.ts';
import { StateJudges } from './stateJudges.ts';

const plain: AheadRequest = { depth: 6, width: 0, leaf: 'none', commit: 1, gamma: 0.99 };

async function open(changes: Record<string, unknown>, preset?: string): Promise<Run> {
  const base = preset === undefined ? undefined : presetConfig(presetById(preset)!);
  const config = configWith({ 'run.backend': 'cpu', 'run.seeds': 1, 'analysis.evalEvery': 0, ...changes }, base);
  await prepareTask(config);
  return must(await createRun(config));
}

/** Asks until it is done, in calls without time. */
async function measure(run: Run, ahead: AheadRequest): Promise<MeasurementAnswer> {
  const { state } = await run.checkpoint();
  const measurements = new Measurements();
  const ask = (isNew: boolean): MeasurementAnswer =>
    measurements.answer(run, state, { what: 'lookahead', n: 0, replica: 0, ahead, isNew, workMs: 0 }, () => 0);
  let answer = ask(true);
  while (answer.done < 1) answer = ask(false);
  return answer;
}

test('the trap: trained or not, one to three steps ahead walk into it, and four see the way out', async () => {
  for (const seed of [1, 2, 3]) {
    const run = await open({ 'run.seed': seed }, 'bonus-trap');
    for (let u = 0; u < 40; u++) await run.submit();
    const none = (await measure(run, plain)).lookahead!;
    expect(none.isExact).toBe(true);
    expect(none.policy).toBeLessThan(0.1);
    expect(none.likeliest).toBe(0);
    expect(none.success).toEqual([0, 0, 0, 1, 1, 1]);
    const { success } = (await measure(run, { ...plain, leaf: 'value' })).lookahead!;
    expect([success[0], success[3], success[4]]).toEqual([0, 1, 1]);
    // who stays with a plan sees no more than who made it
    expect((await measure(run, { ...plain, commit: 6 })).lookahead!.success).toEqual([0, 0, 0, 1, 1, 1]);
  }
});

test('as deep as the step limit, with nothing at the end, lookahead is the best that can be done', async () => {
  const run = await open({ 'task.grid.level': 'frozenLake4', 'task.grid.maxSteps': 10 });
  const { success } = (await measure(run, { ...plain, depth: 10, gamma: 1 })).lookahead!;
  const seed = 1;
  const { model } = new Grounds(run.plan).of(seed)!.seen!;
  // a goal pays 1, so the most reward is the largest chance of success
  const best = backwardInduction(model, null, 10, 1, 'reward').V[0]!;
  expect(success[9]).toBeCloseTo(best, 12);
  expect(success[0]).toBeLessThan(best);
});

test('episodes that are searched step by step do what the table of all states says', async () => {
  const run = await open({ 'advantage.method': 'gae' });
  for (let u = 0; u < 3; u++) await run.submit();
  const { state } = await run.checkpoint();
  for (const leaf of ['value', 'potential', 'none'] as const)
    for (const [width, commit] of [
      [0, 1],
      [2, 1],
      [0, 3],
    ] as const) {
      const request = { ...plain, depth: 5, leaf, width, commit };
      const found = (await measure(run, request)).lookahead!;
      const judges = new StateJudges(run.plan, thetaOf(state), undefined, leaf);
      for (let depth = 1; depth <= 5; depth++) {
        const played = playAhead(run.plan, judges, { ...request, depth }, { replica: 0, seed: 1, episode: 0 });
        expect(played.success, `${leaf} ${width} ${commit} ${depth}`).toBe(found.success[depth - 1]);
      }
    }
});

test('the distance to the goal at the end leads there with one step of lookahead', async () => {
  const run = await open({});
  const found = (await measure(run, { ...plain, leaf: 'potential' })).lookahead!;
  expect(found.success[0]).toBe(1);
});

/** Tens of thousands of states. */
const large = { 'task.sokoban.w': 9, 'task.sokoban.h': 9, 'task.sokoban.boxes': 3, 'task.sokoban.pulls': 4 };

test('a level with too many states is searched from where the agent is', async () => {
  const run = await open({ ...large, 'task.sokoban.maxSteps': 12 }, 'sokoban-one-box');
  const { lookahead } = await measure(run, { ...plain, depth: 3, leaf: 'none' });
  expect(lookahead!.isExact).toBe(false);
  expect(lookahead!.held![2]).toBeGreaterThan(lookahead!.held![0]!);
  expect(lookahead!.policy).toBeLessThan(0.5);
  for (const x of lookahead!.success) expect(x >= 0 && x <= 1).toBe(true);
});

test('what cannot be looked at is said in a sentence', async () => {
  const noCritic = await open({});
  expect((await measure(noCritic, { ...plain, leaf: 'value' })).why).toMatch(/no critic/);
  const normalized = await open({ 'advantage.method': 'gae', 'reward.normalize': true });
  expect((await measure(normalized, { ...plain, leaf: 'value' })).why).toMatch(/normalized/);
});
