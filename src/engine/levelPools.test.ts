import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { fillPools } from './cpu/levelPool.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { createRun } from './run.ts';

/** A room of nine cells where start and goal are anywhere: so few levels that a batch meets some twice. */
const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 3, 'task.grid.random': true, 'task.levels': 0 },
  'task.grid.view': 'planes',
  ...{ 'task.grid.maxSteps': 12, 'policy.method': 'mlp', 'rollout.tasksPerBatch': 24, 'rollout.groupSize': 2 },
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 2, 'advantage.method': 'gigpo' },
};
const POOLED = { ...ROOM, 'task.poolLevels': true };

async function configOf(changes: Readonly<Record<string, unknown>>) {
  const config = configWith(changes);
  await prepareTask(config);
  return config;
}
const planOf = async (changes: Readonly<Record<string, unknown>>): Promise<Plan> =>
  must(makePlan(await configOf(changes)));

test.each(['exact', 'reduced', 'symmetric', 'bisimulation'])(
  'with %s keys two tasks are pooled when their levels have one name, and images of each other only by symmetric keys',
  async (stateKeys) => {
    const plan = await planOf({ ...POOLED, 'task.stateKeys': stateKeys });
    const tasks = makeTasks(plan, 0, 'train');
    const levelPool = new Uint32Array(plan.S * plan.B);
    for (let s = 0; s < plan.S; s++) fillPools(plan, { levelPool }, tasks, s);
    const startOf = (row: number): string => {
      const level = tasks.levels[tasks.levelOf[row]!];
      const [state, key] = [new Uint32Array(plan.env.words), new Uint32Array(2)];
      plan.env.reset(level, state, 0);
      plan.env.key(level, state, 0, key, 0);
      return stateKeys === 'symmetric' ? key.join() : plan.env.text(level, state, 0);
    };
    let pooled = 0;
    for (let a = 0; a < plan.B; a++)
      for (let b = 0; b < a; b++) {
        const isSame = startOf(a) === startOf(b);
        expect(levelPool[a] === levelPool[b]).toBe(isSame);
        if (isSame && tasks.taskIndex[a] !== tasks.taskIndex[b]) pooled++;
      }
    expect(pooled).toBeGreaterThan(0);
  },
);

test('nothing that is played before the first update changes, credit does, and a run gives the same numbers again', async () => {
  const records = async (changes: Readonly<Record<string, unknown>>) => {
    const run = must(await createRun(await configOf(changes)));
    const both = [await run.submit(), await run.submit()];
    run.dispose();
    return both;
  };
  const [plain, pooled, again] = [await records(ROOM), await records(POOLED), await records(POOLED)];
  expect([...pooled[0]!.hash]).toEqual([...plain[0]!.hash]);
  expect(pooled[0]!.metrics[metricIndex.gradNorm]).not.toBe(plain[0]!.metrics[metricIndex.gradNorm]);
  expect(again.map(({ hash, metrics }) => [...hash, ...metrics])).toEqual(
    pooled.map(({ hash, metrics }) => [...hash, ...metrics]),
  );
});

test('the form says where pools are in vain, and that they are found on the CPU', async () => {
  const issuesOf = async (changes: Readonly<Record<string, unknown>>) =>
    checkRules(await configOf({ ...POOLED, ...changes })).filter(({ path }) => path === 'task.poolLevels');
  expect(await issuesOf({})).toEqual([]);
  const [onGpu] = await issuesOf({ 'run.backend': 'auto' });
  expect(onGpu).toMatchObject({ severity: 'error', repair: { set: [{ path: 'run.backend', value: 'cpu' }] } });
  const [none] = await issuesOf({ 'advantage.method': 'grpo' });
  expect(none!.message).toContain('compares no states over tasks');
  const [one] = await issuesOf({ 'rollout.tasksPerBatch': 1 });
  expect(one!.message).toContain('a batch has one task');
});
