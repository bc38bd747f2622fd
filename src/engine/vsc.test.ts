import { expect, test } from 'vitest';
import { named, thetaOf } from '../contract/state.ts';
import { PLAIN_STARTS, StateStore } from '../contract/stateStore.ts';
import { sampleBatch } from '../slots/advantage/sampleBatch.ts';
import { netState } from '../slots/reward/learned/net.ts';
import { inputOf } from '../slots/rollout/archer/inputOf.ts';
import { metricOf as of } from '../slots/rollout/sampleReturning.ts';
import { reachedIn, SuccessCritic } from '../slots/rollout/vscRl/vscMemory.ts';
import { sampleRun, train } from './sampleRun.ts';

const VSC = {
  ...{ 'run.backend': 'cpu', 'task.subgoals.on': true, 'task.subgoals.mode': 'given', 'run.seeds': 3 },
  ...{ 'task.grid.level': 'custom', 'task.grid.text': 'S.a\n#A#\n..G', 'task.grid.maxSteps': 24 },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 4, 'policy.mlp.hidden': [32], 'optimizer.learningRate': 0.01 },
  ...{ 'rollout.method': 'vscRl', 'rollout.vscRl.looks': 4, 'rollout.vscRl.sample': 32, 'rollout.vscRl.turns': 4 },
};

test('all three agents learn key and door within ten updates from kept steps alone', async () => {
  const run = await sampleRun(VSC);
  const records = await train(run, 10);
  for (let s = 0; s < 3; s++) {
    const first = records.findIndex((record) => of(record, 'success', s) >= 0.8);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(of(records[0]!, 'success', s)).toBeLessThan(0.4);
    // the filter acts: most steps that led nowhere are left out, and more steps lead somewhere than at first
    expect(of(records[0]!, 'keptUnfinished', s)).toBeLessThan(0.5);
    expect(of(records[9]!, 'keptSteps', s)).toBeGreaterThan(of(records[0]!, 'keptSteps', s));
  }
});

test('a pause changes nothing, and what is not kept moves the policy only with a pull', async () => {
  const whole = await sampleRun({ ...VSC, 'run.seeds': 2 });
  await train(whole, 4);
  const first = await sampleRun({ ...VSC, 'run.seeds': 2 });
  await train(first, 2);
  const second = await sampleRun({ ...VSC, 'run.seeds': 2 });
  await second.restore(await first.checkpoint());
  await train(second, 2);
  expect((await second.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  // no step leads anywhere in two steps of the world, and a rise of 1 is more than a chance can rise
  const none = { ...VSC, 'run.seeds': 1, 'task.grid.maxSteps': 1, 'rollout.vscRl.margin': 1 };
  const idle = await sampleRun(none);
  const start = thetaOf((await idle.checkpoint()).state).slice();
  const [record] = await train(idle, 1);
  expect(of(record!, 'keptSteps')).toBe(0);
  expect(of(record!, 'keptUnfinished')).toBe(0);
  expect(thetaOf((await idle.checkpoint()).state)).toEqual(start);
  const pulled = await sampleRun({ ...none, 'rollout.vscRl.reference': 0.5 });
  await train(pulled, 1);
  expect(thetaOf((await pulled.checkpoint()).state)).not.toEqual(start);
});

test('reached is where the active subgoal came to hold, moved on, or the episode succeeded', () => {
  const batch = {
    ...sampleBatch(
      [
        { reward: [0, 0, 0, 1], success: true },
        { reward: [0, 0, 0, 0], success: false },
      ],
      4,
    ),
    // the first subgoal is reached with step 1 and moves on; the second one is never reached, but the episode succeeds
    subgoal: Uint8Array.of(1, 1, 2, 2, 2, 3, 3, 3, 3, 3),
    // below: it held from the start, is lost, and is reached again with the last step
    subgoalHeld: Uint8Array.of(0, 0, 2, 0, 0, 1, 0, 0, 0, 1),
  };
  expect([...reachedIn(batch, 0)]).toEqual([0, 1, 0, 1]);
  expect([...reachedIn(batch, 1)]).toEqual([0, 0, 0, 1]);
});

test('the critic of success finds how often what it sees comes true', () => {
  const sizes = { S: 1, parameter: 1, task: 1, row: 1, feature: 32, step: 1, unit: 1, word: 1, taskWord: 1 };
  const never = (): never => {
    throw new Error('Nothing here begins like this.');
  };
  const starts = { ...PLAIN_STARTS, played: never, unknown: never };
  const { tensors } = new StateStore(named('critic', netState), sizes, starts);
  const critic = new SuccessCritic(tensors);
  const [a, b] = [inputOf(Uint32Array.of(1), false), inputOf(Uint32Array.of(2), false)];
  expect(critic.of(a)).toBe(0.5);
  let loss = 0;
  for (let k = 0; k < 600; k++) loss = critic.learn([a, a, a, a, b], [1, 0, 1, 1, 0], 0.02);
  expect(Math.abs(critic.of(a) - 0.75)).toBeLessThan(0.02);
  expect(critic.of(b)).toBeLessThan(0.05);
  // the entropy of three of four, in four of five steps: 0.8·0.5623
  expect(Math.abs(loss - 0.45)).toBeLessThan(0.03);
});
