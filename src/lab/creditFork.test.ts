import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { CreditBatch } from './creditBatch.ts';
import { exactAt, exactTruths, rowsOfSteps, type Truths } from './creditExact.ts';
import { Forks } from './creditFork.ts';
import { FORKS } from './creditLimits.ts';
import { slowCode } from './creditLab.ts';
import { Grounds } from './creditGround.ts';
import { createRun } from '../engine/run.ts';

const base = configWith({
  'run.backend': 'cpu',
  'run.seeds': 1,
  'run.updates': 30,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 6,
});

async function batchAfter(updates: number, changes: Record<string, unknown>) {
  const run = must(await createRun(configWith(changes, base)));
  for (let u = 0; u < updates; u++) await run.submit();
  return { plan: run.plan, view: await run.backend.view(0) };
}

const ASKED = { 'task.question.on': true, 'task.question.answers': 2, 'task.question.signs': 1 };
test.each([
  ['a corridor', 20, { 'task.grid.n': 5 }],
  ['a question whose answer a sign tells', 1, { 'task.grid.n': 3, ...ASKED, 'rollout.groupSize': 24 }],
])('estimates from forks lie around the exact values, as far as their standard errors say: %s', async (_, n, world) => {
  const { plan, view } = await batchAfter(n, { 'task.grid.level': 'corridor', ...world });
  const grounds = new Grounds(plan);
  const job = exactTruths(grounds, view);
  let next = job.next();
  while (!next.done) next = job.next();
  const truths = next.value as Truths;
  const rows = rowsOfSteps(plan, truths, { ...view, length: view.batch.length });
  const forks = new Forks(plan, view);
  let far = 0;
  let count = 0;
  for (let i = 0; i < plan.B; i++)
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const k = i * plan.T + t;
      const level = truths.all[truths.of[i]!]!;
      const exact = exactAt(level, plan.actions, t, rows[k]!, view.batch.action[k]!);
      const { A, error } = forks.at(i, t)!;
      count++;
      // where all forks agree the spread says nothing: a chance of 1 in 20 is missed by all 64 in 4 % of the cases
      if (Math.abs(A - exact) > 3 * error + 0.05) far++;
    }
  expect(count).toBeGreaterThan(20);
  expect(far / count).toBeLessThanOrEqual(0.02);
});

test('equal forks are played once, and nothing depends on who asked before', async () => {
  const { plan, view } = await batchAfter(2, {});
  const forks = new Forks(plan, view);
  const first = forks.at(0, 0)!;
  const played = forks.played;
  expect(played).toBe(2 * FORKS);
  expect(forks.at(0, 0)).toEqual(first);
  expect(forks.played).toBe(played);
  // another trajectory of the same task starts in the same state: V is known, at most one action is new
  forks.at(1, 0);
  expect(forks.played).toBeLessThanOrEqual(played + FORKS);
  const other = new Forks(plan, view);
  other.at(1, 0);
  expect(other.at(0, 0)).toEqual(first);
});

test('a policy that reads its last commands has no exact values but estimates, with a sentence that says why', async () => {
  const { plan, view } = await batchAfter(1, {
    'policy.method': 'transformer',
    'policy.transformer.history': 2,
    'policy.transformer.width': 16,
    'task.grid.level': 'corridor',
    'task.grid.n': 4,
    'rollout.tasksPerBatch': 1,
    'rollout.groupSize': 2,
  });
  const batch = new CreditBatch(new Grounds(plan), view);
  let turns = 0;
  batch.workOn([{ id: 'grpo', params: {} }], () => turns++ > 3, await slowCode());
  const { truth, columns, pending } = batch.answer([{ id: 'grpo', params: {} }], true);
  expect(truth.kind).toBe('estimated');
  expect(truth.why).toBe(
    'The policy also reads its own last commands, so what it does is not a function of the state alone.',
  );
  expect(truth.knownSteps).toBeGreaterThan(0);
  expect(truth.knownSteps).toBeLessThanOrEqual(truth.steps);
  expect(truth.meanError).toBeGreaterThanOrEqual(0);
  expect(columns[0]!.scores!.gradCosine).toBeNull();
  expect(pending === null || pending.what === 'forks').toBe(true);
});
