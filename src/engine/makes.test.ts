import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf, heldBy, mapColumns, type Batch, type ColumnName } from '../contract/columns.ts';
import type { ModuleForm } from '../contract/module.ts';
import { stateOf } from '../contract/module.ts';
import { zeros } from '../contract/numbers.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { configWith } from '../config/schema.ts';
import { arbitraryBatch } from '../slots/advantage/arbitraryBatch.ts';
import { marking, MARKED } from '../slots/fixtures/marks.ts';
import { BRANCH_COLUMNS, ROW_COLUMNS } from '../contract/rows.ts';
import { estimators, objectives } from '../slots/methods.ts';
import { revisions, rewards, rollouts } from '../slots/registry.ts';
import { hasScheme } from '../slots/rollout/types.ts';
import type { Objective } from '../slots/types.ts';
import type { RewardModule } from '../slots/reward/types.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan } from './plan.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

type Runs = (batch: Batch) => void;

/** Columns that a module reads and these batches do not have, none of them 0 everywhere; and those that it makes, all 0. */
function withSignals(batch: Batch, needs: readonly string[], makes: readonly string[] = []): Batch {
  const { B, T } = batch;
  const lacking = [...needs, ...makes].filter((name) => !Object.hasOwn(batch, name)) as ColumnName[];
  const made = lacking.map((name) => {
    const { per, type } = columnOf(name);
    const values = zeros(type, per === 'row' ? B : B * (per === 'stepAndEnd' ? T + 1 : T));
    return [name, makes.includes(name) ? values : values.map((_, k) => k % 2)];
  });
  return { ...batch, ...Object.fromEntries(made) } as Batch; // only what it lacks
}

const runsReward =
  (module: RewardModule): Runs =>
  (batch) => {
    const params = { ...defaultsOf(module.params), on: true };
    const memory = Object.entries(stateOf(module, params)).map(([name, { type, width = 1 }]) => [
      name,
      zeros(type, width),
    ]);
    const own = { reward: batch.reward.slice(), outcome: batch.outcome.slice() };
    module.run(
      { ...batch, ...own },
      params as never,
      new Float32Array(batch.B * batch.T),
      Object.fromEntries(memory) as never,
    );
  };

const all: readonly (readonly [string, ModuleForm, Runs])[] = [
  ...[...rewards, marking].map((m) => [`reward ${m.id}`, m, runsReward(m)] as const),
  ...estimators.map(
    (m) => [`estimator ${m.id}`, m as ModuleForm, (batch: Batch) => void m.run(batch, defaultsOf(m.params))] as const,
  ),
  ...revisions.map((m): readonly [string, ModuleForm, Runs] => [
    `revision ${m.id}`,
    m,
    (batch) => {
      const A = new Float32Array(batch.B * batch.T);
      const probs = new Float32Array(3 * A.length).fill(1 / 3);
      m.run(A, { batch, probs, actions: 3 }, defaultsOf(m.params) as never);
    },
  ]),
];

test.each(all)('%s writes the columns that it makes, and no other', (_, module, run) => {
  const written = new Set<string>();
  const makes = module.makes ?? [];
  fc.assert(
    fc.property(arbitraryBatch, (played) => {
      const batch = withSignals(played, module.needs ?? [], makes);
      const before = mapColumns(batch, (values) => values.slice());
      run(batch);
      const was = new Map(heldBy(before));
      for (const [name, values] of heldBy(batch)) {
        const old = was.get(name)!;
        if (values.some((x, k) => !Object.is(x, old[k]))) written.add(name);
      }
    }),
    { numRuns: 30 },
  );
  expect([...written].sort()).toEqual([...makes].sort());
});

test('what one module makes another reads: the run has the column, and only that run', async () => {
  const plain = must(
    makePlan(
      configWith({
        ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'task.grid.level': 'bonusRoom', 'policy.mlp.hidden': [8] },
        ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 12, 'optimizer.learningRate': 0.02 },
      }),
    ),
  );
  const run = await Run.create({ ...plain, ...MARKED }, makeCpuBackend);
  await train(run, 3);
  const { batch, A } = await run.backend.view(1);
  const { T, length, success, planMask } = batch;
  const marked = [...planMask!.keys()].filter((k) => planMask![k] === 1);
  expect(marked).toEqual([...success.keys()].filter((i) => success[i] === 1).map((i) => i * T + length[i]! - 1));
  expect(marked.length).toBeGreaterThan(0);
  for (const k of marked) {
    const i = Math.floor(k / T);
    if (length[i]! > 1 && A[k - 1] !== 0) expect(Math.abs(A[k]!)).toBeGreaterThan(Math.abs(A[k - 1]!));
  }
  const other = await Run.create(plain, makeCpuBackend);
  await train(other, 1);
  expect((await other.backend.view(1)).batch).not.toHaveProperty('planMask');
});

/** Schemes of rows: those that a config chooses and those that objectives ask for. */
const byRows: readonly (readonly [string, { readonly forks?: boolean }, Record<string, unknown>])[] = [
  ...rollouts.filter(hasScheme).map((scheme) => {
    const plans = scheme.wants === 'decides' ? { 'task.subgoals.on': true, 'task.subgoals.mode': 'blueprint' } : {};
    return [`rollout ${scheme.id}`, scheme, { 'rollout.method': scheme.id, ...plans }] as const;
  }),
  ...(objectives as readonly Objective[])
    .filter(({ rows }) => rows)
    .map((o) => [`objective ${o.id}`, {}, { 'objective.method': o.id }] as const),
];

test.each(byRows)(
  '%s writes the columns of its rows, and a run without it has none of them',
  async (_, scheme, set) => {
    const small = {
      ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'task.grid.level': 'fourRooms', 'policy.mlp.hidden': [8] },
      ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'task.grid.maxSteps': 30 },
    };
    const made = [...ROW_COLUMNS, ...(scheme.forks ? BRANCH_COLUMNS : [])];
    const run = await Run.create(must(makePlan(configWith({ ...small, ...set }))), makeCpuBackend);
    const written = new Set<string>();
    for (let u = 0; u < 4; u++) {
      await train(run, 1);
      const { batch } = await run.backend.view(0);
      // arrays begin as zeros
      for (const [name, values] of heldBy(batch))
        if ((made as readonly string[]).includes(name) && values.some((x) => x !== 0)) written.add(name);
      const other = [...ROW_COLUMNS, ...BRANCH_COLUMNS].filter((name) => !made.includes(name));
      for (const name of other) expect(batch).not.toHaveProperty(name);
    }
    // a scheme may have rows of the policy's own alone, whose origin is 0; on those of SQIRL nothing trains
    const zeros = 'id' in scheme && scheme.id === 'sqirl' ? ['origin', 'trains'] : ['origin'];
    expect([...new Set([...written, ...zeros])].sort()).toEqual([...made].sort());
    const plain = await Run.create(must(makePlan(configWith(small))), makeCpuBackend);
    await train(plain, 1);
    for (const name of made) expect((await plain.backend.view(0)).batch).not.toHaveProperty(name);
  },
);
