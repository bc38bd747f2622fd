import { expect, test } from 'vitest';
import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { Measurements, type MeasurementAnswer } from '../measurements.ts';
import type { DecisionRequest } from './decision.ts';
import type { AheadRequest } from './lookahead.ts';

const plain: AheadRequest = { depth: 4, width: 0, leaf: 'none', commit: 1, gamma: 0.99 };

async function open(changes: Record<string, unknown>, preset?: string): Promise<Run> {
  const base = preset === undefined ? undefined : presetConfig(presetById(preset)!);
  const config = configWith({ 'run.backend': 'cpu', 'run.seeds': 1, 'analysis.evalEvery': 0, ...changes }, base);
  await prepareTask(config);
  return must(await createRun(config));
}

function startOf(run: Run): Uint32Array {
  const state = new Uint32Array(run.plan.env.words);
  run.plan.env.reset(run.plan.level(1), state, 0);
  return state;
}

async function asker(run: Run) {
  const { state } = await run.checkpoint();
  const measurements = new Measurements();
  return (request: Partial<DecisionRequest>): MeasurementAnswer => {
    const decision = { ...plain, levelSeed: 1, state: startOf(run), t: 0, ...request };
    const ask = (isNew: boolean): MeasurementAnswer =>
      measurements.answer(run, state, { what: 'decision', n: 0, replica: 0, decision, isNew, workMs: 0 }, () => 0);
    let answer = ask(true);
    while (answer.done < 1) answer = ask(false);
    return answer;
  };
}

test('at the trap one step ahead likes the bonus, four like the way out, and the chances from there are exact', async () => {
  const run = await open({}, 'bonus-trap');
  for (let u = 0; u < 10; u++) await run.submit();
  const ask = await asker(run);
  const names = run.plan.env.actions(run.plan.level(1));
  const one = ask({ depth: 1 }).decision!;
  const four = ask({}).decision!;
  expect([names[one.best], names[four.best]]).toEqual(['left', 'right']);
  expect([...four.near]).toEqual([...one.Q]);
  expect([one.success!.ahead, four.success!.ahead, four.success!.best]).toEqual([0, 1, 1]);
  expect(four.success!.policy).toBeLessThan(0.5);
  expect(four.actions.map((a) => names[a])).toHaveLength(4);
  expect(four.states).toHaveLength(5);
  // the value of the plan is what its steps pay
  expect(four.Q[four.best]).toBeCloseTo(0.99 ** 3, 12);
  expect([...four.probs!].reduce((a, b) => a + b)).toBeCloseTo(1, 6);
});

test('Sokoban: up to six steps ahead the near target looks good, seven see that the other box must go first', async () => {
  for (const seed of [1, 2, 3]) {
    const run = await open({ 'run.seed': seed }, 'sokoban-trap');
    for (let u = 0; u < 40; u++) await run.submit();
    const ask = await asker(run);
    const chances = Array.from({ length: 8 }, (_, k) => ask({ depth: k + 1 }).decision!.success!);
    expect(chances.map(({ ahead }) => ahead)).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    expect(chances[0]!.best).toBe(1);
    // what was learned is the trap: the first box is on the near target after two steps
    expect(chances[0]!.policy).toBeLessThan(0.1);
    const level = run.plan.level(1);
    const names = run.plan.env.actions(level);
    const near = ask({ depth: 6 }).decision!;
    expect(near.actions.slice(0, 2).map((a) => names[a])).toEqual(['up', 'right']);
    const { probs } = near;
    expect(names[probs!.indexOf(Math.max(...probs!))]).toBe('up');
  }
});

test('the chance at the start is that of the measurement of the whole level, with any number of steps between looks', async () => {
  const run = await open({ 'task.grid.level': 'frozenLake4', 'task.grid.maxSteps': 12 });
  const { state } = await run.checkpoint();
  const ask = await asker(run);
  const whole = (ahead: AheadRequest): MeasurementAnswer => {
    const measurements = new Measurements();
    const next = (isNew: boolean): MeasurementAnswer =>
      measurements.answer(run, state, { what: 'lookahead', n: 0, replica: 0, ahead, isNew, workMs: 0 }, () => 0);
    let answer = next(true);
    while (answer.done < 1) answer = next(false);
    return answer;
  };
  for (const commit of [1, 2, 4]) {
    const measured = whole({ ...plain, depth: 5, commit }).lookahead!;
    const from = ask({ depth: 5, commit }).decision!;
    expect(from.success!.ahead).toBeCloseTo(measured.success[4]!, 12);
    expect(from.success!.policy).toBeCloseTo(measured.policy, 12);
    expect(from.success!.best).toBeGreaterThanOrEqual(from.success!.ahead);
  }
});

test('what follows a state is worth what the state is: on a sure way the chance stays, and the plan goes on as planned', async () => {
  const run = await open({}, 'bonus-trap');
  const ask = await asker(run);
  const first = ask({}).decision!;
  const second = ask({ state: first.states[1]!, t: 1 }).decision!;
  expect(second.success!.ahead).toBe(first.success!.ahead);
  expect(second.actions).toEqual(first.actions.slice(1));
  // the limit is 5 steps: with 3 taken nobody looks further than two
  expect(ask({ t: 3 }).decision!.depth).toBe(2);
});

test('a search from the state finds what the table of all states says', async () => {
  const few = { 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 };
  const listed = await open(few, 'sokoban-first-push');
  const known = (await asker(listed))({ depth: 6 }).decision!;
  expect(known.success).not.toBeNull();
  // the same level with so long a limit that its 121 states at all steps are too many to keep
  const large = await open({ ...few, 'task.sokoban.maxSteps': 1000 }, 'sokoban-first-push');
  const from = (await asker(large))({ depth: 6 }).decision!;
  expect([from.success, from.best]).toEqual([null, known.best]);
  expect([...from.Q]).toEqual([...known.Q]);
  expect(from.actions).toEqual(known.actions);
});

const big = { 'task.sokoban.w': 9, 'task.sokoban.h': 9, 'task.sokoban.boxes': 3, 'task.sokoban.pulls': 4 };

test('where the states cannot be listed the plan is searched, and no chance is told', async () => {
  const run = await open({ ...big, 'task.sokoban.maxSteps': 12 }, 'sokoban-one-box');
  const found = (await asker(run))({ depth: 3 }).decision!;
  expect([found.success, found.map]).toEqual([null, null]);
  expect(found.held).toBeGreaterThan(4);
  expect(found.actions).toHaveLength(3);
});

test('what cannot be looked at is said in a sentence', async () => {
  const run = await open({});
  expect((await asker(run))({ leaf: 'value' }).why).toMatch(/no critic/);
});
