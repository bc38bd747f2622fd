import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { versionOf } from './behavior.ts';
import { makePlan, makeTasks } from './plan.ts';
import { turnsOf } from './turns.ts';

const SMALL = {
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 10,
  'run.seeds': 2,
  'rollout.tasksPerBatch': 5,
  'rollout.groupSize': 2,
  'rollout.staleness': 3,
};

test.each([
  ['fixed', {}],
  ['mixed', {}],
  ['interrupted', {}],
  ['interrupted', { 'rollout.staleness': 40 }],
  ['queue', { 'rollout.generators': 7 }],
  ['queue', { 'rollout.generators': 7, 'rollout.interrupt': false }],
])('every step falls into one turn, that of its version, in ascending order: %s %o', (ages, changes) => {
  const plan = must(makePlan(configWith({ ...SMALL, 'rollout.ages': ages, ...changes })));
  const { S, B, T, seeds } = plan;
  let most = 0;
  for (const update of [0, 2, 9, 60]) {
    const tasks = makeTasks(plan, update, 'train');
    const turns = turnsOf(plan, tasks);
    most = Math.max(most, turns.length);
    for (let row = 0; row < S * B; row++) {
      const s = Math.floor(row / B);
      const played = turns.flatMap(({ versions, spans }) => {
        const [from, to] = spans.subarray(2 * row, 2 * row + 2);
        return Array.from({ length: to! - from! }, (_, k) => ({ t: from! + k, version: versions[s]! }));
      });
      expect(played.map(({ t }) => t)).toEqual(Array.from({ length: T }, (_, t) => t));
      for (const { t, version } of played)
        expect(version).toBe(versionOf(plan, seeds[s]!, update, tasks.taskIndex[row]!, t));
    }
    for (const { from, to, spans } of turns) {
      const real = Array.from({ length: S * B }, (_, row) => row).filter((row) => spans[2 * row + 1]! > 0);
      expect(from).toBe(Math.min(...real.map((row) => spans[2 * row]!)));
      expect(to).toBe(Math.max(...real.map((row) => spans[2 * row + 1]!)));
    }
  }
  // no more turns than versions, tasks or steps allow
  if (ages === 'fixed') expect(most).toBe(1);
  else expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(ages === 'mixed' ? 4 : 10);
});
