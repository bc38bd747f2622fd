import { expect, test } from 'vitest';
import { estimateCost } from '../config/cost.ts';
import { memoryOf } from '../config/memory.ts';
import { configWith } from '../config/schema.ts';
import { ORIGINS } from '../contract/rows.ts';
import { groupsOf } from '../core/batch.ts';
import { must } from '../core/problem.ts';
import { sum } from '../core/stats.ts';
import { metricIndex, METRICS } from '../slots/metrics/metrics.ts';
import { rollouts } from '../slots/registry.ts';
import { hasScheme, type RolloutScheme, type RowField, type RowsSeen } from '../slots/rollout/types.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { CpuRounds } from './cpu/rounds.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 12, 'policy.mlp.hidden': [8], 'run.seeds': 2 },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 7, 'reward.grid.step': -30, 'analysis.evalEvery': 2 },
};
const schemes = rollouts.filter(hasScheme).map((module) => module.id);
const FORKS = { ...SMALL, 'rollout.method': 'arpo', 'rollout.arpo.starts': 3, 'rollout.arpo.alpha': 0.3 };

/** Runs where each step that was really taken is counted. */
async function counted(changes: Record<string, unknown>): Promise<{ run: Run; steps: () => number }> {
  const { whole } = await sampleRun(changes);
  let steps = 0;
  const env: Plan['env'] = {
    ...whole.env,
    step: (...of) => {
      steps++;
      whole.env.step(...of);
    },
  };
  return { run: await Run.create({ ...whole, env }, makeCpuBackend), steps: () => steps };
}

test.each(schemes)(
  '%s fills its batch, group by group, and what it charges are the steps that were taken',
  async (id) => {
    const changes = { ...SMALL, 'rollout.method': id, 'analysis.evalEvery': 0, 'run.seeds': 1 };
    // nothing but the rollout takes steps: which steps may fork is not asked here
    const alone = { arpo: { 'rollout.arpo.eligible': 'all' }, sqirl: { 'rollout.sqirl.batches': 8 } }[id];
    const { run, steps } = await counted({ ...changes, ...alone });
    // its rows are walked with the same chance once before, as their actions depend on the states that they come to
    const walks = id === 'sqirl' ? 2 : 1;
    for (let u = 0; u < 3; u++) {
      const before = steps();
      const { envSteps } = await run.submit();
      expect(walks * envSteps).toBe(steps() - before);
      const { batch } = await run.backend.view(0);
      expect(groupsOf(batch).map((rows) => rows.length)).toEqual([7, 7]);
    }
  },
);

test.each(schemes)('%s looks at the columns that it needs, at all of them and at no others', async (id) => {
  // only where plans are made it looks for their end
  const plans = id === 'blueprints' ? { 'task.subgoals.on': true, 'task.subgoals.mode': 'blueprint' } : {};
  const { whole } = await sampleRun({ ...SMALL, 'rollout.method': id, ...plans });
  const scheme = whole.scheme!;
  const asked = new Set<string>();
  const watched = (seen: RowsSeen): RowsSeen =>
    new Proxy(seen, { get: (of, name) => (asked.add(String(name)), of[name as keyof RowsSeen]) });
  const { next, round, take, settle } = scheme;
  const watching: RolloutScheme = {
    ...scheme,
    ...(next ? { next: (seen, context) => next(watched(seen), context) } : {}),
    ...(round ? { round: (seen, context, n) => round(watched(seen), context, n) } : {}),
    ...(take ? { take: (seen, played, context, n) => take(watched(seen), watched(played), context, n) } : {}),
    ...(settle ? { settle: (seen, context) => settle(watched(seen), context) } : {}),
  };
  const run = await Run.create({ ...whole, scheme: watching }, makeCpuBackend);
  await train(run, 2);
  asked.delete('count');
  expect([...asked].sort()).toEqual([...((scheme.needs ?? []) as RowField[])].sort());
});

test('ARPO forks episodes of the starts, in their tasks, and leaves the rest to late starts', async () => {
  const run = await sampleRun(FORKS);
  await train(run, 2);
  const { batch } = await run.backend.view(0);
  const origin = Array.from(batch.origin!, (at) => ORIGINS[at]);
  expect(origin.slice(0, 6)).toEqual(Array(6).fill('own'));
  expect(origin).toContain('fork');
  origin.forEach((from, row) => {
    const parent = batch.branchParent![row]!;
    expect(parent >= 0).toBe(from === 'fork');
    if (parent >= 0) expect(batch.taskIndex[parent]).toBe(batch.taskIndex[row]);
    expect(batch.branchStep![row]! > 0).toBe(from === 'fork');
  });
  expect(sum(batch.branchStep!)).toBeGreaterThan(0);
});

test('with as many fresh starts as a group has episodes, ARPO is plain sampling, bit for bit', async () => {
  const [a, b] = [await sampleRun({ ...FORKS, 'rollout.arpo.starts': 7 }), await sampleRun(SMALL)];
  const [one, two] = [await train(a, 3), await train(b, 3)];
  // what only a rollout that forks tells of itself
  for (const { metrics } of one)
    for (const s of [0, 1]) {
      expect(metrics[s * METRICS + metricIndex.independent]).toBe(1);
      metrics[s * METRICS + metricIndex.independent] = NaN;
    }
  expect(one).toEqual(two);
});

test('forked episodes are credited by the estimator that knows of forks: steps that episodes share agree', async () => {
  const run = await sampleRun({ ...FORKS, 'advantage.method': 'arpo', 'advantage.arpo.shared': 'hard' });
  await train(run, 2);
  const { batch, A } = await run.backend.view(0);
  const { T, branchParent, branchStep } = batch;
  let shared = 0;
  Array.from(branchParent!, (parent, row) => {
    if (parent < 0) return;
    for (let t = 0; t < branchStep![row]!; t++, shared++) expect(A[row * T + t]).toBe(A[parent * T + t]);
  });
  expect(shared).toBeGreaterThan(0);
});

const WAYS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a balanced budget', { 'rollout.arpo.budget': 'balanced', 'rollout.arpo.balance': 20 }],
  ['forks after the action', { 'rollout.arpo.forkPoint': 'after' }],
  ['another first action', { 'rollout.arpo.distinct': true }],
  ['junctions', { 'rollout.arpo.eligible': 'junction', 'rollout.arpo.penalty': 0.25 }],
  [
    'new information, a penalty over the group',
    { 'rollout.arpo.eligible': 'newInformation', 'rollout.arpo.penalty': 0.5, 'rollout.arpo.scope': 'task' },
  ],
];

test.each(WAYS)(
  'ARPO with %s: groups are full, decisions say which rows they made, and it resumes exactly',
  async (_, own) => {
    const changes = { ...FORKS, 'run.backend': 'cpu', ...own };
    const run = await sampleRun(changes);
    await train(run, 1);
    const middle = await run.checkpoint();
    const rest = await train(run, 2);
    expect(await train(await Run.create(run.whole, makeCpuBackend, middle), 2)).toEqual(rest);
    const { batch, forks } = await run.backend.view(1);
    expect(groupsOf(batch).map((rows) => rows.length)).toEqual([7, 7]);
    const made = new Map(forks!.filter((d) => d.forks).map((d) => [d.child, d]));
    const after = own['rollout.arpo.forkPoint'] === 'after' ? 1 : 0;
    let count = 0;
    batch.branchParent!.forEach((parent, row) => {
      if (parent < 0) return;
      count++;
      expect(made.get(row)).toMatchObject({ row: parent, t: batch.branchStep![row]! - after });
    });
    expect(made.size).toBe(count);
    for (const { probability, delta } of forks!) {
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
      expect(Math.abs(delta)).toBeLessThanOrEqual(1);
    }
  },
);

test('a balanced budget keeps its probe as the first row, and tasks differ in their fresh starts', async () => {
  const run = await sampleRun({ ...FORKS, 'rollout.arpo.budget': 'balanced', 'rollout.arpo.balance': 50 });
  await train(run, 4);
  const { batch } = await run.backend.view(0);
  const own = groupsOf(batch).map((rows) => rows.filter((i) => ORIGINS[batch.origin![i]!] === 'own'));
  // the first phase is a probe of each task
  expect(own.map((rows) => rows[0])).toEqual([0, 1]);
  expect(own.every((rows) => rows.length >= 1)).toBe(true);
});

test('a fork that takes another first action never takes that of its parent, and its logp is of the others', async () => {
  const run = await sampleRun({ ...FORKS, 'run.backend': 'cpu', 'rollout.arpo.distinct': true });
  await train(run, 2);
  const { batch, probs } = await run.backend.view(0);
  const { T, branchParent, branchStep, action, logp } = batch;
  const { actions } = run.plan;
  let forks = 0;
  branchParent!.forEach((parent, row) => {
    if (parent < 0) return;
    const [at, of] = [row * T + branchStep![row]!, parent * T + branchStep![row]!];
    forks++;
    expect(action[at]).not.toBe(action[of]);
    expect(probs[at * actions + action[of]!]).toBe(0);
    const others = 1 - probs[of * actions + action[of]!]!;
    expect(logp[at]).toBeCloseTo(Math.log(probs[of * actions + action[at]!]! / others), 4);
  });
  expect(forks).toBeGreaterThan(0);
});

test('a batch of forks is as large as a plain one, and so is its estimated cost', () => {
  const plain = estimateCost(configWith(SMALL), null)!;
  expect(estimateCost(configWith(FORKS), null)!.stepsPerUpdate).toBe(plain.stepsPerUpdate);
});

test('further rounds and searches are in the estimate: their steps, and the memory of a batch more', async () => {
  const of = (changes: Record<string, unknown>) => {
    const config = configWith({ ...SMALL, ...changes });
    return { cost: estimateCost(config, null)!, cpu: memoryOf(config)!.cpu, config };
  };
  const plain = of({ 'rollout.method': 'sampled' });
  expect(plain.cost.mostSteps).toBe(plain.cost.stepsPerUpdate);
  for (const [id, times] of [
    ['dynamicSampling', 10],
    ['valueResampling', 2],
  ] as const) {
    const { cost, cpu, config } = of({ 'rollout.method': id });
    expect(cost.stepsPerUpdate).toBe(plain.cost.stepsPerUpdate);
    expect(cost.mostSteps).toBe(times * plain.cost.stepsPerUpdate);
    expect(cost.bytes).toBeGreaterThan(plain.cost.bytes);
    const plan = must(makePlan(config));
    const held = new CpuRounds(plan, plan.scheme!).bytes;
    expect(held).toBeGreaterThan(0);
    // what views and kernels take is the same, so the difference is that of the rounds
    expect(cpu - plain.cpu).toBeGreaterThanOrEqual(held);
    expect(cpu - plain.cpu).toBeLessThan(1.5 * held);
  }
  const search = { 'rollout.method': 'expertIteration', 'rollout.expertIteration.every': 4 };
  const found = of({ ...search, 'rollout.expertIteration.nodes': 100 });
  const [P, S] = [found.config.rollout['tasksPerBatch'] as number, found.config.run['seeds'] as number];
  expect(found.cost.mostSteps - plain.cost.stepsPerUpdate).toBe(S * Math.ceil((P * 100) / 4));
  expect(of({ 'rollout.method': 'contrast' }).cost.mostSteps).toBe(plain.cost.mostSteps);
});

test('episodes that are forked are not as many independent ones: the metric counts families', async () => {
  const run = await sampleRun(FORKS);
  const [record] = await train(run, 1);
  const { batch } = await run.backend.view(0);
  const sizes = new Map<number, number>();
  for (let i = 0; i < batch.B; i++) {
    let root = i;
    while (batch.branchParent![root]! >= 0) root = batch.branchParent![root]!;
    sizes.set(root, (sizes.get(root) ?? 0) + 1);
  }
  const want = batch.B / sum([...sizes.values()].map((n) => n * n));
  expect(record!.metrics[metricIndex.independent]).toBeCloseTo(want, 12);
  expect(want).toBeLessThan(1);
  const [plain] = await train(await sampleRun(SMALL), 1);
  expect(plain!.metrics[metricIndex.independent]).toBeNaN();
});
