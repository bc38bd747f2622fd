import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Batch } from '../contract/columns.ts';
import { replicasOf, thetaOf } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { arbitraryBatch } from '../slots/advantage/arbitraryBatch.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { defineController, remembered } from '../slots/control/types.ts';
import { controllers, revisions } from '../slots/registry.ts';
import { defineRevision } from '../slots/revise/types.ts';
import { controlOf } from './control.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';

const ACTIONS = 3;

test.each(revisions.map((r) => [r.id, r] as const))(
  '%s reads what it needs and nothing else; padding stays 0 and numbers finite',
  (_, revision) => {
    const read = new Set<string>();
    fc.assert(
      fc.property(arbitraryBatch, (batch) => {
        const watched = new Proxy(batch, {
          get: (target, name) => (read.add(String(name)), target[name as keyof Batch]),
        });
        const A = Float32Array.from({ length: batch.B * batch.T }, (_x, k) =>
          k % batch.T < batch.length[Math.floor(k / batch.T)]! ? (k % 5) - 2 : 0,
        );
        const seen = {
          batch: watched,
          get probs() {
            read.add('probs');
            return new Float32Array(A.length * ACTIONS).fill(1 / ACTIONS);
          },
          actions: ACTIONS,
        };
        revision.run(A, seen, defaultsOf(revision.params) as never);
        for (let i = 0; i < batch.B; i++)
          for (let t = 0; t < batch.T; t++) {
            expect(A[i * batch.T + t]).toSatisfy(Number.isFinite);
            if (t >= batch.length[i]!) expect(A[i * batch.T + t]).toBe(0);
          }
      }),
      { numRuns: 20 },
    );
    const sizes = ['B', 'T', 'P', 'G'];
    expect([...read].filter((name) => !sizes.includes(name)).sort()).toEqual([...revision.needs].sort());
  },
);

test.each(controllers.map((c) => [c.id, c] as const))(
  '%s remembers finite numbers, is quiet about what was not measured, and what it says can be looked up',
  (_, controller) => {
    const params = { ...defaultsOf(controller.params), on: true } as never;
    const own = Object.fromEntries(
      Object.entries(controller.state ?? {}).map(([name, { start = 0, width = 1 }]) => [
        name,
        new Float64Array(width).fill(start as number),
      ]),
    );
    for (const name of controller.atReset ?? []) expect(own).toHaveProperty(name);
    for (const id of controller.metrics ?? []) expect(metricIndex).toHaveProperty(id);
    const told = new Set<string>();
    const live = { klCoef: 0.1, entropyCoef: 0.05 };
    const unknown = { klRef: NaN, entropy: NaN, reward: NaN, success: NaN };
    for (let update = 0; update < 12; update++) {
      const seen = update % 3 === 2 ? unknown : { klRef: 9, entropy: 0.1, reward: update, success: 0.5 };
      const at = { update, trajectories: 8, since: update + 1, live, actions: 4, ...seen };
      const before = structuredClone(own);
      controller.run?.(own, at, params, (id) => void told.add(id));
      if (update % 3 === 2) expect(own).toEqual(before);
      for (const x of Object.values(controller.coefficients?.(own, live, params) ?? live))
        expect(x).toBeGreaterThanOrEqual(0);
    }
    expect(Object.values(own).every((values) => values.every(Number.isFinite))).toBe(true);
    for (const id of told) expect(controller.metrics).toContain(id);
  },
);

/** One file of a controller: the KL weight doubles at every other update, and the reference is reset at the fourth. */
const doubling = defineController({
  ...{ id: 'doubling', title: 'Doubling', rev: 1, look: '', params: {} },
  turns: 'klCoef',
  state: { n: remembered(1), seen: remembered() },
  atReset: ['n'],
  countsSteps: true,
  coefficients: ({ n }, live) => ({ ...live, klCoef: live.klCoef * n![0]! }),
  run({ n, seen }, { update }) {
    seen![0]!++;
    if (update % 2 === 1) n![0]! *= 2;
    return update === 3;
  },
});
/** One file of a revision: credit of successes alone. */
const winners = defineRevision({
  ...{ id: 'winners', title: 'Winners', rev: 1, look: '', caption: '', params: {}, needs: ['success'] },
  run(A, { batch: { T, success } }) {
    success.forEach((won, i) => won === 0 && A.fill(0, i * T, (i + 1) * T));
  },
});

function planWith(S: number): Plan {
  const config = configWith({
    ...{ 'task.grid.level': 'bonusRoom', 'policy.method': 'tabular', 'rollout.tasksPerBatch': 2 },
    ...{ 'run.seeds': S, 'objective.klCoef': 0.1, 'optimizer.learningRate': 0.05, 'analysis.evalEvery': 0 },
  });
  const plan = must(makePlan(config));
  const on: Config = { ...config, control: { ...config.control, doubling: { on: true } } };
  return {
    ...plan,
    control: controlOf(on, plan.actions, [...controllers, doubling]),
    revisions: [{ module: winners, params: { on: true } }],
  };
}

test('a controller and a revision that are one record each train, are paused, and belong to each seed alone', async () => {
  const plan = planWith(2);
  const run = await Run.create(plan, makeCpuBackend);
  const records = await train(run, 3);
  const middle = await run.checkpoint();
  expect([...middle.state.tensors['doubling.n']!]).toEqual([2, 2]);
  records.push(...(await train(run, 3)));
  const of = (id: 'klCoef' | 'resets', s: number): number[] =>
    records.map((r) => r.metrics[s * METRICS + metricIndex[id]]!);
  expect(of('klCoef', 1).map((x) => Math.round(10 * x))).toEqual([1, 1, 2, 2, 1, 1]);
  expect(of('resets', 0)).toEqual([0, 0, 0, 1, 1, 1]);
  const end = await run.backend.save();
  expect([...end.tensors['doubling.seen']!]).toEqual([6, 6]);
  const view = await run.backend.view(0);
  view.batch.success.forEach((won, i) => {
    if (won === 0) expect([...view.A.subarray(i * plan.T, (i + 1) * plan.T)].every((x) => x === 0)).toBe(true);
  });
  const again = await Run.create(plan, makeCpuBackend, middle);
  await train(again, 3);
  expect(await again.backend.save()).toEqual(end);
  const alone = await Run.create(planWith(1), makeCpuBackend);
  await train(alone, 6);
  expect(thetaOf(await alone.backend.save())).toEqual(thetaOf(replicasOf(end, 2, 0, 1)));
});
