import { expect, test, vi } from 'vitest';
import { must } from '../core/problem.ts';
import { backwardInduction } from '../core/dp.ts';
import { configWith } from '../config/schema.ts';
import { Grounds } from '../lab/creditGround.ts';
import { exactAt, exactTruths, rowsOfSteps, timeOf, type Truths } from '../lab/creditExact.ts';
import { bestValues } from '../lab/creditBest.ts';
import { Forks, freshTasks } from '../lab/creditFork.ts';
import { Snapshots } from '../lab/snapshot.ts';
import { demonstrations } from '../slots/rollout/demonstrations/demonstrations.ts';
import { placed } from '../slots/fixtures/modules/placed.ts';
import { defineTaskSource } from '../slots/task/types.ts';
import { beginOf } from './begins.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { firstRows } from './plannedRows.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';

const SMALL = {
  'task.grid.level': 'corridor',
  'task.grid.n': 6,
  'task.grid.maxSteps': 12,
  'task.levels': 1,
  'policy.mlp.hidden': [8],
  'rollout.tasksPerBatch': 6,
  'rollout.groupSize': 4,
  'run.backend': 'cpu',
  'run.seeds': 1,
};

const planOf = (changes: Record<string, unknown> = {}): Plan => ({
  ...must(makePlan(configWith({ ...SMALL, ...changes }))),
  source: placed,
  sourceParams: { moves: 3 },
});

async function played(updates: number, changes: Record<string, unknown> = {}) {
  const plan = planOf(changes);
  const run = await Run.create(plan, makeCpuBackend);
  await train(run, updates);
  const view = await run.backend.view(0);
  return { plan, run, view };
}

const stateOf = ({ env: { words }, T }: Plan, state: Uint32Array, i: number, t: number): Uint32Array =>
  state.slice((i * (T + 1) + t) * words, (i * (T + 1) + t + 1) * words);

test('episodes begin in the saved states of their tasks, and have as many steps left as one that came there', async () => {
  const { plan, view } = await played(2);
  const tasks = makeTasks(plan, 1, 'train');
  let saved = 0;
  for (let i = 0; i < plan.B; i++) {
    const start = beginOf(tasks, i);
    const group = view.batch.taskIndex[i]!;
    expect(start !== null).toBe(group % 2 === 1);
    const used = start ? start.at(-1)! & 0xffff : 0;
    if (start) {
      saved++;
      expect(used).toBe(3);
      expect(stateOf(plan, view.state, i, 0)).toEqual(start);
    }
    const limit = group % 3 === 2 ? plan.T - 2 : plan.T;
    expect(view.limits[i]).toBe(group % 3 === 2 ? limit : 0);
    if (view.batch.terminated[i] === 0) expect(view.batch.length[i]).toBe(limit - used);
    else expect(view.batch.length[i]).toBeLessThanOrEqual(limit - used);
  }
  expect(saved).toBe(plan.B / 2);
});

test('evaluations, and the panel of levels that never train, begin at the start whatever the source does', () => {
  for (const mode of ['eval', 'panel'] as const) expect(makeTasks(planOf(), 0, mode).begins).toBeUndefined();
});

test('a start that is over, has no step left, or comes from a source that does not say so is refused', () => {
  const plan = planOf();
  const good = [...makeTasks(plan, 0, 'train').begins!.states[0]!];
  const gives = (start: readonly number[], starts = true): (() => unknown) => {
    const source = defineTaskSource({
      ...{ id: 'bad', title: 'Bad', rev: 1, look: '', params: {}, starts },
      next: (state, context, params) =>
        placed.next(state, context, { moves: 3, ...params }).map((t) => ({ ...t, start })),
    });
    return () => makeTasks({ ...plan, source, sourceParams: {} }, 0, 'train');
  };
  const withClock = (clock: number): number[] => [...good.slice(0, -1), clock];
  expect(gives(good)).not.toThrow();
  expect(gives(withClock(plan.T))).toThrow('no episode can go on from');
  expect(gives(withClock(3 | (1 << 16)))).toThrow('no episode can go on from');
  expect(gives(good.slice(1))).toThrow('no episode can go on from');
  expect(gives(good, false)).toThrow('without saying so');
});

test('exact values are those of the task: level, start and step limit', async () => {
  const { plan, view } = await played(6);
  const grounds = new Grounds(plan);
  const job = exactTruths(grounds, view);
  let next = job.next();
  while (!next.done) next = job.next();
  const truths = next.value as Truths;
  const rows = rowsOfSteps(plan, truths, { ...view, length: view.batch.length });
  const { seen } = truths.all[0]!;
  const n = seen.model.states;
  const pi = truths.all[0]!.probsAt(0);
  let checked = 0;
  for (let i = 0; i < plan.B; i++) {
    const used = stateOf(plan, view.state, i, 0).at(-1)! & 0xffff;
    const limit = view.limits[i]! || plan.T;
    // the values of the whole level with this limit, read where the clock of the state stands
    const { Q, V } = backwardInduction(seen.model, pi, limit);
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const k = i * plan.T + t;
      const at = (used + t) * n + rows[k]!;
      const want = Q[at * plan.actions + view.batch.action[k]!]! - V[at]!;
      expect(exactAt(truths.all[truths.of[i]!]!, plan.actions, t, rows[k]!, view.batch.action[k]!)).toBeCloseTo(
        want,
        12,
      );
      expect(timeOf(view, i, t)).toBe(plan.T - limit + used + t);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(60);
  // six tasks of one level: with and without a start, with and without a limit
  expect(truths.all.length).toBeGreaterThanOrEqual(4);
});

test('best values of a step count the steps that are left: with one left, only the way out is worth something', async () => {
  const { plan, view } = await played(1);
  const i = Array.from({ length: plan.B }, (_, k) => k).find(
    (k) => view.limits[k]! > 0 && view.batch.terminated[k] === 0,
  )!;
  const last = view.batch.length[i]! - 1;
  const seen = new Grounds(plan);
  const best = bestValues(seen, view, i, last)!;
  const state = stateOf(plan, view.state, i, last);
  const all = seen.of(view.levelSeeds[i]!)!.all;
  const row = all.rowOf(state, 0);
  const now = Array.from({ length: plan.actions }, (_, a) => all.model.reward[row * plan.actions + a]!);
  expect([...best]).toEqual(now.map(Math.fround));
});

test('forks and fresh batches of a stored batch go on from, and begin in, the states of their tasks', async () => {
  const { plan, view } = await played(4);
  const tasks = freshTasks(plan, view, 0);
  for (let i = 0; i < plan.B; i++) expect(beginOf(tasks, i)).toEqual(stateOf(plan, view.state, i, 0));
  const forks = new Forks(plan, view);
  const limited = Array.from({ length: plan.B }, (_, k) => k).find(
    (k) => view.limits[k]! > 0 && view.batch.terminated[k] === 0,
  )!;
  const last = view.batch.length[limited]! - 1;
  const grounds = new Grounds(plan);
  const job = exactTruths(grounds, view);
  let next = job.next();
  while (!next.done) next = job.next();
  const truths = next.value as Truths;
  const row = rowsOfSteps(plan, truths, { ...view, length: view.batch.length })[limited * plan.T + last]!;
  const truth = truths.all[truths.of[limited]!]!;
  const exact = exactAt(truth, plan.actions, last, row, view.batch.action[limited * plan.T + last]!);
  const { A, error } = forks.at(limited, last)!;
  expect(Math.abs(A - exact)).toBeLessThanOrEqual(3 * error + 0.05);
});

test('a demonstration leads from the saved state of its task to the goal', () => {
  const plan = planOf();
  const scheme = demonstrations(1);
  const withDemos = { ...plan, scheme };
  const tasks = makeTasks(withDemos, 0, 'train');
  const rows = firstRows(withDemos, scheme, tasks, 0);
  let shown = 0;
  rows.forEach(({ actions }, i) => {
    if (!actions) return;
    const level = tasks.levels[tasks.levelOf[i]!]!;
    const state = new Uint32Array(plan.env.words);
    const saved = beginOf(tasks, i);
    if (saved) state.set(saved);
    else plan.env.reset(level, state, 0);
    const result = { reward: 0, flags: 0 };
    for (const action of actions) plan.env.step(level, state, 0, { action, seed: tasks.episodeSeed[i]! }, result);
    expect(result.flags & 5).toBe(5);
    if (saved) shown++;
  });
  expect(shown).toBe(3);
});

test('detours are those of episodes that began at the start', async () => {
  const { plan, run, view } = await played(3);
  const { measured } = await new Snapshots().make(run, 0);
  const own = Array.from({ length: plan.B }, (_, i) => i).filter((i) => view.batch.taskIndex[i]! % 2 === 0);
  const solved = own.filter((i) => view.batch.success[i] === 1);
  expect(solved.length).toBeGreaterThan(0);
  const best = plan.env.shortestPath(plan.level(plan.firstLevelSeed))!.length;
  const excess = solved.reduce((sum, i) => sum + view.batch.length[i]! - best, 0) / solved.length;
  expect(measured.excessSteps).toBeCloseTo(excess, 9);
});

test('what deals budgets among the members of a group does not go with starts that they share', async () => {
  vi.resetModules();
  vi.doMock('../slots/registry.ts', async (original) => {
    const { withAdded } = await import('../slots/fixtures/registry.ts');
    return withAdded(await original());
  });
  const { checkRules } = await import('../config/rules.ts');
  const { configWith: withPlaced, setValue } = await import('../config/schema.ts');
  const errors = (config: ReturnType<typeof withPlaced>) => checkRules(config).filter((i) => i.severity === 'error');
  const config = withPlaced({ ...SMALL, 'source.method': 'placed', 'task.stepBudget.on': true });
  const [issue] = errors(config);
  expect(issue).toMatchObject({ path: 'source.method', repair: { label: 'draw evenly' } });
  const [{ path, value }] = issue!.repair!.set as unknown as [{ path: string; value: unknown }];
  expect(errors(setValue(config, path, value))).toEqual([]);
  vi.doUnmock('../slots/registry.ts');
});
