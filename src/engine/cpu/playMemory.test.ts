import { beforeAll, describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { makeArrays } from '../arrays.ts';
import { noExactReason } from '../exactValues.ts';
import { Forks } from '../../lab/creditFork.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { initialState } from '../state.ts';
import { askAbout } from './asking.ts';
import { makeCpuPolicy } from './policy.ts';
import { rolloutReplica } from './rollout.ts';
import { networkOf, prepareNetwork } from '../../networks/policy.ts';

// policies are made here without a run
beforeAll(async () => {
  for (const id of ['gru', 'gtrxl', 'memo']) await prepareNetwork(networkOf(id));
});

const TASK = {
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 9,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 6,
  'run.seeds': 2,
  'advantage.method': 'gae',
};
const NETWORKS = {
  'a recurrent network': { 'policy.method': 'gru', 'policy.gru.hidden': 6 },
  // segments shorter than an episode, and a memory shorter than what came before
  GTrXL: { 'policy.method': 'gtrxl', 'policy.gtrxl.width': 6, 'policy.gtrxl.memory': 3, 'policy.gtrxl.segment': 2 },
  // an episode of two segments and a step
  Memo: { 'policy.method': 'memo', 'policy.memo.width': 6, 'policy.memo.keep': 1, 'policy.memo.segment': 4 },
};

describe.each(Object.entries(NETWORKS))('%s', (_name, network) => {
  const SMALL = { ...TASK, ...network };
  const planOf = (changes: Readonly<Record<string, unknown>> = {}): Plan =>
    must(makePlan(configWith({ ...SMALL, ...changes })));

  /** Log-probabilities and last values as played by a policy, of replica 1. */
  function played(plan: Plan, of: (t: number) => Float32Array | null) {
    const arrays = makeArrays(plan);
    const policy = makeCpuPolicy(plan);
    const theta = thetaOf(initialState(plan));
    const tasks = makeTasks(plan, 3, 'train');
    expect(rolloutReplica(plan, arrays, { policy, theta: (_row, t) => of(t) ?? theta, tasks, mode: 'train' }, 1)).toBe(
      true,
    );
    return { arrays, theta, tasks };
  }

  test('episodes played with the memory at hand are those read again from their beginning, to the bit', () => {
    const plan = planOf();
    const { arrays, theta } = played(plan, () => null);
    const policy = makeCpuPolicy(plan);
    const out = new Float64Array(arrays.logp.length);
    const step = new Int32Array(policy.chunk);
    askAbout(plan, { arrays, theta, s: 1, step }, (asking) => policy.unitLogProbs(asking, out));
    const steps = [...arrays.logp.keys()].filter((k) => arrays.logp[k] !== 0);
    expect(steps.length).toBeGreaterThan(20);
    expect(steps.map((k) => Math.fround(out[k]!))).toEqual(steps.map((k) => arrays.logp[k]!));
    // equal weights in another array: nothing may be recalled, and nothing changes
    const copy = theta.slice();
    const again = played(plan, (t) => (t % 2 === 1 ? copy : null));
    expect(again.arrays.logp).toEqual(arrays.logp);
    expect(again.arrays.valueFinal).toEqual(arrays.valueFinal);
  });

  test('a run with a memory goes on from a checkpoint to the bits of the uninterrupted run', async () => {
    const [whole, first, second] = [await sampleRun(SMALL), await sampleRun(SMALL), await sampleRun(SMALL)];
    await train(whole, 4);
    await train(first, 2);
    await second.restore(await first.checkpoint());
    await train(second, 2);
    expect((await second.digest()).all).toBe((await whole.digest()).all);
    expect(thetaOf(await second.backend.save())).toEqual(thetaOf(await whole.backend.save()));
  });

  test('forked episodes remember the steps before the fork', async () => {
    const run = await sampleRun(SMALL);
    await train(run, 2);
    const view = await run.backend.view(0);
    const i = view.batch.length.findIndex((n) => n > 3);
    // the same step, asked of a fresh set of forks and of one that has played others
    const [alone, busy] = [new Forks(run.plan, view), new Forks(run.plan, view)];
    busy.at(i, 1);
    expect(busy.at(i, 2)).toEqual(alone.at(i, 2));
    expect(Number.isFinite(alone.at(i, 2)!.A)).toBe(true);
    run.dispose();
  });

  test('what a policy with a memory does is no function of the state: exact values say so', () => {
    expect(noExactReason(planOf())).toContain('remembers');
  });
});
